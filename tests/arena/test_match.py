"""One match without a process and without a clock."""

from __future__ import annotations

import itertools

import msgpack
import pytest

from arena.chance import commitment
from arena.clock import Clock, TimeControl
from arena.games import GAMES
from arena.match import Ask, Entrant, Match, Order, Tell
from arena.verdicts import Fault
from protocol.messages import End, Forced, Start

SHEEP = GAMES["sheepzzz"]
DEAL = bytes(range(32))
SALT = bytes(range(32, 64))


def new_match(seats: int = 2, **given: object) -> Match:
    entrants = [Entrant(f"bot{seat}") for seat in range(seats)]
    return Match(SHEEP, entrants, **{"deal": DEAL, "salt": SALT, **given})  # type: ignore[arg-type]


def asks(orders: list[Order]) -> list[Ask]:
    return [order for order in orders if isinstance(order, Ask)]


def told(orders: list[Order], kind: type) -> list[Tell]:
    return [order for order in orders if isinstance(order, Tell) and isinstance(order.message, kind)]


def play_out(match: Match, orders: list[Order]) -> list[Order]:
    """Answer every request with its default."""
    everything = list(orders)
    while not match.over:
        (ask,) = asks(orders)
        orders = match.answered(ask.seat, match.seats[ask.seat].default, 1000)
        everything += orders
    return everything


def test_a_match_starts_every_seat_and_asks_one() -> None:
    match = new_match()
    orders = match.begin()
    starts = told(orders, Start)
    assert [start.seat for start in starts] == [0, 1]
    assert {start.message.commitment for start in starts} == {commitment(DEAL, SALT)}
    assert starts[0].message.seed != starts[1].message.seed
    (ask,) = asks(orders)
    request = msgpack.unpackb(ask.packed)
    assert request["id"] == ask.id and request["move"] == 1
    assert request["view"]["seat"] == ask.seat
    assert request["time_ms"] == 1000


def test_a_match_ends_with_ranks_and_the_hash_of_each_transcript() -> None:
    match = new_match(3)
    ends = told(play_out(match, match.begin()), End)
    assert [end.seat for end in ends] == [0, 1, 2]
    assert len({end.message.transcript for end in ends}) == 3
    assert ends[0].message.ranks == list(match.ranks())
    assert ends[0].message.transcript == match.seats[0].transcript.hexdigest()


def test_request_ids_are_never_used_twice_and_differ_at_every_table_of_a_deal() -> None:
    seen = []
    for salt in (SALT, bytes(32)):
        match = new_match(salt=salt)
        seen += [order.id for order in asks(play_out(match, match.begin()))]
    assert len(seen) == len(set(seen))
    assert all(len(id) == 16 for id in seen)


def test_nothing_but_the_cards_is_equal_at_sister_tables() -> None:
    """A process that met the deal at one table must not recognise it at another by anything told at the start."""
    tables = []
    for salt in (SALT, bytes(32)):
        orders = new_match(salt=salt).begin()
        tables.append([told(orders, Start)[seat].message for seat in (0, 1)])
    for first, second in zip(*tables, strict=True):
        assert first.match != second.match
        assert first.commitment != second.commitment
        assert first.seed != second.seed


@pytest.mark.parametrize("choice", [-1, 10_000, 2**63 - 1, -(2**63), 2**64 - 1])
def test_b7_an_index_that_is_no_option_is_a_strike_with_the_allowed_range(choice: int) -> None:
    match = new_match()
    (ask,) = asks(match.begin())
    orders = match.answered(ask.seat, choice, 500)
    (verdict,) = match.verdicts
    assert verdict.code == "ILLEGAL" and not verdict.forfeit
    assert verdict.text == (
        f"bot0 played an illegal action at move 1: choice {choice}, allowed: 0..1. "
        "Strike 1 of 3: the default was played"
    )
    (forced,) = told(orders, Forced)
    assert forced.message.strikes_left == 2 and forced.message.id == ask.id
    assert match.game.ascending is True  # type: ignore[attr-defined]  the default was played


def test_the_third_strike_forfeits_and_the_stand_in_plays_on() -> None:
    match = new_match(3)
    orders = match.begin()
    strikes = 0
    while not match.over:
        (ask,) = asks(orders)
        if ask.seat == 0:
            strikes += 1
            orders = match.answered(0, -1, 10)
        else:
            orders = match.answered(ask.seat, match.seats[ask.seat].default, 10)
    assert strikes == 3
    assert [verdict.forfeit for verdict in match.verdicts] == [False, False, True]
    assert match.seats[0].forfeited
    assert match.ranks()[0] == 3
    assert all(rank < 3 for rank in match.ranks()[1:])


