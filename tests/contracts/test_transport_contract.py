"""The transport contract on every registered transport."""

import sys

from arena.transports import TRANSPORTS, memory, stdio
from tests.contracts.transport_contract import TransportContract
from tests.hostile_bots.transport import acts, memory_acts


class TestStdio(TransportContract):
    def start(self, hub, owner, act, *arguments):
        argv = [sys.executable, "-S", "-E", acts.__file__, act, *arguments]
        return stdio.start(hub, argv, cwd="/", env={}, owner=owner, name=act)


class TestMemory(TransportContract):
    def start(self, hub, owner, act, *arguments):
        async def bot(stream):
            await getattr(memory_acts, act)(stream, *arguments)

        return memory.start(hub, bot, owner=owner, name=act)


def test_every_transport_is_under_contract():
    assert set(TRANSPORTS) == {"stdio", "memory"}
