"""Many readers of one stream, in one small process: `onlookers.py PORT PATH COUNT`.

Says "ready" when all of them are being told something, and at the end of its input how much they got.
"""

from __future__ import annotations

import selectors
import socket
import sys
import time


def look_on(port: int, path: str, count: int) -> None:
    """Read until the input ends."""
    chosen = selectors.DefaultSelector()
    chosen.register(sys.stdin, selectors.EVENT_READ)
    waiting = set()
    for _ in range(count):
        stream = socket.create_connection(("127.0.0.1", port))
        stream.sendall(f"GET {path} HTTP/1.1\r\nhost: localhost\r\n\r\n".encode())
        chosen.register(stream, selectors.EVENT_READ)
        waiting.add(stream)
    messages = size = 0
    while True:
        for key, _ in chosen.select():
            stream = key.fileobj
            if not isinstance(stream, socket.socket):
                print(messages, size, time.process_time(), flush=True)
                return
            data = stream.recv(1 << 16)
            if not data:
                sys.exit("the stream has ended")
            messages += data.count(b"\nid: ")
            size += len(data)
            if waiting and b"\nid: " in data:
                waiting.discard(stream)
                if not waiting:
                    print("ready", flush=True)


if __name__ == "__main__":
    look_on(int(sys.argv[1]), sys.argv[2], int(sys.argv[3]))
