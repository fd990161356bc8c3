"""One process at several tables, or at one after the other; answers to what was never asked: A7, A8, A32."""

from __future__ import annotations

import itertools
import os
import random
from collections.abc import Iterator

import pytest
import trio
from trio.testing import MockClock

from arena.bots.holding import Asked
from arena.bots.live import LiveBot
from arena.clock import TimeControl
from arena.match import Ask, Entrant, Match
from arena.verdicts import Fault
from tests.arena.memory_bots import QUIET, Message, Player, Room, Talk, codes, memory_bot, quiet, texts
from tests.arena.zoo import GAME, ONE_ROUND, fixture

TIGER = memory_bot("tiger")
MANY, OTHER = memory_bot("many"), memory_bot("other")
GUESSES = 1_000_000
PUT_TO_THE_TEST = 100_000 * int(os.environ.get("ARENA_SOAK", "1"))


def spoils_its_first_match(spoil: str) -> Player:
    """Plays well at every table but the first it was seated at."""

    async def tiger(talk: Talk) -> None:
        await talk.enter()
        while request := await talk.request():
            if request["match"] != talk.told("start")[0]["match"]:
                await talk.answer(request)
            elif spoil == "illegal":
                await talk.answer(request, -1)
            elif spoil == "twice":
                for _ in range(50):
                    await talk.answer(request)

    return tiger


@pytest.mark.parametrize(("spoil", "code"), [("silent", "IDLE"), ("illegal", "ILLEGAL"), ("twice", "PROTOCOL")])
async def test_a_bot_that_fails_at_one_table_keeps_its_others(
    spoil: str, code: str, autojump_clock: MockClock
) -> None:
    room = Room(players={"tiger": [spoils_its_first_match(spoil)]}, capacity=3, at_once=3)
    await room.play(*(fixture(TIGER, QUIET, deal=deal) for deal in range(3)))
    spoilt = next(match for match in room.matches if match.verdicts)
    assert codes(spoilt) == [code] * 3
    assert spoilt.seats[0].forfeited and spoilt.ranks() == (2, 1)
    assert all(match.verdicts == [] for match in room.matches if match is not spoilt)
    (live,) = room.live["tiger"]
    assert live.soured and live.idle and live.gone
    assert live.link is not None and not live.link.alive


async def test_a_process_that_lost_a_seat_goes_with_its_last_table(autojump_clock: MockClock) -> None:
    """It is not kept until the whole series is over."""
    gone: list[bool] = []

    async def slow(talk: Talk) -> None:
        await talk.enter()
        while request := await talk.request():
            gone.append(room.live["tiger"][0].gone is not None)
            await talk.answer(request)

    room = Room(players={"tiger": [spoils_its_first_match("illegal")], "slow": [slow]}, capacity=2, at_once=2)
    tigers = [fixture(TIGER, QUIET, deal=deal) for deal in range(2)]
    await room.play(
        *tigers, fixture(memory_bot("slow"), QUIET, deal=2), fixture(memory_bot("slow"), QUIET, deal=3)
    )
    assert gone and gone[-1]


async def test_a_process_that_lost_a_seat_is_not_seated_again(autojump_clock: MockClock) -> None:
    room = Room(players={"tiger": [spoils_its_first_match("illegal")]})
    first, second = await room.play(fixture(TIGER, QUIET), fixture(TIGER, QUIET, deal=1))
    assert codes(first) == codes(second) == ["ILLEGAL"] * 3
    assert len(room.live["tiger"]) == 2 and len(room.live["quiet"]) == 1


async def test_a_crash_at_several_tables_is_charged_at_each(autojump_clock: MockClock) -> None:
    async def tiger(talk: Talk) -> None:
        await talk.enter()
        await talk.request()
        raise RuntimeError("my deck is on fire")

    room = Room(players={"tiger": [tiger]}, capacity=2, at_once=2)
    for match in await room.play(*(fixture(TIGER, QUIET, deal=deal) for deal in range(2))):
        assert codes(match) == ["EXIT"]
        assert 'Last stderr line: "RuntimeError: my deck is on fire"' in texts(match)[0]
        assert match.ranks() == (2, 1)


# --- One match after the other ---------------------------------------------------------------------


async def plays_one_match(talk: Talk) -> None:
    await talk.enter()
    while (message := await talk.message()) and message["type"] != "end":
        for request in message.get("requests", []):
            await talk.answer(request)


