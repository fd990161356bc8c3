"""The way to an arena on another machine, by websocket.  `flock_bot.py` uses it when `run` is given a `url`.

Both sides count messages.  When the line breaks it is dialled again, and each side repeats what the other missed.
"""

from __future__ import annotations

import json
import os
import socket
import ssl
import sys
from base64 import b64encode
from collections import deque
from contextlib import suppress
from select import select
from threading import Event, RLock, Thread
from time import sleep
from urllib.parse import urlsplit

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    Message = dict[str, Any]

TEXT, CLOSE, PING, PONG = 1, 8, 9, 10
COME_AGAIN = (1000, 1001, 1012, 4410)
"""The sitting is over, the arena stops or starts again, or it knows nothing of our conversation."""

KEPT = 64
"""So many of the last messages can be said again."""

SILENT_SECONDS = 60
"""The arena pings more often than that."""

PINGS_SECONDS = 2.0
"""So often pings are answered while the bot thinks: who answers none for 20 seconds is taken for gone."""

LONGEST_PAUSE = 5.0


class Busy(ConnectionError):
    """The arena asks us to come later."""

    def __init__(self, status: str, seconds: float) -> None:
        super().__init__(f"the arena is busy ({status})")
        self.seconds = seconds


class Remote:
    """One conversation with the arena, however often the line breaks."""

    def __init__(self, url: str, token: str) -> None:
        self._url = urlsplit(url)
        if self._url.scheme not in ("ws", "wss") or not self._url.hostname:
            sys.exit(f'flock_bot: "{url}" is no address of an arena; it looks like ws://127.0.0.1:8765')
        self._token = token
        self._session = os.urandom(8).hex()
        self._dump = json.JSONEncoder(separators=(",", ":"), ensure_ascii=False).encode
        self._got = self._said = 0
        self._kept: deque[bytes] = deque(maxlen=KEPT)
        self._line: socket.socket | None = None
        self._read = bytearray()
        self._heard: deque[tuple[int, bytes]] = deque()
        self._using = RLock()  # the line, while the bot does not think
        self._left = Event()

    def __enter__(self) -> Remote:
        Thread(target=self._answer_pings, daemon=True).start()
        return self

    def _answer_pings(self) -> None:
        while not self._left.wait(PINGS_SECONDS):
            with self._using, suppress(OSError, ValueError):  # a line that broke is found out by whoever needs it
                while self._line is not None and select([self._line], [], [], 0)[0]:
                    kind, payload = self._frame()
                    if kind == PING:
                        self._write(PONG, payload)
                    else:
                        self._heard.append((kind, payload))

    def __exit__(self, *error: object) -> None:
        self._left.set()
        with self._using:
            if self._line is not None:
                self._line.close()

    def send(self, message: Message) -> None:
        self._said += 1
        self._kept.append(self._dump(message).encode())
        with self._using:
            try:
                if self._line is None:
                    self._dial()
                else:
                    self._write(TEXT, self._kept[-1])
            except OSError:
                self._dial()

    def messages(self) -> Iterator[Message]:
        while True:
            with self._using:
                try:
                    kind, payload = self._heard.popleft() if self._heard else self._frame()
                    if kind == PING:
                        self._write(PONG, payload)
                except OSError:
                    self._dial()
                    continue
            if kind == TEXT:
                self._got += 1
                yield json.loads(payload)
            elif kind == CLOSE:
                code = int.from_bytes(payload[:2], "big")
                if code in COME_AGAIN:
                    return
                sys.exit(f"flock_bot: the arena closed with {code}: {payload[2:].decode(errors='replace')}")

    def _dial(self) -> None:
        pause, complained = 0.1, False
        while True:
            try:
                self._connect()
                for payload in self._kept:
                    self._write(TEXT, payload)
                return
            except Busy as busy:
                sleep(busy.seconds)
            except ssl.SSLCertVerificationError as error:
                sys.exit(
                    f"flock_bot: the certificate of {self._url.hostname} is not trusted ({error.verify_message}). "
                    "If it is your arena's own, say where it is: SSL_CERT_FILE=certificate.pem"
                )
            except OSError as error:
                if isinstance(error, ssl.SSLError) and error.reason == "WRONG_VERSION_NUMBER":
                    sys.exit(f"flock_bot: {self._url.netloc} speaks no TLS; write ws:// instead of wss://")
                if not complained:
                    print(f"flock_bot: cannot reach the arena, and goes on trying: {error}", file=sys.stderr)
                    complained = True
                sleep(pause * (0.5 + os.urandom(1)[0] / 256))  # those who lost it together do not return together
                pause = min(2 * pause, LONGEST_PAUSE)

    def _connect(self) -> None:
        url = self._url
        secure = url.scheme == "wss"
        line = socket.create_connection((url.hostname, url.port or (443 if secure else 80)), SILENT_SECONDS)
        if self._line is not None:
            self._line.close()
        self._line, self._read = line, bytearray()
        self._heard.clear()  # not counted yet: it is said again
        line.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        if secure:
            self._line = line = ssl.create_default_context().wrap_socket(line, server_hostname=url.hostname)
        where = f"session={self._session}&got={self._got}&begins={self._said - len(self._kept)}"
        headers = {
            "Host": url.netloc,
            "Upgrade": "websocket",
            "Connection": "Upgrade",
            "Sec-WebSocket-Version": "13",
            "Sec-WebSocket-Key": b64encode(os.urandom(16)).decode(),
            "Sec-WebSocket-Protocol": "flock.json",
            "Authorization": f"Bearer {self._token}",
        }
        head = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
        line.sendall(f"GET {url.path or '/'}?{where} HTTP/1.1\r\n{head}\r\n".encode())
        self._hear_answer()

    def _hear_answer(self) -> None:
        while b"\r\n\r\n" not in self._read:
            self._more("it hung up without an answer; if it has a certificate, write wss://")
        head, _, self._read = self._read.partition(b"\r\n\r\n")
        first, *lines = head.decode("latin-1").lower().split("\r\n")
        status = first.split()[1]
        if status == "101":
            return
        wait = next((line[len("retry-after:") :] for line in lines if line.startswith("retry-after:")), None)
        if wait is not None:
            raise Busy(status, float(wait))
        with suppress(OSError):
            while True:  # the reason may come behind the head; then the arena hangs up
                self._more()
        sys.exit(f"flock_bot: the arena refuses ({status}). {self._read.decode(errors='replace').strip()}")

    def _frame(self) -> tuple[int, bytes]:
        first, size = self._exactly(2)
        if size >= 126:
            size = int.from_bytes(self._exactly(2 if size == 126 else 8), "big")
        return first & 15, self._exactly(size)

    def _exactly(self, count: int) -> bytes:
        while len(self._read) < count:
            self._more()
        taken = bytes(self._read[:count])
        del self._read[:count]
        return taken

    def _more(self, otherwise: str = "the arena hung up") -> None:
        assert self._line is not None
        piece = self._line.recv(1 << 16)
        if not piece:
            raise ConnectionError(otherwise)
        self._read += piece

    def _write(self, kind: int, payload: bytes) -> None:
        assert self._line is not None
        size = len(payload)
        head = bytes((128 | kind, 128 | (size if size < 126 else 126)))
        if size >= 126:
            head += size.to_bytes(2, "big")  # an arena reads 64 KiB at most
        key = os.urandom(4)
        keys = (key * (size // 4 + 1))[:size]
        hidden = int.from_bytes(payload, "big") ^ int.from_bytes(keys, "big")
        self._line.sendall(head + key + hidden.to_bytes(size, "big"))
