"""Volle Wolle by expected value."""
