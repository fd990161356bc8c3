"""SheepZzz by rules of thumb."""
