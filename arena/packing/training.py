"""Write the next edition of the codebooks, from matches between the sample bots.

    python -m arena.packing.training [--matches N]

Worth it when a game came along, or a rulebook changed what its events look like.  Records name their edition:
one that was released is never changed and never taken away.
"""

from __future__ import annotations

import argparse
import importlib
import zlib
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from typing import Any

import msgpack

from arena import record
from arena.bots.manifest import find_bot, sample_names
from arena.chance import KeyedChance, derive
from arena.game import Game
from arena.games import GAMES
from arena.match import Ask, Entrant, Match, Order
from arena.packing.document import shortened
from arena.packing.editions import FOLDER, published
from arena.packing.outline import spell, taken_apart, topic_of
from arena.packing.prefix import lengths_of
from arena.packing.vocabulary import OTHER
from arena.verdicts import died, too_late

Key = int
Before = tuple[Key, ...]
Lengths = list[tuple[Key, int]]

WRITTEN_OUT_BITS = 80
"""What an event costs that is not in the book."""

ROW_BITS = 100
"""So much must looking at two events save over looking at one."""

UNSEEN = 0.25
"""How often something that could happen counts as seen when it never was."""

SELDOM = 3
"""What was seen less often is not worth an entry."""

TROUBLED = 10
"""Every so many matches, and in those every so many decisions, something goes wrong: verdicts are usual too."""

USUAL_US = 700


def main() -> None:
    """Play, count, write."""
    parser = argparse.ArgumentParser(prog="python -m arena.packing.training")
    parser.add_argument("--matches", type=int, default=200, help="of every game with every number of seats")
    matches = parser.parse_args().matches
    headers: list[bytes] = []
    divisions = {}
    for game in GAMES.values():
        for seats in game.seats_allowed:
            documents = [played(game, seats, number) for number in range(matches)]
            divisions[f"{game.name} {seats}"] = msgpack.packb(book_of(documents))
            if seats == game.seats_allowed[0]:
                headers.append(header_of(documents[0]))
            if not headers[1:]:
                headers.append(header_of(documents[1]))  # verdicts read alike in all games
            print(f"{game.name} with {seats} seats")  # noqa: T201
    # What stands last is nearest, and costs fewest bits.
    edition = {"usual_header": b"".join(reversed(headers)), "divisions": divisions}
    path = FOLDER / f"{max(published(), default=0) + 1}.codebook"
    path.write_bytes(zlib.compress(msgpack.packb(edition), 9))
    print(f"{path}: {path.stat().st_size} bytes")  # noqa: T201


# --- Matches ----------------------------------------------------------------------------------------------


LEFT_OUT = frozenset({"first", "learner", "seer"})
"""Nobody else plays like the first; the others take their time."""


def played(game: type[Game], seats: int, number: int) -> record.Document:
    """A match between sample bots, without processes."""
    secret = derive(b"training", game.name, seats, number)
    pick = KeyedChance(secret).pick
    able = [bot for bot in map(find_bot, sample_names()) if bot.plays(game.name) and bot.name not in LEFT_OUT]
    bots = [able[pick(len(able), ("bot", seat))] for seat in range(seats)]
    choosers = [importlib.import_module(f"sample_bots.{bot.name}.bot").choose for bot in bots]
    entrants = [Entrant(bot.name, bot.version, bot.content, bot.encoding) for bot in bots]
    match = Match(game, entrants, deal=derive(secret, "deal"), salt=derive(secret, "salt"))
    asks = [order for order in match.begin() if isinstance(order, Ask)]
    while not match.over:
        orders: list[Order] = []
        for ask in asks:
            request = msgpack.unpackb(ask.packed)
            choice = choosers[ask.seat](request["view"], request["options"])
            if number % TROUBLED == 1 and not pick(TROUBLED, ("trouble", len(match.inputs))):
                orders += trouble(match, ask)
            else:
                orders += match.answered(ask.seat, choice, USUAL_US)
        asks = [order for order in orders if isinstance(order, Ask)]
    document: record.Document = msgpack.unpackb(spell(record.document_of(match, "none")))
    return document


