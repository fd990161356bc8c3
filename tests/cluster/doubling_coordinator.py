"""The `arena` command with a runner that delivers everything twice, and the first block once more, forged."""

from __future__ import annotations

from typing import Any

from arena.cli import main
from arena.cluster.batch import Played
from arena.cluster.runner import ClusterRunner
from arena.runner.orders import BlockReport, Report
from tests.runner.forging import forged

take_in = ClusterRunner._take_in
done: list[int] = []


def take_in_twice(runner: ClusterRunner, hand: Any, load: Any, played: Played) -> None:
    take_in(runner, hand, load, played)
    take_in(runner, hand, load, played)
    told: Report = played.reports[0]
    if not done and isinstance(told, BlockReport):
        done.append(told.number)
        runner._send.send_nowait(forged(told))


if __name__ == "__main__":
    ClusterRunner._take_in = take_in_twice  # type: ignore[method-assign]
    main()
