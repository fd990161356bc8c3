"""The transport contract on every registered transport."""

from arena.transports import TRANSPORTS, Ending, memory
from arena.transports.websocket_line import StreamLine
from tests.contracts.transport_contract import ProcessContract, Recorder, TransportContract
from tests.hostile_bots.transport import memory_acts, websocket_acts
from tests.hostile_bots.transport.playing import play


class TestStdio(ProcessContract):
    def start(self, hub, owner, act, *arguments):
        return play(hub, owner, act, *arguments)


class TestMemory(ProcessContract):
    def start(self, hub, owner, act, *arguments):
        async def bot(stream):
            await getattr(memory_acts, act)(stream, *arguments)

        return memory.start(hub, bot, owner=owner, name=act)


class TestWebsocket(TransportContract):
    LEFT = Ending("hung up")
    STOPPED = Ending("stopped")
    SILENT = Ending("disconnected", words="did not come back within 0.1 s")

    def start(self, hub, owner, act, *arguments):
        return websocket_acts.play(hub, owner, act, *arguments, grace_s=0.1)


class TestWebsocketOverTls(TestWebsocket):
    """TLS is a stream of trio; what it does to the bytes is of no concern here."""

    def start(self, hub, owner, act, *arguments):
        return websocket_acts.play(hub, owner, act, *arguments, line=StreamLine, grace_s=0.1)

    async def test_what_is_small_is_handed_over_at_once(self, hub):
        """Nearly: a task of its own writes, and says so."""
        owner = Recorder()
        link = self.start(hub, owner, "echo")
        assert not link.send(b"hello")
        await owner.hears(b"hello")
        await owner.until(lambda: owner.handed_over_at)
        assert owner.handed_over_at == [link.handed_over_ns]


def test_every_transport_is_under_contract():
    assert set(TRANSPORTS) == {"stdio", "memory", "websocket"}
