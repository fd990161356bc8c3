"""From a real match's record to the rows."""

from __future__ import annotations

from arena.games.sheepzzz import SheepZzz
from arena.match import Ask, Entrant, Match
from arena.record import differences, document_of, unpack
from arena.store import Division, Finished, Planned, Seat, open_store
from arena.store.played import played
from arena.verdicts import Fault
from tests.store.sheep_blocks import spring


def test_a_real_match_is_stored_and_replays_from_the_store(tmp_path):
    match = Match(SheepZzz, [Entrant("greedy"), Entrant("random")], deal=bytes(32), salt=bytes(32))
    orders = match.begin()
    asked = [order for order in orders if isinstance(order, Ask)]
    while asked:
        seat = asked.pop(0).seat
        crashes = seat == 1 and match.seats[1].moves == 5
        orders = match.failed(1, Fault("CRASH", "random died")) if crashes else match.answered(seat, 0, 250)
        asked += [order for order in orders if isinstance(order, Ask)]
    document = document_of(match, "none")

    told = played(document, ["greedy", "random"], 1234, {1: b"ouch"})
    assert told.match == match.id
    assert told.seats[1] == Seat(
        "random", 2, document["scores"][1], True, 0, 5, document["thinking_us"][1], "CRASH"
    )
    assert told.seats[0].place == 1 and told.seats[0].code == ""

    with open_store(tmp_path / "arena.db") as store:
        ladder = spring(store)
        plan = Planned(0, Division.of("sheepzzz", {}, 2), ("greedy", "random"), ((match.id, "00" * 32),))
        store.plan_blocks(ladder, [plan])
        assert store.finish_blocks(ladder, [Finished(0, (told,))]) == ["stored"]
        assert differences(unpack(store.record_of(match.id))) == ""
        assert store.stderr_of(match.id, 1, None) == b"ouch"
