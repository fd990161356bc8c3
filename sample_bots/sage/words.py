"""A request in words: what lies on the table as this seat sees it, and what may be chosen.

Everything comes from the rules' own words and the cards; no name, note or other text of a participant is in it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from arena.game import Game

SYSTEM = (
    "You play a card game with hidden cards. You are told what you can see and which options you have. "
    'Reply with the number of the best option as JSON, for example {"choice": 0}, and nothing else.'
)


def prompt(game: type[Game], request: dict[str, Any]) -> str:
    """All that is asked of the model."""
    view = request["view"]
    better = "The higher score wins." if game.high_score_wins else "The lower score wins."
    lines = [f"{game.title}. {game.summary} {better}", f"You are seat {view['seat']} of {view['seats']}.", ""]
    for name, held in view.items():
        if name in ("seat", "seats", "question", "variant"):
            continue
        lines += _told(game, name.replace("_", " "), held, name in game._zones)
    lines += ["", f"You are asked for: {request['question'].replace('_', ' ')}. Your options:"]
    lines += [f"{number}: {game.say(_frozen(option))}" for number, option in enumerate(request["options"])]
    return "\n".join(lines)


def _told(game: type[Game], name: str, held: Any, is_zone: bool) -> list[str]:
    if not is_zone:
        return [f"{name}: {_plain(held)}"]
    if not game._zones[name.replace(" ", "_")].row:
        return [f"{name}: {_cards(game, held)}"]
    return [f"{name} {place}: {_cards(game, heap)}" for place, heap in enumerate(held) if heap]


def _cards(game: type[Game], faces: Sequence[str | None]) -> str:
    """Equal cards once, with their number; the top of an open heap is named last."""
    counted = Counter("a hidden card" if face is None else game.say_face(face) for face in faces)
    told = ", ".join(words if count == 1 else f"{count} × {words}" for words, count in counted.items())
    if len(counted) > 1 and faces[-1] is not None:
        told += f" (last: {game.say_face(faces[-1])})"
    return told or "nothing"


def _plain(value: Any) -> str:
    return ", ".join(map(_plain, value)) if isinstance(value, list | tuple) else str(value)


def _frozen(option: Sequence[Any]) -> tuple[Any, ...]:
    return tuple([_frozen(part) if isinstance(part, list) else part for part in option])