def test_an_answer_that_cannot_have_been_given_is_refused() -> None:
    match = new_match()
    (ask,) = asks(match.begin())
    for seat, elapsed_us in ((1 - ask.seat, 0), (-2, 0), (ask.seat, -1), (ask.seat, ask.allowance_us + 1)):
        with pytest.raises(ValueError, match="no request that could be answered"):
            match.answered(seat, 0, elapsed_us)
    assert match.inputs == []
    match.answered(ask.seat, 0, ask.allowance_us)


def test_a_secret_choice_cannot_be_revised() -> None:
    match = Match(GAMES["volle-wolle"], [Entrant("a"), Entrant("b")], deal=DEAL, salt=SALT)
    match.begin()
    match.answered(0, 3, 0)
    with pytest.raises(ValueError, match="no request"):
        match.answered(0, 5, 0)


def test_a_crash_forfeits_at_once_even_before_a_question() -> None:
    match = new_match()
    match.begin()
    match.failed(1, Fault("CRASH", "bot1 died at move 0: signal SIGSEGV"))
    assert match.seats[1].forfeited
    assert match.verdicts[0].text.endswith("The seat is forfeited; the stand-in plays on")


def test_when_all_seats_are_forfeited_the_stand_ins_finish_the_match() -> None:
    match = new_match()
    match.begin()
    for seat in (1, 0):
        orders = match.failed(seat, Fault("EXIT", "gone"))
    assert match.over
    assert len(told(orders, End)) == 2
    assert match.ranks() == (1, 1)


def test_a_fault_of_one_seat_leaves_the_others_result_as_against_a_quiet_bot() -> None:
    quiet, broken = new_match(), new_match()
    play_out(quiet, quiet.begin())
    orders = broken.begin()
    orders += broken.failed(1, Fault("EXIT", "gone"))
    while not broken.over:
        ask = next(order for order in asks(orders)[::-1] if order.seat == 0)
        orders = broken.answered(0, broken.seats[0].default, 1000)
        assert ask.seat == 0
    assert broken.game.outcome == quiet.game.outcome  # the stand-in plays the defaults
    assert broken.seats[0].clock.used_us == quiet.seats[0].clock.used_us


def test_the_bank_runs_out_and_costs_the_seat() -> None:
    match = new_match(control=TimeControl(move_ms=100, bank_ms=250))
    orders = match.begin()
    allowances = []
    while not match.over:
        (ask,) = asks(orders)
        if ask.seat == 0:
            allowances.append(ask.allowance_us)
        orders = match.answered(ask.seat, match.seats[ask.seat].default, ask.allowance_us if ask.seat == 0 else 0)
    assert allowances == [100_000, 100_000, 50_000]
    (verdict,) = match.verdicts
    assert verdict.code == "BANK" and verdict.forfeit
    assert verdict.text.startswith("bot0 used up its match time: 0.2 s of thinking over 3 moves")


def test_a_clock_without_a_bank_never_runs_out() -> None:
    clock = Clock(TimeControl(move_ms=10))
    for _ in range(1000):
        clock.charge(10_000)
    assert not clock.bank_is_empty
    assert clock.allowance_us() == 10_000


def test_events_are_sent_to_who_wants_them_each_of_them_once() -> None:
    match = Match(SHEEP, [Entrant("a", wants="events"), Entrant("b", wants="both")], deal=DEAL, salt=SALT)
    requests: dict[int, list[dict[str, object]]] = {0: [], 1: []}
    orders = match.begin()
    while not match.over:
        (ask,) = asks(orders)
        requests[ask.seat].append(msgpack.unpackb(ask.packed))
        orders = match.answered(ask.seat, match.seats[ask.seat].default, 0)
    assert all("view" not in request for request in requests[0])
    assert all("view" in request for request in requests[1])
    for seat in (0, 1):
        sent = list(itertools.chain.from_iterable(request["events"] for request in requests[seat]))
        assert match.game.events is not None
        assert [event[0] for event in sent] == [event[1] for event in match.game.events[: len(sent)]]


@pytest.mark.parametrize("game", GAMES)
def test_e11_no_word_of_one_participant_reaches_another_seat(game: str) -> None:
    """Names, versions and notes are written by strangers: they could be orders to a language model."""
    rules = GAMES[game]
    seats = rules.seats_allowed[-1]
    entrants = [Entrant(f"canary-name-{seat}", f"canary-version-{seat}", wants="both") for seat in range(seats)]
    match = Match(rules, entrants, deal=DEAL, salt=SALT)
    orders = match.begin()
    sent: list[bytes] = []
    while True:
        waiting = []
        for order in orders:
            if isinstance(order, Ask):
                sent.append(order.packed)
                waiting.append(order)
            else:
                sent.append(match.seats[order.seat].codec.encode(order.message))
        if match.over:
            break
        orders = []
        for ask in waiting:
            orders += match.answered(ask.seat, match.seats[ask.seat].default, 1000, f"canary-note-{ask.seat}")
    assert len(sent) > seats and not any(b"canary" in data for data in sent)
