"""The frame that renews itself fits the terminal it is shown on: what does not fit could not be taken back."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import struct
import termios

import pytest

from arena.cli.voice import Voice, can_redraw


def shown_on_a_terminal(columns: int, rows: int, frame: list[str]) -> str:
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
    with os.fdopen(theirs, "w", encoding="utf-8") as terminal:
        voice = Voice(terminal)
        voice.show(frame)
        voice.close()
        said = os.read(ours, 1 << 16).decode()
    os.close(ours)
    return said.replace("\r\n", "\n")


@pytest.mark.parametrize(("term", "redraws"), [("xterm-256color", True), ("dumb", False)])
def test_a_dumb_terminal_gets_lines_that_stay(term: str, redraws: bool, monkeypatch) -> None:
    monkeypatch.setenv("TERM", term)
    ours, theirs = pty.openpty()
    with os.fdopen(ours, "rb"), os.fdopen(theirs, "w", encoding="utf-8") as terminal:
        assert can_redraw(terminal) is redraws


def test_a_narrow_terminal_folds_no_line() -> None:
    said = shown_on_a_terminal(60, 24, ["x" * 59, "y" * 60, "z" * 76])
    assert said.splitlines() == ["x" * 59, "y" * 58 + "…", "z" * 58 + "…"]


def test_a_low_terminal_scrolls_no_line_away() -> None:
    said = shown_on_a_terminal(80, 10, [f"bot {number}" for number in range(30)])
    assert said.splitlines() == [*(f"bot {number}" for number in range(8)), "… 22 lines more"]


@pytest.mark.parametrize(("columns", "rows"), [(60, 10), (80, 24), (200, 50)])
def test_as_many_lines_are_erased_as_were_shown(columns: int, rows: int) -> None:
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
    with os.fdopen(theirs, "w", encoding="utf-8") as terminal:
        voice = Voice(terminal)
        voice._write([], ["x" * 100] * 12)
        first = os.read(ours, 1 << 16).decode()
        voice._write(["done"], [])
        second = os.read(ours, 1 << 16).decode()
        voice.close()
    os.close(ours)
    (erased,) = re.findall(r"\x1b\[(\d+)F", second)
    assert int(erased) == first.count("\n") < rows
