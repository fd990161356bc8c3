"""A process at several tables gets what is due in one turn in one message; nobody waits or pays for that."""

from __future__ import annotations

import json
from typing import Any

import pytest
import trio
from trio.testing import MockClock

from arena import record
from arena.bots.holding import HANDFUL, HANDFUL_BYTES, Asked, in_handfuls
from arena.bots.live import LiveBot
from arena.clock import TimeControl
from arena.match import Ask, Entrant, Match
from arena.verdicts import Fault
from tests.arena.memory_bots import Room, Talk, memory_bot
from tests.arena.zoo import GAME, ONE_ROUND, fixture

MANY, OTHER = memory_bot("many"), memory_bot("other")
MS = 1_000_000


async def answers_together(talk: Talk) -> None:
    """Waits for a moment, and answers whatever has been asked by then in one message."""
    await talk.enter()
    while (message := await talk.message()) is not None:
        if message["type"] == "ask":
            answers = [{"id": asked["id"], "choice": 0} for asked in message["requests"]]
            await trio.sleep(0.001)
            await talk.say({"type": "answer", "answers": answers})


def asks_heard(room: Room, name: str) -> list[int]:
    return [len(asked["requests"]) for talk in room.talks[name] for asked in talk.told("ask")]


async def test_requests_due_in_one_turn_travel_together(autojump_clock: MockClock) -> None:
    room = Room(players={"many": [answers_together], "other": [answers_together]}, at_once=4, capacity=4)
    matches = await room.play(*[fixture(MANY, OTHER, deal=deal) for deal in range(4)])
    asks = asks_heard(room, "many")
    assert len(room.live["many"]) == 1
    assert max(asks) > 1, "they came together"
    assert sum(asks) == sum(match.seats[0].moves for match in matches)
    assert not any(match.verdicts for match in matches)


async def test_with_one_table_every_message_holds_one_request(autojump_clock: MockClock) -> None:
    room = Room(players={"many": [answers_together], "other": [answers_together]}, at_once=4)
    await room.play(*[fixture(MANY, OTHER, deal=deal) for deal in range(4)])
    assert set(asks_heard(room, "many")) == {1}


async def test_matches_are_the_same_however_their_requests_travel(autojump_clock: MockClock) -> None:
    """Choices, times and the transcript of each seat."""
    played = []
    for capacity in (1, 4):
        room = Room(at_once=4, capacity=capacity)
        matches = await room.play(*[fixture(MANY, OTHER, deal=deal) for deal in range(4)])
        played.append({match.deal: record.document_of(match, "none") for match in matches})
    assert played[0] == played[1]


async def test_a_bot_hears_that_it_is_asked_before_it_hears_what_was_played_for_it(
    autojump_clock: MockClock,
) -> None:
    """Even when its mistake lies in the pipe behind the answer that made it be asked again."""

    async def stammers(talk: Talk) -> None:
        await talk.enter()
        while request := await talk.request():
            line = json.dumps({"type": "answer", "answers": [{"id": request["id"], "choice": 0}]})
            await talk.stream.send(f"{line}\nand so on\n".encode())

    room = Room(players={"many": [stammers]}, strikes=100)
    await room.play(*[fixture(MANY, OTHER, deal=deal) for deal in range(4)])
    asked = set()
    forced = 0
    for message in room.talks["many"][0].heard:
        asked |= {request["id"] for request in message.get("requests", [])}
        if message["type"] == "forced":
            forced += 1
            assert message["id"] in asked
    assert forced, "it was asked twice in a row at least once"


# --- Hand-over, step by step ---------------------------------------------------------------------------


class Pipe:
    """A link that keeps what is sent, and says when it was."""

    def __init__(self) -> None:
        self.sent: list[dict[str, Any]] = []
        self.now_ns = 0

    @property
    def handed_over_ns(self) -> int:
        return self.now_ns

    def send(self, data: bytes) -> bool:
        self.sent.append(json.loads(data))
        return True


class Listener:
    """A bench that only listens."""

    def __init__(self) -> None:
        self.due: list[LiveBot] = []
        self.answered: list[int] = []

    def now_ns(self) -> int:
        return 0

    def bot_is_due(self, bot: LiveBot) -> None:
        self.due.append(bot)

    def bot_answered(self, match: Match, seat: int, choice: int, elapsed_us: int, note: str) -> None:
        self.answered.append(elapsed_us)

    def bot_failed(self, match: Match, seat: int, fault: Fault, elapsed_us: int) -> None: ...

    def bot_is_ready(self, bot: LiveBot) -> None: ...

    def bot_is_gone(self, bot: LiveBot) -> None: ...


