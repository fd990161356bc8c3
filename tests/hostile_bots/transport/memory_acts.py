"""The acts of `acts.py` that make sense without a process, by a coroutine."""

import signal

import trio

from arena.transports.memory import Died
from tests.hostile_bots.transport.acts import SAMPLE


async def echo(stream):
    while data := await stream.receive():
        await stream.send(data)


async def echo_once(stream):
    await stream.send(await stream.receive())


async def count(stream, n):
    for i in range(int(n)):
        await stream.send(b"%d\n" % i)


async def drip(stream):
    for i in range(len(SAMPLE)):
        await stream.send(SAMPLE[i : i + 1])


async def cut(stream, n):
    if int(n):
        await stream.send(SAMPLE[: int(n)])


async def measure(stream, n):
    data = b""
    while len(data) < int(n):
        data += await stream.receive(4096)
    kept = all(data[i] == i % 251 for i in range(0, len(data), 97))
    await stream.send(b"%d %d" % (len(data), kept))


async def deaf(stream):
    await stream.send(b"here")
    await trio.sleep_forever()


async def ignore_the_end(stream):
    await deaf(stream)


async def close_input(stream):
    stream.close_input()
    await stream.send(b"closed")
    await trio.sleep_forever()


async def close_output(stream):
    await stream.send(b"last")
    stream.close_output()
    await trio.sleep_forever()


async def leave(stream, code):
    raise SystemExit(int(code))


async def crash(stream, name):
    await stream.send(b"last")
    raise Died(signal.Signals[name])


async def complain(stream, n):
    stream.log(b"last words")
    await stream.send(b"done")
    await echo(stream)