def trouble(match: Match, ask: Ask) -> list[Order]:
    """An illegal answer, then none in time, then the end of the bot."""
    seat = match.seats[ask.seat]
    if seat.strikes == 0:
        return match.answered(ask.seat, -1, USUAL_US)
    if seat.strikes == 1:
        fault = too_late(seat.entrant.name, seat.moves, ask.allowance_us, 12_000, 0, unread=False)
        return match.failed(ask.seat, fault, ask.allowance_us)
    return match.failed(ask.seat, died(seat.entrant.name, seat.moves, "SIGSEGV", 0, ""))


def header_of(document: record.Document) -> bytes:
    """As it is before it is made small, where the book has words for all events and answers."""
    header, _ = shortened(document)
    seats = len(document["bots"])
    written_out = [[at, entry] for at, entry in enumerate(document["inputs"]) if entry[1] != "answer"]
    header["inputs"] = len(document["inputs"]), [USUAL_US.bit_length()] * seats, written_out, []
    header["events"] = len(document["events"]), []
    return spell(list(header.values()))


# --- Counting ---------------------------------------------------------------------------------------------


def book_of(documents: Sequence[record.Document]) -> dict[str, Any]:
    """A codebook's plain data."""
    apart = [[taken_apart(event) for event in document["events"]] for document in documents]
    often = Counter(outline for match in apart for outline, _, _ in match)
    outlines = {outline: number for number, outline in enumerate(o for o in often if often[o] >= SELDOM)}
    cards: Counter[bytes] = Counter()
    numbers: dict[str, Counter[bytes]] = defaultdict(Counter)
    followers: dict[Before, Counter[Key]] = defaultdict(Counter)
    for match in apart:
        before: Before = ()
        last: tuple[str, ...] = ()
        for outline, named, counted in match:
            if outline in outlines:
                again = bool(named) and named == last
                cards.update(map(spell, () if again else named))
                numbers[topic_of(msgpack.unpackb(outline))].update(counted)
                key = 2 * outlines[outline] + again
                for context in {before, before[-1:]}:
                    followers[context][key] += 1
                before = (*before[-1:], key)
            last = named or last
    return {
        "outlines": list(outlines),
        "cards": lengths_of({**cards, OTHER: UNSEEN}),
        "numbers": {topic: lengths_of({**seen, OTHER: UNSEEN}) for topic, seen in numbers.items()},
        "rows": rows_of(followers),
        "answers": answers_of(documents),
    }


def rows_of(followers: dict[Before, Counter[Key]]) -> list[tuple[Before, Lengths]]:
    """For every event what follows it; where it helps, for every two."""
    rows: dict[Before, Lengths] = {(key,): [] for seen in followers.values() for key in seen}
    for before, seen in sorted(followers.items(), key=lambda entry: len(entry[0])):
        if len(before) < 2:
            rows[before] = shortest(seen, lengths_of(seen))
            continue
        after_one = rows[before[-1:]]
        row = shortest(seen, lengths_of({key: seen[key] or UNSEEN for key in [*seen, *dict(after_one)]}))
        if bits_for(seen, after_one) - bits_for(seen, row) >= ROW_BITS:
            rows[before] = row
    return list(rows.items())


def shortest(seen: Counter[Key], row: Lengths) -> Lengths:
    """What nearly always follows need not be said at all; the exceptions are then written out."""
    certain = [(seen.most_common(1)[0][0], 0)]
    return min(certain, row, key=lambda lengths: bits_for(seen, lengths))


def bits_for(seen: Counter[Key], row: Lengths) -> int:
    """The cost of all that was seen."""
    lengths = dict(row)
    return sum(count * lengths.get(key, WRITTEN_OUT_BITS) for key, count in seen.items())


def answers_of(documents: Iterable[record.Document]) -> dict[int, list[tuple[int, int, int]]]:
    """After every seat: who answers next, and which option it chooses."""
    seen: dict[int, Counter[tuple[int, int]]] = defaultdict(Counter)
    for document in documents:
        before = -1
        for seat, kind, choice, *_ in document["inputs"]:
            if kind == "answer" and choice >= 0:
                seen[before][seat, choice] += 1
                before = seat
    anything = {answer: UNSEEN for counts in seen.values() for answer in counts}
    return {
        before: [(*answer, length) for answer, length in lengths_of(anything | counts)]
        for before, counts in seen.items()
    }


if __name__ == "__main__":
    main()
