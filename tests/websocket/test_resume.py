"""A connection that breaks is not the end: the same requests again, and nothing lost or doubled."""

import pytest
import trio

from arena.door import admission
from tests.contracts.transport_contract import Recorder
from tests.websocket.doors import open_door
from tests.websocket.peer import TEXT, HungUp, masked
from tests.websocket.proxy import DOWN, UP, Proxy
from tests.websocket.returning import Returning

ASKS = 3


@pytest.fixture
def unlimited(monkeypatch):
    monkeypatch.setattr(admission, "ENTRANCES", 1 << 30)


class Asker:
    """An owner that asks, one thing after the other."""

    def __init__(self) -> None:
        self.heard: list[bytes] = []
        self.endings = []
        self.done = trio.Event()

    def received(self, link, data, now_ns, lag_ns):
        self.heard.append(data)
        if len(self.heard) <= ASKS:
            link.send(b"ask %d" % len(self.heard))
        else:
            self.done.set()

    def handed_over(self, link, now_ns):
        pass

    def lost(self, link, ending):
        self.endings.append(ending)
        self.done.set()


async def converse(door, proxy, session):
    """A conversation of four messages from the bot and three to it, whatever the network does."""
    bot = Returning(proxy.port, door.port, door.secrets["anna"], session)
    owner = Asker()
    heard = []
    with trio.fail_after(20):
        async with trio.open_nursery() as nursery:

            async def play():
                await bot.send(b"hello")
                while True:
                    heard.append(await bot.receive())
                    await bot.send(b"answer %d" % len(heard))

            nursery.start_soon(play)
            await door.door.until(lambda: door.door.here("anna") is not None)
            link = door.door.guests["anna"].seat(owner)
            await owner.done.wait()
            nursery.cancel_scope.cancel()
    link.kill()
    await link.gone.wait()
    await bot.close()
    return owner, heard


async def test_c7_cut_at_every_byte_of_a_conversation(tmp_path, unlimited, nursery):
    async with open_door(tmp_path, "anna") as door:
        proxy = Proxy(door.port)
        await nursery.start(proxy.run)
        await converse(door, proxy, "whole")
        sizes = {way: len(bytes_) for way, bytes_ in proxy.seen.items()}
        heads = {way: proxy.seen[way].index(b"\r\n\r\n") + 4 for way in (UP, DOWN)}
        for way in (UP, DOWN):
            places = [*range(1, heads[way], 29), *range(heads[way], sizes[way] + 1)]
            for place in places:
                proxy.cut = (way, place)
                owner, heard = await converse(door, proxy, f"{way[0]}{place}")
                assert owner.heard == [b"hello", *(b"answer %d" % (n + 1) for n in range(ASKS))], (way, place)
                assert heard[:ASKS] == [b"ask %d" % (n + 1) for n in range(ASKS)], (way, place)
                assert [ending.how for ending in owner.endings] == ["stopped"], "by us, at the end"
        assert proxy.cuts > 80
        nursery.cancel_scope.cancel()


async def test_c7_who_does_not_come_back_in_time_is_lost(tmp_path):
    async with open_door(tmp_path, "anna", grace_s=0.1) as door:
        peer = await door.come_in("anna", "?session=s")
        owner = Recorder()
        await door.door.until(lambda: door.door.here("anna") is not None)
        link = door.door.guests["anna"].seat(owner)
        await trio.aclose_forcefully(peer.stream)
        assert (await owner.ends(link)).text == "lost its connection and did not come back within 0.1 s"
        late = await door.come_in("anna", "?session=s&got=1&begins=1")
        with pytest.raises(HungUp) as told:
            await late.receive()
        assert told.value.code == 4410


async def test_c7_who_says_it_is_going_away_may_come_back(tmp_path):
    """A browser says so when its page is loaded again."""
    async with open_door(tmp_path, "anna") as door:
        peer = await door.come_in("anna", "?session=one")
        owner = Recorder()
        await door.door.until(lambda: door.door.here("anna") is not None)
        link = door.door.guests["anna"].seat(owner)
        link.send(b"ask")
        assert await peer.receive() == b"ask"
        await peer.close(1001)
        with trio.fail_after(5):
            while link.connected:
                await trio.sleep(0.005)
        again = await door.come_in("anna", "?session=one")
        assert await again.receive() == b"ask" and link.alive


async def test_c7_only_the_same_process_goes_on(tmp_path):
    """Another one knows nothing of the match; it starts anew, and the one it replaces is lost."""
    async with open_door(tmp_path, "anna", grace_s=30) as door:
        peer = await door.come_in("anna", "?session=one")
        owner = Recorder()
        await door.door.until(lambda: door.door.here("anna") is not None)
        link = door.door.guests["anna"].seat(owner)
        await trio.aclose_forcefully(peer.stream)
        with trio.fail_after(5):
            while link.connected:
                await trio.sleep(0.005)
        await door.come_in("anna", "?session=two")
        assert (await owner.ends(link)).text == "lost its connection and came back as another process"


async def test_c7_one_that_missed_too_much_starts_anew(tmp_path):
    async with open_door(tmp_path, "anna") as door:
        await door.come_in("anna", "?session=one")
        owner = Recorder()
        await door.door.until(lambda: door.door.here("anna") is not None)
        link = door.door.guests["anna"].seat(owner)
        for _ in range(40):
            link.send(bytes(2000))
        for wrong in ("got=41", "got=3", "got=40&begins=1"):
            again = await door.come_in("anna", f"?session=one&{wrong}")
            with pytest.raises(HungUp) as told:
                await again.receive()
            assert told.value.code == 4410
        again = await door.come_in("anna", "?session=one&got=39")
        assert await again.receive() == bytes(2000)


async def test_c5_a_captured_frame_sent_again_changes_nothing_on_the_way_back(tmp_path, unlimited, nursery):
    """Whoever repeats the frames of a conversation needs the token, and then is heard once."""
    async with open_door(tmp_path, "anna") as door:
        first = await door.come_in("anna", "?session=one")
        owner = Recorder()
        await door.door.until(lambda: door.door.here("anna") is not None)
        link = door.door.guests["anna"].seat(owner)
        captured = masked(TEXT, b"answer 1")
        await first.raw(captured)
        await owner.hears(b"answer 1")
        replayed = await door.come_in("anna", "?session=one")
        await replayed.raw(captured + masked(TEXT, b"answer 2"))
        await owner.hears(b"answer 1answer 2")
        assert link.got == 2
