"""From how a bot ended to what it is charged with."""

from __future__ import annotations

from collections.abc import Callable

from arena import verdicts
from arena.transports import Ending, Link
from arena.verdicts import Fault
from protocol.errors import quoted


def fault_of(ending: Ending, name: str, unfinished: int, words: str) -> Callable[[int], Fault]:
    """The fault, once the move is known at which it counts; `unfinished` bytes of a message had come."""
    if (limit := ending.memory_mb) is not None:
        return lambda move: verdicts.out_of_memory(name, move, limit)
    if (signal := ending.signal) is not None:
        return lambda move: verdicts.died(name, move, signal, unfinished, words)
    if ending.how == "disconnected":
        return lambda move: verdicts.disconnected(name, move, ending.words)
    if ending.how in ("garbled", "flooded"):
        code = "OUTPUT" if ending.how == "flooded" else "PROTOCOL"
        return lambda move: verdicts.broken_message(name, move, code, ending.words, final=True)
    return lambda move: verdicts.left(name, move, ending.text, unfinished, words)


def last_words(link: Link | None) -> str:
    """The end of its error output, as the end of a verdict."""
    said = b"" if link is None else link.stderr_tail()
    lines = said.decode("utf-8", "replace").strip().splitlines()
    return f". Last stderr line: {quoted(lines[-1], mark=chr(34), limit=120)}" if lines else ""
