"""What bots are called on boards: `name`, or `name@version`, as a new version is a new entrant."""

from __future__ import annotations


def goes_by(label: str, name: str) -> bool:
    """Whether a ladder file that says `name` means this bot: one version of it, or whichever there is."""
    return name in (label, label.partition("@")[0])
