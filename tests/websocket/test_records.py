"""What remote bots say to harm others leaves no trace in a record; and nobody can tell who sits opposite.

The house stands outside time here: no answer is a microsecond slower than another, so that records of the same
match are the same to the last byte.
"""

import json

import pytest
import trio

from arena.door import admission
from tests.websocket.players import block, open_house
from tests.websocket.proxy import UP, Proxy
from tests.websocket.test_house import codes

NAMES = ("anna", "berta", "carl", "dora")
STILL_NS = 1_000_000_000_000
STRIKES = 5


@pytest.fixture(autouse=True)
def unlimited(monkeypatch):
    monkeypatch.setattr(admission, "ENTRANCES", 1 << 30)


def still() -> int:
    return STILL_NS


class Mischief:
    """What anna does before each of her first answers; she has a tap on dora's line, token and all.

    Carl waits for it: the match beside hers is in its middle.
    """

    def __init__(self, house, tap: Proxy) -> None:
        self.house, self.tap = house, tap
        self.done = 0

    async def spoil(self, line, answers) -> None:
        while len(self.asked_of("carl")) < 2:
            await trio.sleep(0.01)
        if self.done < STRIKES - 1:
            await self.act(line, answers)
            self.done += 1

    async def wait(self, line, answers) -> None:
        while len(self.asked_of("carl")) > 1 and self.done < STRIKES - 1:
            await trio.sleep(0.01)

    def asked_of(self, name: str) -> list[str]:
        """The requests that a bot got."""
        messages = map(json.loads, self.house.players[name].heard)
        asks = [message["requests"] for message in messages if message["type"] == "ask"]
        return [request["id"] for requests in asks for request in requests]

    async def act(self, line, answers) -> None:
        """Nothing."""


class Forged(Mischief):
    """Messages that are the arena's alone to send, and an answer to nothing."""

    MESSAGES = (
        {"type": "end", "match": "m-1", "ranks": [1, 2], "scores": [9, 0]},
        {"type": "result", "match": "m-1", "ranks": [1, 2]},
        {"type": "rating", "bot": "anna", "elo": 3000},
        {"type": "answer", "answers": [{"id": "0123456789abcdef", "choice": 0}]},
    )

    async def act(self, line, answers):
        await line.send(json.dumps(self.MESSAGES[self.done]).encode())


class Doubled(Mischief):
    """Every answer twice."""

    async def act(self, line, answers):
        await line.send(json.dumps({"type": "answer", "answers": answers}).encode())


class Foreign(Mischief):
    """Answers to what carl is asked at another table."""

    async def act(self, line, answers):
        theirs = {"id": self.asked_of("carl")[-1], "choice": 0}
        await line.send(json.dumps({"type": "answer", "answers": [theirs]}).encode())


class Replayed(Mischief):
    """All that dora ever sent, once more, from her request to come in to her last answer."""

    async def act(self, line, answers):
        stream = await trio.open_tcp_stream("127.0.0.1", self.house.port)
        async with stream:
            await stream.send_all(bytes(self.captured()))
            with trio.fail_after(10):
                while await stream.receive_some():  # until dora herself is back, and it is dropped
                    pass

    def captured(self) -> bytes:
        head, _, said = bytes(self.tap.seen[UP]).partition(b"\r\n\r\n")
        return head + b"\r\n\r\n" + said.partition(b"GET /")[0]


async def evening(folder, mischief: type[Mischief]):
    """Two matches at once, anna's and one beside it; what she does, she does while the other is played."""
    folder.mkdir()
    async with open_house(folder, *NAMES, now_ns=still) as house:
        tap = Proxy(house.port)
        await house.nursery.start(tap.run)
        house.invite("anna", "berta", "carl")
        house.invite("dora", port=tap.port)
        doing = mischief(house, tap)
        house.players["anna"].spoil, house.players["carl"].spoil = doing.spoil, doing.wait
        reports = await house.play(block(1, "ws:anna", "ws:berta"), block(2, "ws:carl", "ws:dora"))
        assert doing.done == STRIKES - 1
        return reports


@pytest.mark.parametrize("mischief", [Forged, Foreign])
async def test_c6_what_is_forged_costs_whoever_sent_it_and_changes_nothing_else(tmp_path, mischief):
    quiet, undisturbed = await evening(tmp_path / "quiet", Mischief)
    attacked, beside = await evening(tmp_path / "attacked", mischief)
    assert codes(attacked) == [(0, "PROTOCOL")] * 4
    assert not codes(quiet) and not codes(beside)
    assert beside.matches[0].record == undisturbed.matches[0].record


@pytest.mark.parametrize("mischief", [Doubled, Replayed])
async def test_c5_what_was_heard_before_changes_nothing_at_all(tmp_path, mischief):
    undisturbed = await evening(tmp_path / "quiet", Mischief)
    attacked = await evening(tmp_path / "attacked", mischief)
    assert not any(codes(report) for report in (*undisturbed, *attacked))
    assert [report.matches[0].record for report in attacked] == [
        report.matches[0].record for report in undisturbed
    ]


async def test_d21_a_bot_sees_the_same_bytes_whoever_plays_against_it(tmp_path):
    heard = []
    for name in ("anna", "zz-9"):
        folder = tmp_path / name
        folder.mkdir()
        async with open_house(folder, "me", name, now_ns=still) as house:
            house.invite("me", name)
            (report,) = await house.play(block(1, "ws:me", f"ws:{name}"))
            assert not codes(report)
            heard.append(house.players["me"].heard)
    assert heard[0] == heard[1]
    assert len(heard[0]) > 20