@pytest.fixture
def seated() -> tuple[LiveBot, Listener, Pipe, list[tuple[Match, Ask]]]:
    """A bot at two tables where it is asked."""
    bench, pipe = Listener(), Pipe()
    live = LiveBot(MANY, GAME.name, {}, TimeControl(), bench, seed="")
    live.capacity = 2
    live.link = pipe  # type: ignore[assignment]
    for word in ('{"type":"hello","protocol":[1],"name":"t","tables":2}', '{"type":"ready"}'):
        live.received(pipe, f"{word}\n".encode(), 0, 0)  # type: ignore[arg-type]
    asks = []
    for deal in range(2):
        entrants = [Entrant("many", encoding="json")] * 2
        match = Match(GAME, entrants, deal=bytes([deal] * 32), salt=bytes([deal] * 32), variant=ONE_ROUND)
        (ask,) = [order for order in match.begin() if isinstance(order, Ask)]
        live.reserve(match.deal)
        live.seat(match, ask.seat)
        asks.append((match, ask))
    pipe.sent.clear()
    return live, bench, pipe, asks


def test_the_clock_starts_when_the_requests_are_handed_over(seated: Any) -> None:
    live, bench, pipe, asks = seated
    for match, ask in asks:
        live.ask(match, ask, 0)
    assert pipe.sent == [] and bench.due == [live]
    pipe.now_ns = 5 * MS
    live.hand_over(5 * MS)
    (sent,) = pipe.sent
    assert [asked["id"] for asked in sent["requests"]] == [ask.id for _, ask in asks]
    line = json.dumps({"type": "answer", "answers": [{"id": ask.id, "choice": 0} for _, ask in asks]})
    live.received(pipe, f"{line}\n".encode(), 7 * MS, 0)
    assert bench.answered == [2_000, 2_000]


def test_what_is_settled_before_it_was_handed_over_is_not_sent(seated: Any) -> None:
    live, _, pipe, asks = seated
    for match, ask in asks:
        live.ask(match, ask, 0)
    live.leave(asks[0][0])
    live.hand_over(0)
    (sent,) = pipe.sent
    assert [asked["id"] for asked in sent["requests"]] == [asks[1][1].id]


def test_who_is_dismissed_before_the_turn_ends_hears_no_request(seated: Any) -> None:
    live, _, pipe, asks = seated
    live.ask(*asks[0], 0)
    pipe.stop = lambda: None
    live.dismiss()
    live.hand_over(0)
    assert [message["type"] for message in pipe.sent] == ["bye"]


@pytest.mark.parametrize(
    ("sizes", "handfuls"),
    [
        ([], []),
        ([10], [1]),
        ([10] * 3, [3]),
        ([10] * (HANDFUL + 1), [HANDFUL, 1]),
        ([HANDFUL_BYTES, 1], [1, 1]),
        ([HANDFUL_BYTES // 2] * 5, [2, 2, 1]),
        ([2 * HANDFUL_BYTES, 2 * HANDFUL_BYTES], [1, 1]),
    ],
)
def test_a_message_is_not_longer_than_a_pipe_takes(sizes: list[int], handfuls: list[int]) -> None:
    match = Match(GAME, [Entrant("many")] * 2, deal=bytes(32), salt=bytes(32))
    due = [Asked(match, Ask(0, "", bytes(size), 0), 0) for size in sizes]
    assert [len(together) for together in in_handfuls(due)] == handfuls
    assert [asked for together in in_handfuls(due) for asked in together] == due


def test_a14_what_is_due_waits_while_the_bot_has_yet_to_read(seated: Any) -> None:
    """A link refuses what piles up; a bot at many tables is sent more in one turn than a pipe takes."""
    live, _, pipe, asks = seated

    class Clogged(Pipe):
        handed_over_ns, unsent, cannot_send = None, HANDFUL_BYTES + 1, None

    live.link = clogged = Clogged()
    for match, ask in asks:
        live.ask(match, ask, 0)
    live.hand_over(0)
    assert clogged.sent == []
    live.link = pipe  # it has read
    live.handed_over(pipe, 0)
    (sent,) = pipe.sent
    assert [asked["id"] for asked in sent["requests"]] == [ask.id for _, ask in asks]
