"""SheepZzz by counting cards."""
