"""A batch between being handed out and setting out."""

from __future__ import annotations

import trio

from arena.cluster.access import Access
from arena.cluster.runner import ClusterRunner, _Hand, _Load
from arena.runner.orders import BlockOrder, Terms


class Deaf:
    """A carrier that must not be asked."""

    def missing(self, address: str, bots: object) -> None:
        raise AssertionError("the machine is gone")


async def test_a_machine_that_goes_before_its_batch_sets_out_gives_it_back() -> None:
    runner = ClusterRunner(Terms(), Access("tcp://127.0.0.1:8786"), 2, print)
    runner._carrier = Deaf()  # type: ignore[assignment]
    hand = _Hand("tcp://127.0.0.1:1", "crow", 1, Terms(), 8)
    load = _Load([BlockOrder(0, "sheepzzz", {}, (), (), (bytes(32),))])
    runner._hands[hand.address] = hand
    hand.loads.add(load)
    runner._lose(hand)
    with trio.fail_after(10):
        await runner._carry(hand, load)
    assert list(runner._again) == [load] and load.losses == 1
