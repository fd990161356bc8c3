"""A store as pages find it: real matches of every game, faults, a block under way, a void one, planted secrets.

What is marked with `CANARY`, and `SEED`, must never reach a browser.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from arena.chance import commitment
from arena.game import Game
from arena.games import GAMES
from arena.match import Ask, Entrant, Match, match_id
from arena.record import Document, document_of
from arena.store import Division, Finished, Planned, Played, Voided, open_store
from arena.store.played import played
from arena.store.roster import Ladder, NewEntry
from arena.store.store import Store
from arena.verdicts import Fault
from ladders.blocks import seatings
from ladders.ladder import Ladder as LadderFile

CANARY = "canary-7f3a"
SEED = "7f3acafe" * 8
HTML = "<b onclick=alert(1)>\u2028</script><script>alert('x')</script>"
BOTS = ("anna@1", "bert@1", "carl@1")
SEATS = {"sheepzzz": 2, "herr-der-ziegen": 3, "volle-wolle": 3, "wolfpack": 3}
ANSWER_US = 2_000
SLOW_US = 700_000


def hashed(*name: Any) -> bytes:
    return hashlib.sha256(repr(name).encode()).digest()


def play(
    game: type[Game], names: tuple[str, ...], deal: bytes, salt: bytes, crash: int | None = None
) -> Iterator[Match]:
    """A match by answers that follow from the deal, handed out at every question and once more at its end.

    With `crash`, that seat answers once illegally, once slowly, and dies at its fifth move.
    """
    entrants = [Entrant(name.partition("@")[0], "1", f"hash of {name}") for name in names]
    match = Match(game, entrants, deal=deal, salt=salt)
    asked = [order.seat for order in match.begin() if isinstance(order, Ask)]
    told = -1
    while asked:
        questions = [event for event in match.game.events or () if event[1] == "ask"]
        if len(questions) > told:
            told = len(questions)
            yield match
        seat = asked.pop(0)
        state = match.seats[seat]
        if seat == crash and state.moves == 5:
            orders = match.failed(seat, Fault("CRASH", f"died. Its last words: {CANARY}"), 10)
        else:
            wrong = seat == crash and state.moves == 2
            took = SLOW_US if seat == crash and state.moves == 3 else ANSWER_US
            choice = 9999 if wrong else hashed(deal, seat, state.moves)[0] % state.choices
            orders = match.answered(seat, choice, took, f"{CANARY} note of seat {seat}")
        asked += [order.seat for order in orders if isinstance(order, Ask)]
    assert match.over
    yield match


def whole(
    game: type[Game], names: tuple[str, ...], deal: bytes, salt: bytes, crash: int | None = None
) -> Document:
    """Its record."""
    *_, match = play(game, names, deal, salt, crash)
    return document_of(match, "bubblewrap")


def a_block(ladder: str, number: int, game: str, table: tuple[str, ...], crash: int | None = None):
    """A block as planned and as finished, every seating of it really played."""
    deal = hashed(ladder, number)
    rows = [tuple(table[player] for player in seating) for seating in seatings(len(table))]
    salts = [hashed(ladder, number, row) for row in range(len(rows))]
    plan = Planned(
        number,
        Division.of(game, {}, len(table)),
        tuple(sorted(table)),
        tuple((match_id(salt), commitment(deal, salt)) for salt in salts),
    )

    def matches() -> Iterator[Played]:
        for place, (row, salt) in enumerate(zip(rows, salts, strict=True)):
            gone = crash if place == 0 else None
            document = whole(GAMES[game], row, deal, salt, gone)
            yield played(document, row, 40, {} if gone is None else {gone: f"{CANARY} stderr".encode()})

    return plan, lambda: Finished(number, tuple(matches()))


def settings(name: str, **publish: Any) -> dict[str, Any]:
    """As a ladder file that tells its secret seed and its folders would be stored."""
    told = LadderFile(name, "", tuple(SEATS), (f"/home/{CANARY}/bots",), {}).settings()
    told["run"]["seed"] = SEED
    told["rating"]["provisional_blocks"] = 2
    told["publish"] |= publish
    return told


def begin(store: Store, name: str, title: str = "", bots: tuple[str, ...] = BOTS, **publish: Any) -> Ladder:
    ladder = store.create_ladder(
        name, seed_commitment=hashed(name).hex(), title=title, settings=settings(name, **publish)
    )
    for label in bots:
        manifest = {"folder": f"/home/{CANARY}"}
        store.add_bot(ladder, NewEntry(label, label.partition("@")[0], "1", "anna", f"hash of {label}", manifest))
    return ladder


def build(folder: Path) -> Path:
    """The store of these tests; returns its database."""
    path = folder / "arena.db"
    with open_store(path) as store:
        spring = begin(store, "spring", f"Spring {HTML}")
        number = 0
        for game, seats in SEATS.items():
            for pair in (0, 1):
                table = BOTS[:seats] if pair == 0 or seats == 3 else BOTS[1:]
                plan, finish = a_block("spring", number, game, table, crash=1 if pair else None)
                store.plan_blocks(spring, [plan])
                store.finish_blocks(spring, [finish()])
                number += 1
        under_way, _ = a_block("spring", number, "sheepzzz", BOTS[:2])
        void, _ = a_block("spring", number + 1, "sheepzzz", BOTS[:2])
        store.plan_blocks(spring, [under_way, void])
        store.write(spring, voided=[Voided(void.number, f"a worker died {HTML}")])

        begin(store, "empty")
        for name, publish in (("late", {"open_after": "ladder"}), ("open-notes", {"notes": "all"})):
            ladder = begin(store, name, bots=BOTS[:2], **publish)
            plan, finish = a_block(name, 0, "sheepzzz", BOTS[:2])
            store.plan_blocks(ladder, [plan])
            store.finish_blocks(ladder, [finish()])
        hostile = begin(store, "hostile", bots=(HTML, "bert@1"))
        plan, finish = a_block("hostile", 0, "sheepzzz", (HTML, "bert@1"))
        store.plan_blocks(hostile, [plan])
        store.finish_blocks(hostile, [finish()])
    return path
