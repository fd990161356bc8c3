"""What a bot is: its manifest, where it is found, and the live process that plays."""
