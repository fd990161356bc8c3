"""Flock Arena: an arena that referees hidden-information card games between bots."""

__version__ = "0.1.0"
