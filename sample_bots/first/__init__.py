"""Always the first option."""
