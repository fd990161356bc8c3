"""The transport contract on every registered transport."""

from arena.transports import TRANSPORTS, memory
from tests.contracts.transport_contract import TransportContract
from tests.hostile_bots.transport import memory_acts
from tests.hostile_bots.transport.playing import play


class TestStdio(TransportContract):
    def start(self, hub, owner, act, *arguments):
        return play(hub, owner, act, *arguments)


class TestMemory(TransportContract):
    def start(self, hub, owner, act, *arguments):
        async def bot(stream):
            await getattr(memory_acts, act)(stream, *arguments)

        return memory.start(hub, bot, owner=owner, name=act)


def test_every_transport_is_under_contract():
    assert set(TRANSPORTS) == {"stdio", "memory"}
