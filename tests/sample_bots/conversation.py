"""The arena's side of a scripted conversation: a real process, real pipes, and the protocol's own codecs."""

from __future__ import annotations

import os
import select
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec

from protocol.codec import CODECS
from protocol.framing import FRAMINGS

ROOT = Path(__file__).parents[2]
PATIENCE_SECONDS = 60  # a bot that hangs fails the test; nothing waits this long otherwise

WELCOME = {"type": "welcome", "protocol": 1, "tables": 4, "limits": {}, "seed": "5eed"}
PREPARE = {"type": "prepare", "game": "sheepzzz", "variant": {}, "budget_ms": 5000}
BYE = {"type": "bye"}


def start(match: str = "m1", seat: int = 0) -> dict[str, Any]:
    clock = {"move_ms": 1000, "bank_ms": 0, "strikes": 3}
    return {"type": "start", "match": match, "seat": seat, "seats": 2, "clock": clock, "commitment": "c"}


def end(match: str = "m1") -> dict[str, Any]:
    result = {"ranks": [1, 2], "scores": [3, 9], "verdicts": [], "time_ms": 5, "transcript": "t"}
    return {"type": "end", "match": match, **result}


def request(number: int = 0, match: str = "m1", options: int = 3, default: int = 0) -> dict[str, Any]:
    return {
        "match": match,
        "id": f"{number:016d}",
        "move": number,
        "question": "moves",
        "options": [["play", f"{n}/0", n % 3] for n in range(options)],
        "default": default,
        "time_ms": 1000,
        "view": {"seat": 0, "seats": 2, "hands": [["4/0", "W"], [None, None]]},
    }


def ask(*requests: dict[str, Any]) -> dict[str, Any]:
    return {"type": "ask", "requests": list(requests)}


class Bot:
    """A bot process, as the arena sees it."""

    def __init__(self, process: subprocess.Popen[bytes], encoding: str) -> None:
        self.process = process
        self.codec = CODECS[encoding]
        self.encoding = encoding
        self._framing = FRAMINGS[encoding]()
        self._heard: list[bytes] = []

    def frame(self, *messages: dict[str, Any]) -> bytes:
        """Messages as the bytes that travel; plain maps, so that they may hold what no arena sends yet."""
        pack = msgspec.json.encode if self.encoding == "json" else msgspec.msgpack.encode
        return b"".join(self._framing.frame(pack(message)) for message in messages)

    def send(self, *messages: dict[str, Any]) -> None:
        self.send_bytes(self.frame(*messages))

    def send_bytes(self, data: bytes) -> None:
        assert self.process.stdin is not None
        os.write(self.process.stdin.fileno(), data)

    def payload(self) -> bytes:
        """The bytes of the next message."""
        assert self.process.stdout is not None
        while not self._heard:
            spoke, _, _ = select.select([self.process.stdout], [], [], PATIENCE_SECONDS)
            assert spoke, "the bot says nothing"
            piece = os.read(self.process.stdout.fileno(), 1 << 16)
            assert piece, f"the bot left: {self.leave()[1]}"
            self._heard += self._framing.feed(piece)
            assert self._framing.broken is None, self._framing.broken
        return self._heard.pop(0)

    def hear(self) -> Any:
        """The next message, found to be valid, as plain data."""
        return msgspec.to_builtins(self.codec.decode_from_bot(self.payload()))

    def choices(self, *requests: dict[str, Any]) -> list[int]:
        """Ask one request after the other."""
        chosen = []
        for asked in requests:
            self.send(ask(asked))
            (answer,) = self.hear()["answers"]
            assert answer["id"] == asked["id"]
            chosen.append(answer["choice"])
        return chosen

    def choices_of_frames_cut_anywhere(self, asked: dict[str, Any]) -> set[int]:
        """Ask the same twice for every place where a frame can be cut; pieces are told apart by an answer."""
        frame = self.frame(ask(asked))
        chosen = set()
        for cut in range(1, len(frame)):
            self.send_bytes(frame + frame[:cut])  # one write within PIPE_BUF is read as one piece
            chosen.add(self.hear()["answers"][0]["choice"])
            self.send_bytes(frame[cut:])
            chosen.add(self.hear()["answers"][0]["choice"])
        return chosen

    def greet(self, *more: dict[str, Any]) -> Any:
        """Everything up to `start`; returns the hello."""
        hello = self.hear()
        self.send(WELCOME, PREPARE)
        assert self.hear() == {"type": "ready"}
        self.send(*(more or [start()]))
        return hello

    def leave(self) -> tuple[int, str]:
        """Hang up; the exit code and what was said to stderr."""
        rest, stderr = self.process.communicate(timeout=PATIENCE_SECONDS)
        assert not self._framing.feed(rest), "messages nobody asked for"
        return self.process.returncode, stderr.decode()


@contextmanager
def running(command: Sequence[str | Path], encoding: str, **environment: str) -> Iterator[Bot]:
    """A bot that is gone afterwards, whatever happens."""
    process = subprocess.Popen(
        [str(part) for part in command],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, "ARENA_ENCODING": encoding, **environment},
    )
    with process:
        try:
            yield Bot(process, encoding)
        finally:
            process.kill()


@contextmanager
def written(folder: Path, source: str, encoding: str) -> Iterator[Bot]:
    """A bot of a few lines, with the kit copied next to it as a user would."""
    (folder / "flock_bot.py").write_bytes((ROOT / "sample_bots" / "flock_bot.py").read_bytes())
    (folder / "bot.py").write_text(source)
    with running([sys.executable, folder / "bot.py"], encoding) as bot:
        yield bot
