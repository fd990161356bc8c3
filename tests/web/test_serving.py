"""The server on a real port: what strangers send it, what watchers get, and how it stops."""

from __future__ import annotations

import json
import re
import shutil
import signal
import socket
import subprocess
import sys
from urllib.parse import urlsplit
from urllib.request import urlopen

import pytest
import trio

from arena.store import open_store
from arena.web import serving as server
from arena.web.application import make_app
from tests.cli.shell import arena, ladder_file
from tests.warm import Popen
from tests.web import flock
from tests.web.server import serving


def connected(address: str) -> socket.socket:
    parts = urlsplit(address)
    return socket.create_connection((parts.hostname, parts.port), timeout=10)


def said(address: str, sent: bytes) -> bytes:
    with connected(address) as stream:
        got = b""
        try:
            stream.sendall(sent)
            stream.shutdown(socket.SHUT_WR)
            while more := stream.recv(65536):
                got += more
        except OSError:
            pass  # it closed the door on us
        return got


@pytest.fixture(scope="module")
def address(database):
    with serving(database.parent) as (where, _):
        yield where


def test_it_listens_on_this_machine_only_and_answers(address):
    assert urlsplit(address).hostname == "127.0.0.1"
    with urlopen(f"{address}/healthz", timeout=10) as answer:
        assert answer.read() == b"ok\n" and "server" not in answer.headers


def test_a_taken_port_is_a_sentence_and_exit_code_5(address, database):
    port = str(urlsplit(address).port)
    words = ("serve", "--port", port, "--dir", str(database.parent))
    said = arena(*words, cwd=database.parent, code=5).stderr
    assert f"port {port} is in use" in said and f"such as {int(port) + 1}" in said


def test_without_a_store_it_says_what_to_do(tmp_path):
    assert "nothing was played" in arena("serve", "--port", "0", cwd=tmp_path, code=2).stderr


@pytest.mark.parametrize(
    "sent",
    [
        b"\x16\x03\x01junk\r\n\r\n",
        b"GET / HTTP/1.1\r\nhost: localhost\r\n" + b"x: y\r\n" * 20_000,
        b"GET /" + b"a" * 100_000 + b" HTTP/1.1\r\nhost: localhost\r\n\r\n",
        b"POST / HTTP/1.1\r\nhost: localhost\r\ncontent-length: 99999999999\r\n\r\n" + b"x" * 100_000,
        b"POST / HTTP/1.1\r\nhost: localhost\r\ncontent-length: 5\r\ncontent-length: 6\r\n\r\nhello!",
        b"GET / HTTP/1.1\r\nhost: localhost\r\nupgrade: websocket\r\nconnection: upgrade\r\n\r\nx",
        b"GET / HTTP/1.1\r\nhost: localhost\r\ntransfer-encoding: chunked\r\n\r\nffffffffffff\r\n",
        b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + bytes(64),
    ],
    ids=["tls", "many headers", "long line", "huge body", "two lengths", "upgrade", "chunks", "http2"],
)
def test_h11_broken_and_huge_requests_are_refused_and_the_server_lives(address, sent):
    answer = said(address, sent)
    status = answer[9:12]
    assert not answer.startswith(b"HTTP/1.1") or status in (b"400", b"404", b"405", b"413", b"414", b"426", b"431")
    with urlopen(f"{address}/healthz", timeout=10) as alive:
        assert alive.status == 200


async def test_h11_who_sends_half_a_request_is_not_waited_for(store, monkeypatch):
    monkeypatch.setattr(server, "PATIENCE_S", 0.2)
    with server.listen("127.0.0.1", 0) as opened:
        port = opened.getsockname()[1]
        async with trio.open_nursery() as nursery:
            await nursery.start(server.serve, make_app(store), opened, None)
            async with await trio.open_tcp_stream("127.0.0.1", port) as stream:
                await stream.send_all(b"GET / HTTP/1.1\r\nhost: loc")
                with trio.fail_after(10):
                    while await stream.receive_some():
                        pass
            nursery.cancel_scope.cancel()


def test_a_watcher_hears_of_a_block_when_it_is_stored(tmp_path):
    with open_store(tmp_path / "arena.db") as store:
        ladder = flock.begin(store, "spring", bots=flock.BOTS[:2])
        plan, finish = flock.a_block("spring", 0, "sheepzzz", flock.BOTS[:2])
        store.plan_blocks(ladder, [plan])
        with serving(tmp_path) as (address, process):
            with urlopen(f"{address}/l/spring/news", timeout=20) as stream:
                assert stream.headers["content-type"].startswith("text/event-stream")
                first = stream.readline()
                assert first == b"id: 0\n", "who comes late gets the board as it stands"
                store.finish_blocks(ladder, [finish()])
                told = next(line for line in stream if line.startswith(b"id: "))
                assert told == b"id: 1\n"
                assert any(b"anna@1" in next(stream) for _ in range(60))
            process.send_signal(signal.SIGTERM)
            assert process.wait(timeout=20) == 0


@pytest.mark.parametrize("command", ["ladder run spring.toml", "play sheepzzz first random --deals 5000"])
def test_what_is_being_played_can_be_watched(tmp_path, command):
    ladder_file(tmp_path, 600)
    words = [sys.executable, "-m", "arena", *command.split(), "--trust-bots", "--web", "0"]
    played = Popen(words, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        assert played.stdout is not None
        address = next(line for line in played.stdout if line.startswith("pages: ")).split()[1]
        with urlopen(address, timeout=20) as answer:
            home = answer.read().decode()
        name = "spring" if "spring" in command else re.search(r"play-\w{16}", home)[0]
        with urlopen(f"{address}l/{name}", timeout=20) as answer:
            assert f"<h1>{name}" in answer.read().decode()
        with urlopen(f"{address}l/{name}/live/news", timeout=20) as stream:
            told = next(line for line in stream if b'"zones"' in line)
        assert json.loads(told.removeprefix(b"data: "))["state"] in ("playing", "over")
    finally:
        played.send_signal(signal.SIGINT)
        played.communicate(timeout=60)
    assert played.returncode in (0, 130)


def test_it_stops_although_somebody_watches(database, tmp_path):
    shutil.copy(database, tmp_path / "arena.db")
    with serving(tmp_path) as (address, process), connected(address) as watcher:
        watcher.sendall(b"GET /l/spring/news HTTP/1.1\r\nhost: localhost\r\n\r\n")
        assert b"200" in watcher.recv(4096)
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=20) == 0
        assert process.stderr is not None and "Traceback" not in process.stderr.read()
