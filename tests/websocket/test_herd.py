"""Many at once: bots that all come at the same time, and floods beside matches that are played."""

import os
import statistics
import subprocess
import sys
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest
import trio

from tests.websocket import herd
from tests.websocket.doors import request
from tests.websocket.peer import CONTINUATION, PING, TEXT, masked
from tests.websocket.players import block, open_house
from tests.websocket.test_house import codes

HERD = 1000 if os.environ.get("ARENA_SOAK") else 200
MEMORY_MB = 200


@contextmanager
def herd_of(house, folder: Path, names: list[str]):
    file = folder / "herd"
    file.write_text("\n".join(house.secrets[name] for name in names))
    command = [sys.executable, "-m", herd.__name__, str(house.port), str(file)]
    process = subprocess.Popen(command)
    try:
        yield
    finally:
        process.kill()
        process.wait()


def memory_mb() -> float:
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / (1 << 20)


async def test_c16_all_come_at_once_and_nobody_forfeits(tmp_path):
    names = [f"bot-{number}" for number in range(HERD)]
    before = memory_mb()
    async with open_house(tmp_path, *names, move_ms=60_000) as house:
        with herd_of(house, tmp_path, names):
            with trio.fail_after(60):
                await house.house.door.until(lambda: len(house.house.door.guests) == HERD)
            pairs = zip(names[::2], names[1::2], strict=True)
            orders = [block(number, f"ws:{a}", f"ws:{b}") for number, (a, b) in enumerate(pairs)]
            reports = []
            for at in range(0, len(orders) if HERD == 1000 else 50, 50):
                reports += await house.play(*orders[at : at + 50])
            assert not any(codes(report) for report in reports)
            assert memory_mb() - before < MEMORY_MB


async def _empty_fragments(stream):
    await stream.send_all(masked(TEXT, b"", final=False))
    while True:
        await stream.send_all(masked(CONTINUATION, b"", final=False) * 500)


async def _pings(stream):
    while True:
        await stream.send_all(masked(PING, b"x" * 100) * 100)


async def _small_messages(stream):
    while True:
        await stream.send_all(masked(TEXT, b"{}") * 500)


async def _never_read(stream):
    await trio.sleep_forever()


async def _slow_head(stream):
    while True:
        await trio.sleep(0.01)
        await stream.send_all(b"X-Slow: 1\r\n")


FLOODS = [_empty_fragments, _pings, _small_messages, _never_read, _slow_head]


@pytest.mark.parametrize("flood", FLOODS, ids=[flood.__name__.strip("_") for flood in FLOODS])
async def test_c12_c14_matches_beside_a_flood_are_not_held_up(tmp_path, flood, monkeypatch):
    """The lag of the loop beside the flood against the lag without it, match for match."""
    monkeypatch.setattr("arena.door.admission.ENTRANCES", 1 << 30)
    names = ["anna", "berta", *(f"flood-{number}" for number in range(4))]
    async with open_house(tmp_path, *names) as house:
        house.invite("anna", "berta")
        lags: list[float] = []
        house.house.hub.every(0.005, lambda now_ns, lag_ns: lags.append(lag_ns / 1e9))
        await house.play(block(0, "ws:anna", "ws:berta"))
        lags.clear()
        await house.play(*(block(number, "ws:anna", "ws:berta") for number in range(1, 4)))
        idle = statistics.quantiles(lags, n=20)[-1]
        lags.clear()
        async with trio.open_nursery() as nursery:
            for name in names[2:]:
                nursery.start_soon(_flood, house, name, flood)
            reports = await house.play(*(block(number, "ws:anna", "ws:berta") for number in range(4, 7)))
            nursery.cancel_scope.cancel()
        flooded = statistics.quantiles(lags, n=20)[-1]
        assert not any(codes(report) for report in reports)
        assert flooded - idle < 0.05 + 5 * idle


async def _flood(house, name, flood):
    """Again and again: who is closed comes back."""
    head = request(house.port, house.secrets[name])
    while True:
        stream = await trio.open_tcp_stream("127.0.0.1", house.port)
        with suppress(trio.BrokenResourceError):
            try:
                await stream.send_all(head[:-2] if flood is _slow_head else head)
                await flood(stream)
            finally:
                stream.socket.close()
        await trio.sleep(0.05)
