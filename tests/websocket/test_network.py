"""A network that is slow, lossy, dead or gone, by a proxy between the bots and the door."""

import os
from contextlib import asynccontextmanager

import pytest
import trio

from arena import record
from arena.door import admission
from arena.runner.orders import BlockReport, BlockVoid
from arena.transports import websocket_wire as wires
from arena.transports.websocket import CREDIT_A_MATCH_NS, CREDIT_NS, WebsocketLink
from tests.contracts.transport_contract import Recorder
from tests.websocket.doors import open_door
from tests.websocket.players import block, open_house
from tests.websocket.proxy import Proxy
from tests.websocket.returning import Returning
from tests.websocket.test_house import codes

WAY_S = 0.15 if os.environ.get("ARENA_SOAK") else 0.015
"""One way; row C17 speaks of 300 ms there and back."""


@pytest.fixture(autouse=True)
def unlimited(monkeypatch):
    monkeypatch.setattr(admission, "ENTRANCES", 1 << 30)


async def test_c9_a_half_open_connection_is_found_within_two_pings_and_freed(tmp_path, monkeypatch):
    monkeypatch.setattr(wires, "PING_S", 0.2)
    async with (
        open_door(tmp_path, "anna", "berta", grace_s=0.1, silent_s=0.4) as door,
        trio.open_nursery() as bots,
    ):
        dead, good = Proxy(door.port), Proxy(door.port)
        links = {}
        for name, proxy in (("anna", dead), ("berta", good)):
            await bots.start(proxy.run)
            bots.start_soon(_echo, Returning(proxy.port, door.port, door.secrets[name], name))
            with trio.fail_after(10):
                await door.door.until(lambda name=name: door.door.here(name) is not None)
            links[name] = door.door.guests[name].seat(owner := Recorder())
            await owner.hears(b"hello")
            if name == "anna":
                lost = owner
        dead.swallows = True
        assert (await lost.ends(links["anna"])).text == "lost its connection and did not come back within 0.1 s"
        with trio.fail_after(10):
            while not dead.ended:  # our end of it is closed
                await trio.sleep(0.01)
        assert links["berta"].connected
        bots.cancel_scope.cancel()


async def test_c17_a_match_over_a_slow_and_lossy_network(tmp_path, monkeypatch):
    forgiven = {}

    def note(link):
        forgiven[link.name] = link.credit_ns

    monkeypatch.setattr(WebsocketLink, "renew_credit", note)
    said = []
    async with open_house(tmp_path, "anna", "berta", say=said.append) as house:
        proxy = Proxy(house.port)
        proxy.delay_s, proxy.jitter_s, proxy.lost = WAY_S, WAY_S / 2, 0.05
        await house.nursery.start(proxy.run)
        house.invite("anna", "berta", port=proxy.port)
        (report,) = await house.play(block(1, "ws:anna", "ws:berta"))
    assert not codes(report)
    moves = record.unpack(report.matches[0].record)["moves"]
    for name, count in zip(("anna", "berta"), moves, strict=True):
        least_ns = min(round(2e9 * WAY_S), CREDIT_NS) * (count - 2)  # the first may be asked before it is pinged
        assert min(least_ns, CREDIT_A_MATCH_NS) <= forgiven[name] <= CREDIT_A_MATCH_NS
    (told,) = [text for text in said if text.startswith("anna is ") and "away" in text]
    assert told.endswith("so much of its thinking time is forgiven, up to 100 ms a move and 2 s a match")


async def test_c17_the_clock_starts_later_by_the_way_there_and_back(tmp_path, nursery):
    async with open_door(tmp_path, "anna") as door:
        proxy = Proxy(door.port)
        proxy.delay_s = 0.02
        await nursery.start(proxy.run)
        nursery.start_soon(_echo, Returning(proxy.port, door.port, door.secrets["anna"], "slow"))
        owner = Recorder()
        with trio.fail_after(10):
            await door.door.until(lambda: door.door.here("anna") is not None)
            link = door.door.guests["anna"].seat(owner)
            while not link.round_trip_ns:
                await trio.sleep(0.01)
            before = door.hub.now_ns()
            assert link.send(b"ask")
            late = link.handed_over_ns - before
            await owner.hears(b"helloask")
        assert 40_000_000 <= link.credit_ns <= CREDIT_NS
        assert link.credit_ns <= late
        link.credit_ns = CREDIT_A_MATCH_NS
        link.send(b"ask")
        assert link.handed_over_ns <= door.hub.now_ns(), "nothing is left for this match"
        link.renew_credit()
        link.send(b"ask")
        assert link.handed_over_ns > door.hub.now_ns()
        nursery.cancel_scope.cancel()


def test_c17_a_bot_that_answers_pings_late_gains_no_more_than_its_quickest_answer():
    wire = wires.Wire.__new__(wires.Wire)
    wire._round_trips = wires.deque([90, 30, 5000], maxlen=wires.ROUND_TRIPS)
    assert wire.round_trip_ns == 30


@asynccontextmanager
async def cable_pulled(folder, **terms):
    """What comes of two matches whose bots are cut off together, once, while both tables are thinking."""
    async with open_house(folder, "anna", "berta", "carl", "dora", **terms) as house:
        proxy = Proxy(house.port)
        await house.nursery.start(proxy.run)
        house.invite("anna", "berta", "carl", "dora", port=proxy.port)
        thinking = []

        async def pull_the_cable(line, answers):
            thinking.append(line)
            if len(thinking) == 2:  # at both tables
                proxy.cut_all()
            while len(thinking) < 2:
                await trio.sleep(0.01)

        for player in house.players.values():
            player.spoil = pull_the_cable
        yield house, await house.play(block(1, "ws:anna", "ws:berta"), block(2, "ws:carl", "ws:dora"))


async def test_c18_when_our_own_network_fails_nobody_forfeits(tmp_path):
    async with cable_pulled(tmp_path, grace_s=0.5) as (house, reports):
        assert all(isinstance(report, BlockVoid) for report in reports)
        assert "our network failed: 3 of 4" in reports[0].reason
        reports = await house.play(block(3, "ws:anna", "ws:berta"), block(4, "ws:carl", "ws:dora"))
        assert not any(codes(report) for report in reports)


async def test_c18_bots_of_one_owner_make_no_match_void_by_leaving_together(tmp_path):
    async with cable_pulled(tmp_path, owner="one") as (_, reports):
        assert all(isinstance(report, BlockReport) for report in reports)


async def _echo(bot):
    await bot.send(b"hello")
    try:
        while True:
            await bot.send(await bot.receive())
    finally:
        with trio.CancelScope(shield=True):
            await bot.close()
