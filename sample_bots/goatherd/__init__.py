"""Herr der Ziegen by rules of thumb."""