async def ready_and_gone(talk: Talk) -> None:
    await talk.enter()


async def never_enters(talk: Talk) -> None:
    await trio.sleep_forever()


async def test_a32_a_process_that_ends_with_its_match_has_a_successor_which_is_told_the_same(
    autojump_clock: MockClock,
) -> None:
    room = Room(players={"tiger": [plays_one_match]})
    for match in await room.play(*(fixture(QUIET, TIGER, deal=deal) for deal in range(5))):
        assert match.verdicts == []
    starts = [message for talk in room.talks["tiger"] for message in talk.told("start")]
    assert len({start["match"] for start in starts}) == 5
    assert all(start["seat"] == 1 for start in starts)


@pytest.mark.parametrize(("successor", "code"), [(ready_and_gone, "EXIT"), (never_enters, "START")])
async def test_a32_a_successor_that_fails_as_well_is_charged(
    successor: Player, code: str, autojump_clock: MockClock
) -> None:
    """A second life is for a process that had served; one that never did is the bot's own fault."""
    room = Room(players={"tiger": [plays_one_match, successor]})
    first, second = await room.play(fixture(TIGER, QUIET), fixture(TIGER, QUIET, deal=1))
    assert first.verdicts == []
    assert codes(second) == [code] and second.ranks() == (2, 1)
    assert room.referee.restarts <= 3


async def test_a7_a_doubled_answer_to_the_last_match_is_nothing_to_the_next(autojump_clock: MockClock) -> None:
    async def tiger(talk: Talk) -> None:
        await talk.enter()
        last: Message = {}
        while message := await talk.message():
            if message["type"] == "start" and last:
                for _ in range(256):
                    await talk.answer(last)
            for last in message.get("requests", []):
                await talk.answer(last)

    room = Room(players={"tiger": [tiger]})
    for match in await room.play(*(fixture(QUIET, TIGER, deal=deal) for deal in range(3))):
        assert match.verdicts == []


async def test_a7_answers_to_past_matches_without_end_are_charged_to_the_present_one(
    autojump_clock: MockClock,
) -> None:
    async def tiger(talk: Talk) -> None:
        await talk.enter()
        last: Message = {}
        while message := await talk.message():
            if message["type"] == "start" and last:
                for _ in range(3 * 257):
                    await talk.answer(last)
            for last in message.get("requests", []):
                await talk.answer(last)

    first, second = await Room(players={"tiger": [tiger]}).play(
        fixture(QUIET, TIGER), fixture(QUIET, TIGER, deal=1)
    )
    assert first.verdicts == []
    assert codes(second) == ["PROTOCOL"] * 3 and second.seats[1].forfeited


async def test_a8_who_chatters_between_matches_is_replaced_and_nobody_pays(autojump_clock: MockClock) -> None:
    """There is no table to charge, but there is an end to listening."""

    async def tiger(talk: Talk) -> None:
        await plays_one_match(talk)
        for _ in range(1_000):
            await talk.say("I won! I won!")
        await trio.sleep_forever()

    slow = memory_bot("slow")

    async def late_starter(talk: Talk) -> None:
        await trio.sleep(0.5)
        await quiet(talk)

    room = Room(players={"tiger": [tiger, quiet], "slow": [late_starter]})
    first, second = await room.play(fixture(QUIET, TIGER), fixture(slow, TIGER, deal=1))
    assert first.verdicts == [] and second.verdicts == []
    assert len(room.live["tiger"]) == 2
    assert len(room.talks["tiger"][0].told("error")) < 1_000


# --- Guessing --------------------------------------------------------------------------------------


class Deaf:
    """A link that carries nothing."""

    handed_over_ns = 0

    def send(self, data: bytes) -> bool:
        return True


class Lenient:
    """A bench that never punishes: the request stays open, so that the guessing can go on."""

    live: LiveBot
    asked: Asked
    hits = misses = 0

    def bot_answered(self, match: Match, seat: int, choice: int, elapsed_us: int, note: str) -> None:
        self.hits += 1

    def bot_failed(self, match: Match, seat: int, fault: Fault, elapsed_us: int) -> None:
        self.misses += 1
        self.live._asked[self.asked.order.id] = self.asked

    def bot_is_ready(self, bot: LiveBot) -> None: ...

    def bot_is_due(self, bot: LiveBot) -> None: ...

    def bot_is_gone(self, bot: LiveBot) -> None: ...


