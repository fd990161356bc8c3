"""Wolfpack by thresholds."""
