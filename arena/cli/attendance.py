"""Who came and went between which blocks: a ladder that goes on draws what it would have drawn without a break.

Only the arena that plays a ladder writes this down, when a change of the roster takes effect in its draws.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from arena.bots.manifest import Bot
from arena.store.roster import Entry, Ladder, Turn
from arena.store.store import Store
from ladders.formats import Entry as Contestant
from ladders.formats.replay import Change

START = Turn(0)


class Attendance:
    """Of everybody on a ladder; whoever comes in through an open door is seen there, and not here."""

    def __init__(
        self, store: Store, ladder: Ladder, entries: Sequence[Entry], programs: Mapping[str, Bot], open_door: bool
    ) -> None:
        self._store = store
        self._ladder = ladder
        self._programs = programs
        self._open_door = open_door
        self._entries = {entry.label: entry for entry in entries if not self.leaves_out(entry)}
        self.turns = {label: list(entry.turns) for label, entry in self._entries.items()}
        self._unwritten: set[str] = set()
        # Before the first block nobody can have come late; an earlier arena did not write it down.
        if not store.next_number(ladder) or not any(self.turns.values()):
            self.turns = {
                label: [START] if entry.status == "playing" else [] for label, entry in self._entries.items()
            }
            self._unwritten.update(self.turns)

    def leaves_out(self, entry: Entry) -> bool:
        """It takes part while it is connected."""
        return self._open_door and bool(entry.manifest.get("remote"))

    @property
    def there(self) -> set[str]:
        """Labels of those who took part when the ladder stopped."""
        return {label for label, turns in self.turns.items() if len(turns) % 2}

    def field(self, game: str) -> list[Contestant]:
        """Who was there at the beginning."""
        return [
            Contestant(label, entry.owner)
            for label, entry in self._entries.items()
            if self._plays(entry, game) and self.turns[label] and self.turns[label][0].block == START.block
        ]

    def changes(self, game: str) -> list[Change]:
        """Who came and went after that."""
        return [
            Change(turn.block, turn.under_way, Contestant(label, entry.owner), comes=at % 2 == 0)
            for label, entry in self._entries.items()
            if self._plays(entry, game)
            for at, turn in enumerate(self.turns[label])
            if at or turn.block != START.block
        ]

    def note(self, label: str, turn: Turn) -> None:
        """It came, or it went."""
        self.turns.setdefault(label, []).append(turn)
        self._unwritten.add(label)

    def write_down(self) -> None:
        """Keep what was noted."""
        if self._unwritten:
            self._store.write_turns(self._ladder, {label: self.turns[label] for label in self._unwritten})
            self._unwritten.clear()

    def _plays(self, entry: Entry, game: str) -> bool:
        if entry.label in self._programs:
            return self._programs[entry.label].plays(game)
        games = entry.manifest.get("games")  # its program may be gone
        return not games or game in games
