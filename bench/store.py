"""What keeping matches costs: bytes and processor time per match, beside their limits.

    python -m bench.store [--deals N]

P12  bytes per stored match, everything in it, beside its events as JSON lines under gzip
Matches are played by sample bots in processes of their own, every deal in both seatings, as `arena play` does.
"""

from __future__ import annotations

import argparse
import gzip
import json
import time
from collections.abc import Callable, Iterator
from functools import partial
from statistics import mean

import trio

from arena import record
from arena.bots.live import LiveBot
from arena.bots.manifest import Bot, find_bot
from arena.chance import derive
from arena.clock import TimeControl
from arena.games import GAMES
from arena.match import Match
from arena.referee import Fixture, Referee
from arena.transports import Hub, Link, Owner, stdio
from bench.goals import tell

SECRET = bytes(32)
AT_ONCE = 8
ROUNDS = 5
PAIRS = {"sheepzzz": "greedy", "herr-der-ziegen": "goatherd", "volle-wolle": "bidder", "wolfpack": "alpha"}
"""Who plays against random."""


def played(game: str, deals: int) -> list[record.Document]:
    """The documents of real matches."""
    rules, pair = GAMES[game], (find_bot(PAIRS[game]), find_bot("random"))
    documents = []

    def fixtures() -> Iterator[Fixture]:
        for number in range(deals):
            for seated in (pair, pair[::-1]):
                salt = derive(SECRET, "salt", number, seated[0].name)
                yield Fixture(rules, rules.variant_type(), seated, derive(SECRET, "deal", number), salt)

    def finished(match: Match, fixture: Fixture, bots: list[LiveBot]) -> None:  # noqa: ARG001
        documents.append(record.document_of(match, "none"))

    async def run() -> None:
        hub = Hub()

        def starter(bot: Bot, owner: Owner) -> Link:
            return stdio.start(
                hub, list(bot.run), cwd=str(bot.folder), env=bot.environment(), owner=owner, name=bot.name
            )

        async with trio.open_nursery() as nursery:
            await nursery.start(hub.run)
            await Referee(hub, starter, finished, TimeControl(), at_once=AT_ONCE).run(fixtures())
            nursery.cancel_scope.cancel()

    trio.run(run)
    return documents


def json_lines(document: record.Document) -> bytes:
    """The peer: nothing but the events."""
    return b"\n".join(json.dumps(event, separators=(",", ":")).encode() for event in document["events"])


def cpu_us(work: list[Callable[[], object]]) -> float:
    """Processor time of one piece of work, in the best of some rounds."""
    rounds = []
    for _ in range(ROUNDS):
        start = time.process_time()
        for step in work:
            step()
        rounds.append((time.process_time() - start) / len(work))
    return 1e6 * min(rounds)


def sizes(deals: int) -> None:
    """P12, and what packing takes."""
    print(f"{'':18}{'events':>8}{'bytes':>8}{'JSON, gzip':>12}{'ratio':>8}{'pack µs':>9}{'unpack µs':>11}")
    for game in PAIRS:
        documents = played(game, deals)
        records = [record.pack(document) for document in documents]
        stored = mean(map(len, records))
        peer = mean(len(gzip.compress(json_lines(document))) for document in documents)
        packing = cpu_us([partial(record.pack, document) for document in documents])
        unpacking = cpu_us([partial(record.unpack, data) for data in records])
        events = mean(len(document["events"]) for document in documents)
        print(f"{game:18}{events:8.0f}{stored:8.0f}{peer:12.0f}{stored / peer:8.2f}", end="")
        print(f"{packing:9.0f}{unpacking:11.0f}")
        if game == "sheepzzz":
            goal_ratio = stored / peer
    tell("P12", goal_ratio)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--deals", type=int, default=10)
    sizes(parser.parse_args().deals)


if __name__ == "__main__":
    main()
