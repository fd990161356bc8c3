"""Remote bots as tasks of this process, and a house for them to play in."""

from __future__ import annotations

import hashlib
import json
import secrets
from contextlib import asynccontextmanager
from dataclasses import replace

import trio

from arena.bots.manifest import find_bot
from arena.bots.remote import remote_bot
from arena.clock import TimeControl
from arena.door.terms import DoorTerms
from arena.runner.house import House
from arena.runner.orders import BlockOrder, Terms
from tests.websocket.peer import HungUp
from tests.websocket.returning import Returning


class Player:
    """Plays the first option, as long as it runs; every answer can be spoilt by `spoil`."""

    def __init__(self, port: int, host_port: int, token: str) -> None:
        self.heard: list[bytes] = []
        self.hung_up: list[int] = []
        self.sittings = 0
        self.spoil = None
        self.thinking_s = 0.0
        self._where = (port, host_port, token)

    async def run(self) -> None:
        while True:
            self.sittings += 1
            line = Returning(*self._where, session=secrets.token_hex(8))
            try:
                await self._sit(line)
            except HungUp as hung_up:
                self.hung_up.append(hung_up.code)
                if hung_up.code not in (1000, 1001, 4410):
                    return
            except OSError:
                await trio.sleep(0.05)
            finally:
                with trio.CancelScope(shield=True):
                    await line.close()

    async def _sit(self, line: Returning) -> None:
        await _say(line, type="hello", protocol=[1], name="player", version="1", games=[], tables=1)
        while True:
            data = await line.receive()
            self.heard.append(data)
            message = json.loads(data)
            if message["type"] == "prepare":
                await _say(line, type="ready")
            elif message["type"] == "ask":
                answers = [{"id": request["id"], "choice": 0} for request in message["requests"]]
                if self.spoil is not None:
                    await self.spoil(line, answers)
                await trio.sleep(self.thinking_s)
                await _say(line, type="answer", answers=answers)


async def _say(line: Returning, **message) -> None:
    await line.send(json.dumps(message).encode())


class OpenHouse:
    """A house with bots at its door."""

    def __init__(self, house: House, secrets: dict[str, str], nursery: trio.Nursery) -> None:
        self.house, self.secrets, self.nursery = house, secrets, nursery
        self.port = house.door.port
        self.players: dict[str, Player] = {}

    def invite(self, *names: str, port: int | None = None) -> None:
        """These come in now."""
        for name in names:
            self.players[name] = player = Player(port or self.port, self.port, self.secrets[name])
            self.nursery.start_soon(player.run)

    async def play(self, *orders: BlockOrder) -> list:
        """What becomes of these blocks, by number."""
        for order in orders:
            await self.house.submit(order)
        found = {}
        with trio.fail_after(240 + len(orders)):
            while len(found) < len(orders):
                report = await self.house.reports.receive()
                found[report.number] = report
        return [found[order.number] for order in orders]


@asynccontextmanager
async def open_house(
    folder,
    *names: str,
    owner: str = "",
    move_ms: int = 5000,
    now_ns=None,
    say=lambda text: None,
    gallery=None,
    **changes,
):
    """With `now_ns` the house has a clock of its own, and may stand outside time."""
    secrets_of = {name: secrets.token_urlsafe() for name in names}
    path = folder / "tokens.toml"
    hashes = {name: hashlib.sha256(secret.encode()).hexdigest() for name, secret in secrets_of.items()}
    path.write_text(
        "".join(
            f'[{name}]\nsha256 = "{sha256}"\ncreated = ""\nowner = "{owner}"\n' for name, sha256 in hashes.items()
        )
    )
    door = replace(DoorTerms(0, token_file=path), **changes)
    house = House(Terms(TimeControl(move_ms), strikes=5), 1, door, say=say)
    if now_ns is not None:
        house.hub.now_ns = now_ns
    house.gallery = gallery
    async with trio.open_nursery() as nursery:
        opened = OpenHouse(house, secrets_of, nursery)
        async with trio.open_nursery() as running:
            await running.start(house.run)
            opened.port = house.door.port
            yield opened
            await house.close()
        nursery.cancel_scope.cancel()


def block(number: int, *seats: str, game: str = "sheepzzz", deal: bytes | None = None) -> BlockOrder:
    """One match; a name with ws: in front is a remote bot."""
    bots = [remote_bot(seat[3:]) if seat.startswith("ws:") else find_bot(seat) for seat in seats]
    row = tuple((bot.name, bot) for bot in bots)
    deal = deal or b"%032d" % number
    return BlockOrder(number, game, {}, (row,), (deal,), (b"salt" + deal[4:],))
