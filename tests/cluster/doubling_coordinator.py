"""The `arena` command with a runner that delivers everything twice, and the first block once more, forged."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from arena.cli import main
from arena.cluster.batch import Played
from arena.cluster.runner import ClusterRunner
from arena.runner.orders import BlockReport, Report

take_in = ClusterRunner._take_in
forged: list[int] = []


def forge(report: BlockReport) -> BlockReport:
    first, *rest = report.matches
    seats = tuple(seat._replace(points=seat.points + 1000) for seat in first.seats)
    return replace(report, matches=(replace(first, seats=seats), *rest))


def take_in_twice(runner: ClusterRunner, hand: Any, load: Any, played: Played) -> None:
    take_in(runner, hand, load, played)
    take_in(runner, hand, load, played)
    told: Report = played.reports[0]
    if not forged and isinstance(told, BlockReport):
        forged.append(told.number)
        runner._send.send_nowait(forge(told))


if __name__ == "__main__":
    ClusterRunner._take_in = take_in_twice  # type: ignore[method-assign]
    main()
