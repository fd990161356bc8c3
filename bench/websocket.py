"""CPU time the arena spends on one decision of a remote bot, beside a bare echo server of trio-websocket.

A client in a process of its own sends messages of the size of an answer over a few connections and waits for what
comes back; only the server's CPU time counts.  P7: no more than 1.3 times the echo.
"""

from __future__ import annotations

import base64
import os
import selectors
import socket
import struct
import sys
import tempfile
import time
from pathlib import Path

import trio
from trio_websocket import ConnectionClosed, WebSocketRequest, serve_websocket

from arena.door.door import Door
from arena.door.terms import DoorTerms
from arena.door.tokens import Tokens
from arena.transports import Hub
from bench.goals import tell

CONNECTIONS = 10
MESSAGES = 20_000
SIZE = 60
ROUNDS = 3


# --- The client ----------------------------------------------------------------------------------------


def upgraded(port: int, token: str) -> socket.socket:
    line = socket.create_connection(("127.0.0.1", port))
    line.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    key = base64.b64encode(os.urandom(16)).decode()
    line.sendall(
        f"GET / HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        f"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {key}\r\nAuthorization: Bearer {token}\r\n"
        "Sec-WebSocket-Protocol: flock.msgpack\r\n\r\n".encode()
    )
    head = b""
    while not head.endswith(b"\r\n\r\n"):
        head += line.recv(1)
    assert b" 101 " in head.partition(b"\r\n")[0], head
    return line


def whole_messages(data: bytearray) -> int:
    """How many data frames are in there; they are taken out."""
    count = 0
    while len(data) >= 2:
        size, head = data[1] & 127, 2
        if size == 126:
            if len(data) < 4:
                break
            (size,), head = struct.unpack_from("!H", data, 2), 4
        if len(data) < head + size:
            break
        count += data[0] & 15 in (1, 2)
        del data[: head + size]
    return count


def hammer(port: int, messages: int, tokens: list[str]) -> None:
    frame = bytes((0x82, 0x80 | SIZE)) + bytes(4) + bytes(SIZE)
    lines = [upgraded(port, token) for token in tokens]
    ready = selectors.DefaultSelector()
    for line in lines:
        ready.register(line, selectors.EVENT_READ, bytearray())
        line.sendall(frame)
    done = 0
    while done < messages:
        for key, _ in ready.select():
            line = key.fileobj
            assert isinstance(line, socket.socket)
            key.data.extend(line.recv(65536))
            for _ in range(whole_messages(key.data)):
                done += 1
                line.sendall(frame)
    for line in lines:
        line.close()


# --- The servers ---------------------------------------------------------------------------------------


async def measured(port: int, tokens: list[str]) -> float:
    """CPU seconds of this process for one message there and back."""
    command = [sys.executable, __file__, "client", str(port), str(MESSAGES), *tokens]
    began = time.process_time()
    process = await trio.lowlevel.open_process(command)
    await process.wait()
    assert process.returncode == 0
    return (time.process_time() - began) / MESSAGES


async def bare_echo(tokens: list[str]) -> float:
    async def echo(request: WebSocketRequest) -> None:
        line = await request.accept(subprotocol="flock.msgpack")
        try:
            while True:
                await line.send_message(await line.get_message())
        except ConnectionClosed:
            return

    async with trio.open_nursery() as nursery:
        server = await nursery.start(serve_websocket, echo, "127.0.0.1", 0, None)
        found = await measured(server.port, tokens)
        nursery.cancel_scope.cancel()
    return found


class Echo:
    """An owner without a thought of its own."""

    def received(self, link, data, now_ns, lag_ns):  # type: ignore[no-untyped-def]  # noqa: ARG002
        link.send(data)

    def handed_over(self, link, now_ns):  # type: ignore[no-untyped-def]
        """Nothing to do."""

    def lost(self, link, ending):  # type: ignore[no-untyped-def]
        """Nothing to do."""


async def our_echo(tokens: list[str], token_file: Path) -> float:
    hub = Hub()
    door = Door(hub, DoorTerms(0, token_file=token_file))
    owner = Echo()

    async def seat_everybody() -> None:
        while True:
            for guest in door.guests.values():
                if guest.here:
                    guest.seat(owner)
            await trio.sleep(0.005)

    async with trio.open_nursery() as nursery:
        await nursery.start(hub.run)
        await nursery.start(door.run)
        nursery.start_soon(seat_everybody)
        found = await measured(door.port, tokens)
        nursery.cancel_scope.cancel()
    return found


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        known = Tokens(Path(folder) / "tokens.toml")
        tokens = [known.create(f"remote-{number}", "", "2026-01-01") for number in range(CONNECTIONS)]
        rounds = []
        for _ in range(ROUNDS):  # side by side: both on the machine as it is now
            rounds.append((trio.run(bare_echo, tokens), trio.run(our_echo, tokens, known.path)))
    bare, ours = (sorted(times)[ROUNDS // 2] for times in zip(*rounds, strict=True))
    print(f"bare trio-websocket echo   {1e6 * bare:7.1f} µs CPU per message and answer")
    print(f"through the arena's door   {1e6 * ours:7.1f} µs CPU per message and answer")
    ratio = ours / bare
    tell("P7", ratio)


if __name__ == "__main__":
    if sys.argv[1:2] == ["client"]:
        hammer(int(sys.argv[2]), int(sys.argv[3]), sys.argv[4:])
    else:
        main()
