"""Lines and a table that renews itself, written by a thread of its own: no listener ever holds up a match."""

from __future__ import annotations

import os
import threading
from collections import deque
from typing import TextIO

from arena.cli.ending import NO_ROOM

MOST_WAITING = 1000
"""So many lines wait for a slow listener; of more, the number is told."""


class Voice:
    """Says lines, and on a terminal shows a frame below them; the newest frame replaces one not yet shown."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._lines: deque[str] = deque()
        self._skipped = 0
        self._frame: list[str] | None = None
        self._shown: list[str] = []
        self._closing = False
        self._deaf = False
        self._no_room: OSError | None = None
        self._news = threading.Condition()
        self._thread = threading.Thread(target=self._talk, name="voice", daemon=True)
        self._thread.start()

    def say(self, line: str) -> None:
        """One line, soon."""
        with self._news:
            if len(self._lines) < MOST_WAITING:
                self._lines.append(line)
            else:
                self._skipped += 1
            self._news.notify()

    def show(self, frame: list[str]) -> None:
        """Replace the frame at the bottom."""
        with self._news:
            self._frame = frame
            self._news.notify()

    def close(self) -> None:
        """Say all that is waiting, which takes as long as the listener likes; raises where a disk was full."""
        with self._news:
            self._closing = True
            self._news.notify()
        self._thread.join()
        if self._no_room is not None:
            raise self._no_room

    def _talk(self) -> None:
        while True:
            with self._news:
                while not (self._lines or self._frame is not None or self._closing):
                    self._news.wait()
                lines, self._lines = list(self._lines), deque()
                if self._skipped:
                    lines.append(f"… {self._skipped:,} lines not shown: they came faster than they were read")
                    self._skipped = 0
                frame, self._frame = self._frame, None
                done = self._closing
            self._write(lines, self._shown if frame is None else frame)
            if done:
                return

    def _write(self, lines: list[str], frame: list[str]) -> None:
        if self._deaf:
            return
        frame = _fitted(frame, self._stream)
        erase = f"\x1b[{len(self._shown)}F\x1b[0J" if self._shown else ""
        try:
            self._stream.write(erase + "".join(f"{line}\n" for line in (*lines, *frame)))
            self._stream.flush()
        except (OSError, ValueError) as error:
            # Whoever read us has seen enough, as `head` has, or the terminal is gone: all is stored nevertheless.
            # A full disk is another matter: whoever reads the file would take what there is for the result.
            self._deaf = True
            if isinstance(error, OSError) and error.errno in NO_ROOM:
                self._no_room = error
        self._shown = frame


def can_redraw(stream: TextIO) -> bool:
    """Whether lines can be taken back: not where it is piped, nor where TERM says dumb, for screen readers."""
    return stream.isatty() and os.environ.get("TERM") != "dumb"


def _fitted(frame: list[str], stream: TextIO) -> list[str]:
    """What the terminal has room for: a line that is folded, or scrolled away, could not be taken back."""
    try:
        columns, rows = os.get_terminal_size(stream.fileno())
    except (OSError, ValueError):  # no terminal
        return frame
    if not columns or not rows:  # one that does not know
        return frame
    if len(frame) > rows - 1:
        frame = [*frame[: max(0, rows - 2)], f"… {len(frame) - max(0, rows - 2)} lines more"]
    return [line if len(line) < columns else f"{line[: columns - 2]}…" for line in frame]
