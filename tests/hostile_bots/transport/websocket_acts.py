"""The acts of `acts.py` that make sense over a websocket, by a client in this process."""

import socket

import trio

from arena.transports import websocket
from arena.transports.websocket_line import SocketLine, StreamLine
from tests.hostile_bots.transport.acts import SAMPLE
from tests.websocket.peer import HungUp, Peer

PIECE = 32 * 1024


def play(hub, owner, act, *arguments, line=SocketLine, grace_s=0.05):
    """A link to a client that performs this act at the other end of a socket pair."""
    ours, theirs = socket.socketpair()
    theirs = trio.socket.from_stdlib_socket(theirs)

    async def bot():
        peer = Peer(trio.SocketStream(theirs))
        try:
            await globals()[act](peer, *arguments)
            await peer.close()
        except (HungUp, trio.BrokenResourceError, trio.ClosedResourceError):
            pass
        finally:
            theirs.close()

    hub.spawn(bot)
    if line is StreamLine:
        opened = StreamLine(hub, trio.SocketStream(trio.socket.from_stdlib_socket(ours)))
    else:
        opened = SocketLine(hub, ours)
    return websocket.start(hub, opened, owner=owner, name=act, grace_s=grace_s)


async def echo(peer):
    while True:
        data = await peer.receive()
        for at in range(0, len(data), PIECE):
            await peer.send(data[at : at + PIECE])


async def echo_once(peer):
    await peer.send(await peer.receive(most=PIECE))


async def count(peer, n):
    for i in range(int(n)):
        await peer.send(b"%d\n" % i)


async def drip(peer):
    for i in range(len(SAMPLE)):
        await peer.send(SAMPLE[i : i + 1])


async def cut(peer, n):
    if int(n):
        await peer.send(SAMPLE[: int(n)])


async def measure(peer, n):
    data = b""
    while len(data) < int(n):
        data += await peer.receive()
    kept = all(data[i] == i % 251 for i in range(0, len(data), 97))
    await peer.send(b"%d %d" % (len(data), kept))
    await peer.receive()  # it stays: who leaves at once may be gone before the arena knows that all was taken


async def deaf(peer):
    await peer.send(b"here")
    await trio.sleep_forever()


async def ignore_the_end(peer):
    await deaf(peer)


async def close_output(peer):
    """Without a word, as a broken cable does."""
    await peer.send(b"last")
    await peer.stream.send_eof()
    await trio.sleep_forever()