def guesses(seen: list[str], count: int) -> Iterator[str]:
    """Neighbours of what was seen before, then whatever comes to mind."""
    for id in seen:
        number = int(id, 16)
        for change in (*range(-50, 51), *(1 << bit for bit in range(64))):
            for guess in (number + change, number ^ change):
                yield f"{guess % 2**64:016x}"
    chance = random.Random("a8")
    for _ in range(count):
        yield f"{chance.getrandbits(64):016x}"


def test_a8_a_million_guesses_never_hit_an_open_request(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not even when a bot knows the ids of its requests so far."""
    monkeypatch.setattr("arena.bots.live.quoted", str)  # the verdicts' words would take most of the time
    bench = Lenient()
    live = bench.live = LiveBot(TIGER, GAME.name, {}, TimeControl(), bench, seed="")
    link = live.link = Deaf()  # type: ignore[assignment]
    for word in ('{"type":"hello","protocol":[1],"name":"t"}', '{"type":"ready"}'):
        live.received(link, f"{word}\n".encode(), 0, 0)
    seen = open_a_request(live)
    (bench.asked,) = live._asked.values()
    line = '{"type":"answer","answers":[{"id":"%s","choice":0}]}\n'
    # Looked up as the live bot does it, all of them; and a part of them said aloud, with all that follows.
    assert not any(guess in live._asked for guess in guesses(seen, GUESSES))
    supply = guesses(seen, PUT_TO_THE_TEST)
    while batch := [line % guess for guess in itertools.islice(supply, 500)]:
        live.received(link, "".join(batch).encode(), 0, 0)
    assert bench.hits == 0 and bench.misses > PUT_TO_THE_TEST
    live.received(link, (line % bench.asked.order.id).encode(), 0, 0)
    assert bench.hits == 1


def open_a_request(live: LiveBot) -> list[str]:
    """Seat it at a match that has gone on for a while; the ids it has seen there."""
    entrants = [Entrant("tiger", encoding="json")] * 2
    match = Match(GAME, entrants, deal=bytes(32), salt=bytes(32), variant=ONE_ROUND)
    live.reserve(match.deal)
    live.seat(match, 0)
    orders, seen = match.begin(), []
    while True:
        (ask,) = [order for order in orders if isinstance(order, Ask)]
        if ask.seat == 0 and len(seen) > 8:
            live.ask(match, ask, 0)
            live.hand_over(0)
            return seen
        seen.append(ask.id)
        orders = match.answered(ask.seat, 0, 0)


async def test_a4_a_late_answer_is_known_however_many_matches_ended_meanwhile(autojump_clock: MockClock) -> None:
    """The last answer of one match comes late; at its other tables the bot has played on."""
    (alone,) = await Room().play(fixture(MANY, OTHER))
    last = alone.seats[0].moves

    async def late_once(talk: Talk) -> None:
        await talk.enter()

        async def decide(asked: Message) -> None:
            late = asked["match"] == alone.id and asked["move"] == last
            await trio.sleep(0.5 if late else 0.001)
            await talk.answer(asked, asked["default"])

        async with trio.open_nursery() as nursery:
            while (message := await talk.message()) is not None:
                for asked in message.get("requests", []):
                    nursery.start_soon(decide, asked)

    room = Room(players={"many": [late_once]}, at_once=8, capacity=8)
    matches = await room.play(*[fixture(MANY, OTHER, deal=deal) for deal in range(400)])
    assert [codes(match) for match in matches if match.verdicts] == [["IDLE"]]


async def test_b_mistakes_between_good_answers_are_not_in_a_row(autojump_clock: MockClock) -> None:
    """One in every match, and a good answer to everything else."""

    async def stammers(talk: Talk) -> None:
        await talk.enter()
        while asked := await talk.request():
            if asked["move"] == 1:
                await talk.say("let me see")
            else:
                line = f'{{"type":"answer","answers":[{{"id":"{asked["id"]}","choice":{asked["default"]}}}]}}'
                await talk.stream.send(line.encode() + b"\n")

    room = Room(players={"many": [stammers]})
    matches = await room.play(*[fixture(MANY, OTHER, deal=deal) for deal in range(70)])
    assert {tuple(codes(match)) for match in matches} == {("PROTOCOL",)}
    assert not any(match.seats[0].forfeited for match in matches)
