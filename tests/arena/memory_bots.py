"""Bots as coroutines under a mocked clock: what they do, and when, is exact to the microsecond."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

import trio

from arena import record
from arena.bots.live import LiveBot
from arena.bots.manifest import Bot
from arena.clock import TimeControl
from arena.match import Match
from arena.referee import Fixture, Referee
from arena.transports import Hub, Link, Owner, memory, trio_now_ns
from tests.arena.zoo import program

MOVE_MS = 100
CONTROL = TimeControl(move_ms=MOVE_MS, start_ms=1_000, prepare_ms=1_000)

Message = dict[str, Any]


class Talk:
    """A conversation with the arena in JSON lines; keeps all it was told."""

    def __init__(self, stream: memory.Stream) -> None:
        self.stream = stream
        self.heard: list[Message] = []
        self._lines: list[Message] = []
        self._requests: list[Message] = []
        self._rest = b""

    async def say(self, message: object) -> None:
        await self.stream.send(json.dumps(message).encode() + b"\n")

    async def answer(self, request: Message, choice: int = 0) -> None:
        await self.say({"type": "answer", "answers": [{"id": request["id"], "choice": choice}]})

    async def message(self) -> Message | None:
        """The next message; None when the arena has hung up."""
        while not self._lines:
            data = await self.stream.receive()
            if not data:
                return None
            *lines, self._rest = (self._rest + data).split(b"\n")
            self._lines += [json.loads(line) for line in lines]
        self.heard.append(self._lines.pop(0))
        return self.heard[-1]

    async def enter(self) -> None:
        """Say hello and ready."""
        await self.say({"type": "hello", "protocol": [1], "name": "memory", "tables": 1024})
        while (message := await self.message()) and message["type"] != "prepare":
            pass
        await self.say({"type": "ready"})

    async def request(self) -> Message | None:
        """The next thing to decide."""
        while not self._requests:
            message = await self.message()
            if message is None:
                return None
            self._requests += message.get("requests", [])
        return self._requests.pop(0)

    def told(self, kind: str) -> list[Message]:
        return [message for message in self.heard if message["type"] == kind]


Player = Callable[[Talk], Awaitable[None]]


async def quiet(talk: Talk) -> None:
    """The default, at once."""
    await talk.enter()
    while request := await talk.request():
        await talk.answer(request)


def memory_bot(name: str) -> Bot:
    return program(name, "in this process")


QUIET = memory_bot("quiet")


@dataclass
class Room:
    """A referee whose bots are coroutines: `players` by name, one after the other for each new process."""

    players: dict[str, list[Player]] = field(default_factory=dict)
    control: TimeControl = CONTROL
    strikes: int = 3
    at_once: int = 1
    capacity: int = 1
    tap: Callable[[Hub], None] = lambda hub: None

    def __post_init__(self) -> None:
        self.matches: list[Match] = []
        self.talks: dict[str, list[Talk]] = {}
        self.live: dict[str, list[LiveBot]] = {}

    async def play(self, *fixtures: Fixture) -> list[Match]:
        """Play them; every record must hold."""
        hub = Hub(now_ns=trio_now_ns)
        self.referee = Referee(hub, self._start(hub), self._finished, self.control, self.strikes, self.at_once)
        async with trio.open_nursery() as nursery:
            await nursery.start(hub.run)
            self.tap(hub)
            with trio.fail_after(600):
                await self.referee.run(iter(fixtures))
            nursery.cancel_scope.cancel()
        for match in self.matches:
            assert record.differences(record.document_of(match, sandbox="none")) == ""
        return self.matches

    def _start(self, hub: Hub) -> Callable[[Bot, Owner], Link]:
        def starter(bot: Bot, owner: Owner) -> Link:
            assert isinstance(owner, LiveBot)
            owner.capacity = self.capacity
            lives = self.live.setdefault(bot.name, [])
            lives.append(owner)
            players = self.players.get(bot.name, [quiet])
            player = players[min(len(lives), len(players)) - 1]

            async def run(stream: memory.Stream) -> None:
                talk = Talk(stream)
                self.talks.setdefault(bot.name, []).append(talk)
                await player(talk)

            return memory.start(hub, run, owner=owner, name=bot.name)

        return starter

    def _finished(self, match: Match, fixture: Fixture, bots: list[LiveBot]) -> None:
        self.matches.append(match)


def texts(match: Match) -> list[str]:
    return [verdict.text for verdict in match.verdicts]


def codes(match: Match) -> list[str]:
    return [verdict.code for verdict in match.verdicts]
