"""F1: an arena killed at any moment loses nothing that was shown, and doubles nothing."""

from __future__ import annotations

from tests.store.test_failing_disk import run_driver

ROUNDS = 20


def test_f1_twenty_kills_lose_and_double_nothing(where):
    told = run_driver("killed_driver", str(where), str(ROUNDS), "1")
    assert told["lost"] == []
    assert told["said_twice"] == 0
    assert told["damage"] == ""
    assert told["there"] >= told["said"] >= ROUNDS
    assert told["void"] > 0, "no kill ever met a block under way"
