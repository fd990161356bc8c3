"""A human's seat in a terminal: what happened and what lies on the table in words, options by number."""

from __future__ import annotations

import signal
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

import trio

from arena.cli.human import Seating, Table
from arena.events import Seen
from arena.gallery import Gallery
from arena.game import Game, freeze
from arena.games import GAMES
from arena.telling import tell
from arena.zones import Face
from sample_bots.flock_remote import Remote

HELLO = {"type": "hello", "protocol": [1], "name": "human", "wants": "both"}


def play_here(table: Table) -> Seating:
    """Runs beside the match, in a thread: the terminal waits for nobody but the human."""

    async def seat(door: str, token: str, gallery: Gallery) -> None:  # noqa: ARG001
        await trio.to_thread.run_sync(_converse, table, door, token, abandon_on_cancel=True)

    return seat


def _converse(table: Table, door: str, token: str) -> None:
    try:
        with Remote(door, token) as arena:
            arena.send(HELLO)
            player = Player(table)
            for message in arena.messages():
                answer = player.hear(message)
                if answer is not None:
                    arena.send(answer)
    except EOFError:  # the input has ended: as if by Ctrl-C
        signal.raise_signal(signal.SIGINT)


class Player:
    """Hears what a bot in this seat would hear, and asks the human."""

    def __init__(self, table: Table) -> None:
        self.game: type[Game] = GAMES[table.sitting.game]
        self.seat = table.sitting.seat
        self.labels = table.labels
        self.timed = table.timed
        self.seen: list[Seen] = []
        self.told = 0

    def hear(self, message: dict[str, Any]) -> dict[str, Any] | None:
        """A message of the arena, and the answer to it, if there is one."""
        match message["type"]:
            case "prepare":
                return {"type": "ready"}
            case "start":
                self.seen, self.told = [], 0
                print(f"{self.game.title}: you are seat {message['seat']} of {message['seats']}")
            case "ask":
                (request,) = message["requests"]
                return {"type": "answer", "answers": [{"id": request["id"], "choice": self.choose(request)}]}
            case "forced" | "error":
                print(message["text"])
            case "end":
                place, points = message["ranks"][self.seat], message["scores"][self.seat]
                print(f"\nThe match is over: you are number {place} of {len(self.labels)}, with {points} points")
        return None

    def choose(self, request: dict[str, Any]) -> int:
        """Show everything, then ask until the answer is one of the options."""
        self.seen += request["events"]
        lines = list(tell(self.game, self.seen))
        print("\n" + "\n".join(self.named(line) for line in lines[self.told :]))
        self.told = len(lines)
        for line in table_in_words(self.game, request["view"], self.seat):
            print(line)
        options = [self.game.say(freeze(option)) for option in request["options"]]
        limit = f", within {request['time_ms'] / 1000:.0f} s" if self.timed else ""
        print(f"Your turn ({request['question'].replace('_', ' ')}{limit}):")
        for number, words in enumerate(options, 1):
            print(f"  {number:>3}  {words}")
        while True:
            found = meant(input("> "), options)
            if len(found) == 1:
                return found[0]
            print(f"{len(found)} options are like that; type a number from 1 to {len(options)}")

    def named(self, line: str) -> str:
        """The same line with the human in it."""
        for words, ours in ((f"seat {self.seat}:", "you:"), (f"seat {self.seat} draws", "you draw")):
            if line.lstrip().startswith(words):
                return line.replace(words, ours, 1)
        return line


def meant(typed: str, options: Sequence[str]) -> list[int]:
    """The options that were meant: by number, by the very words, or by a part of them."""
    typed = typed.strip().lower()
    if typed.isascii() and typed.isdecimal():
        return [int(typed) - 1] if 0 < int(typed) <= len(options) else []
    words = [option.lower() for option in options]
    if typed in words:
        return [words.index(typed)]
    return [at for at, option in enumerate(words) if typed and typed in option]


def table_in_words(game: type[Game], view: dict[str, Any], seat: int) -> Iterator[str]:
    """What lies where, as far as the view of a seat goes, a line per zone; and what everybody knows."""
    for name, declared in game._zones.items():
        heaps = view[name] if declared.row else [view[name]]
        told = [_heap(game, heap) for heap in heaps]
        if not declared.row:
            yield f"  {name.replace('_', ' ')}: {told[0]}"
            continue
        title = name.replace("_", " ").removesuffix("s")
        for at, words in enumerate(told):
            if heaps[at]:
                yield f"  {title} {at}{' (you)' if at == seat and declared.count is None else ''}: {words}"
    values = {name: view[name] for name in game._publics}
    yield "  " + "; ".join(f"{name.replace('_', ' ')} {_value(value)}" for name, value in values.items())


def _heap(game: type[Game], heap: Sequence[Face | None]) -> str:
    known = Counter(game.say_face(face) for face in heap if face is not None)
    hidden = len(heap) - known.total()
    words = [f"{count} x {card}" if count > 1 else card for card, count in known.items()]
    told = [", ".join(words)] if words else []
    if hidden:
        told.append(f"{hidden} face down")
    return " and ".join(told) or "nothing"


def _value(value: Any) -> str:
    if isinstance(value, (list, tuple)):
        return " ".join(map(_value, value)) or "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "open" if value is None else str(value)
