"""Bots to play against and to learn from, each a folder that runs alone."""
