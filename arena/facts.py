"""What there is to say of a game before anybody plays it, as plain data: for commands, pages and programs."""

from __future__ import annotations

from typing import Any

from arena.game import Game


def facts_of(game: type[Game]) -> dict[str, Any]:
    """Name, seats, and every option of its variant with what is allowed and why."""
    return {
        "name": game.name,
        "title": game.title,
        "summary": game.summary,
        "seats": list(game.seats_allowed),
        "high_score_wins": game.high_score_wins,
        "rules_version": game.rules_version,
        "options": [
            {"name": name, "default": default, "allowed": allowed, "why": why}
            for name, default, allowed, why in game.variant_type.described()
        ],
    }
