"""Who computes out of turn is stopped, and stopped again."""

from __future__ import annotations

from typing import Any

from arena.bots.freezing import LOOK_NS, Freezer


def test_a26_who_was_told_something_is_frozen_again():
    """`start`, `forced` and `end` wake it up as well, and nothing is asked by them."""
    frozen: list[bool] = []
    cpu = [0]

    class Ponderer:
        """A live bot and its link in one."""

        thinking, was_ready, heard, thought_ns = False, True, True, 0

        @property
        def link(self) -> Any:
            return self

        def cpu_ns(self) -> int:
            return cpu[0]

        def freeze(self) -> None:
            frozen.append(True)

    bot: Any = Ponderer()
    freezer = Freezer()
    for look in range(2):  # it computes all the time
        cpu[0] = look * LOOK_NS
        freezer.look([bot], look * LOOK_NS)
    assert frozen == [True]
    frozen.clear()  # it was told that the match is over
    freezer.look([bot], 2 * LOOK_NS)
    assert frozen
