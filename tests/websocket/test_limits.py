"""What one connection may do to us, and when it is closed for it: over a real door, beside one that behaves."""

import tracemalloc

import pytest
import trio

from arena.transports import websocket_wire as wires
from arena.transports.link import DOES_NOT_READ
from arena.transports.websocket_frames import FrameReader
from tests.contracts.transport_contract import Recorder
from tests.websocket.doors import open_door
from tests.websocket.peer import BINARY, CONTINUATION, PING, PONG, TEXT, HungUp, masked


async def seated(door, name="anna", **headers):
    """A bot at a table: its end, ours, and who owns ours."""
    peer = await door.come_in(name, **headers)
    owner = Recorder()
    with trio.fail_after(5):
        await door.door.until(lambda: door.door.here(name) is not None)
    link = door.door.guests[name].seat(owner)
    return peer, link, owner


async def closing_of(peer) -> HungUp:
    with trio.fail_after(10):
        try:
            while True:
                await peer.receive()
        except HungUp as hung_up:
            return hung_up


async def test_c12_endless_empty_fragments(tmp_path):
    async with open_door(tmp_path, "anna", "berta") as door:
        flooder, link, owner = await seated(door)
        flooder.answers_pings = False
        other, other_link, other_owner = await seated(door, "berta")
        tracemalloc.start()
        async with trio.open_nursery() as nursery:

            async def flood():
                with trio.move_on_after(10):
                    try:
                        await flooder.raw(masked(TEXT, b"", final=False))
                        while True:
                            await flooder.raw(masked(CONTINUATION, b"", final=False) * 500)
                    except trio.BrokenResourceError:
                        pass

            nursery.start_soon(flood)
            for number in range(20):
                other_link.send(b"%d" % number)
                await other.send(await other.receive())
            assert (await closing_of(flooder)).code == 1008
            nursery.cancel_scope.cancel()
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        ending = await owner.ends(link)
        assert (ending.how, "1000 pieces" in ending.text) == ("garbled", True)
        await other_owner.hears(b"".join(b"%d" % number for number in range(20)))
        assert peak < 1 << 20


async def test_c12_a_message_that_never_ends_is_given_its_time(tmp_path, monkeypatch):
    monkeypatch.setattr(wires, "MESSAGE_S", 0.2)
    async with open_door(tmp_path, "anna") as door:
        peer, link, owner = await seated(door)
        peer.answers_pings = False  # not in the middle of a message
        whole = masked(TEXT, b"whole")
        await peer.raw(whole[:3])
        await trio.sleep(0.1)
        await peer.raw(whole[3:] + masked(TEXT, b"half")[:-1])
        await owner.hears(b"whole")
        assert (await closing_of(peer)).code == 1008
        assert "not finished within" in (await owner.ends(link)).text


@pytest.mark.parametrize(
    ("data", "code", "how"),
    [
        pytest.param(masked(TEXT, bytes(65537)), 1009, "flooded", id="too big"),
        pytest.param(masked(BINARY, b"x"), 1003, "garbled", id="wrong type"),
        pytest.param(masked(TEXT, b"\xff"), 1007, "garbled", id="bad text"),
        pytest.param(masked(TEXT, b"x", reserved=0x40), 1002, "garbled", id="reserved bit"),
        pytest.param(masked(TEXT, b"x", mask=False), 1002, "garbled", id="no mask"),
    ],
)
async def test_c13_a_bad_frame_closes_the_connection_with_its_code(tmp_path, data, code, how):
    async with open_door(tmp_path, "anna") as door:
        peer, link, owner = await seated(door)
        await peer.send(b"good")
        await peer.raw(data)
        hung_up = await closing_of(peer)
        assert hung_up.code == code
        ending = await owner.ends(link)
        assert (ending.how, ending.words) == (how, hung_up.reason)
        assert owner.data == b"good"


@pytest.mark.parametrize("opcode", [PING, PONG])
async def test_c14_more_than_ten_pings_a_second(tmp_path, opcode):
    async with open_door(tmp_path, "anna") as door:
        peer, link, owner = await seated(door)
        await peer.raw(masked(opcode, b"x") * 10)
        link.send(b"still here?")
        with trio.fail_after(5):
            assert await peer.receive() == b"still here?"
        await peer.raw(masked(opcode, b"x") * 11)
        assert (await closing_of(peer)).code == 1008
        assert (await owner.ends(link)).how == "garbled"


async def test_c11_one_who_never_reads_is_cut_off_and_costs_little(tmp_path, monkeypatch):
    monkeypatch.setattr(wires, "SEND_S", 0.3)
    async with open_door(tmp_path, "anna", grace_s=0.1) as door:
        _, link, owner = await seated(door)
        tracemalloc.start()
        while link.cannot_send is None:
            link.send(bytes(1000))
            await trio.sleep(0)
        taken, _ = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        assert link.cannot_send == DOES_NOT_READ
        assert taken < 256 * 1024
        assert (await owner.ends(link)).how == "disconnected"


async def test_c12_one_who_is_thrown_out_is_not_heard_to_the_end(tmp_path, monkeypatch):
    cut: list[int] = []
    feed = FrameReader.feed

    def count(reader, data):
        cut.append(len(data))
        return feed(reader, data)

    monkeypatch.setattr(FrameReader, "feed", count)
    async with open_door(tmp_path, "anna") as door:
        peer = await door.come_in("anna")
        await peer.raw(masked(TEXT, b"{}") * 2000)
        assert (await closing_of(peer)).code == 1008
    assert sum(cut) < 5000
