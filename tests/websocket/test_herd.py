"""Many at once: bots that all come at the same time, and floods beside matches that are played."""

import itertools
import os
import resource
import statistics
import subprocess
import sys

import trio

from tests.websocket import flooding, herd
from tests.websocket.herd import memory_mb, outside
from tests.websocket.players import block, open_house
from tests.websocket.test_house import codes

HERD = 1000 if os.environ.get("ARENA_SOAK") else 200
MATCHES = HERD // 2 if os.environ.get("ARENA_SOAK") else 40
MEMORY_MB = 200
EMPTY_MB = 80
"""What an arena takes before anybody has come in."""


async def test_c16_all_come_at_once_while_others_play_and_nobody_forfeits(tmp_path):
    names = [f"bot-{number}" for number in range(HERD)]
    numbers = itertools.count()
    before = memory_mb()
    async with open_house(tmp_path, "anna", "berta", *names, move_ms=60_000) as house:
        door = house.house.door
        house.invite("anna", "berta")
        reports = await house.play(block(next(numbers), "ws:anna", "ws:berta"))
        began = trio.current_time()
        with outside(house, names, herd.__name__), trio.fail_after(300):
            while len(door.guests) < HERD + 2:
                reports += await house.play(block(next(numbers), "ws:anna", "ws:berta"))
            all_in_s = trio.current_time() - began
            pairs = zip(names[::2], names[1::2], strict=True)
            orders = [block(next(numbers), f"ws:{a}", f"ws:{b}") for a, b in pairs]
            began = trio.current_time()
            reports += await house.play(*orders[:MATCHES])
            took_s = trio.current_time() - began
            grown_mb = memory_mb() - before
    print(f"{HERD} bots were in after {all_in_s:.1f} s; {MATCHES} matches of theirs at once took {took_s:.1f} s; ")
    print(f"the arena grew by {grown_mb:.0f} MB")
    assert not any(codes(report) for report in reports)
    assert grown_mb < MEMORY_MB - EMPTY_MB


async def lag_of(house, numbers, matches: int = 3) -> float:
    """How late the loop is while matches are played: what nineteen of twenty looks at it stay below."""
    lags: list[float] = []
    looks = house.house.hub.every(0.005, lambda now_ns, lag_ns: lags.append(lag_ns / 1e9))
    reports = await house.play(*(block(next(numbers), "ws:anna", "ws:berta") for _ in range(matches)))
    looks.cancel()
    assert not any(codes(report) for report in reports)
    return statistics.quantiles(lags, n=20)[-1]


async def test_c12_c14_matches_beside_a_flood_are_not_held_up(tmp_path, monkeypatch):
    """The lag of the loop beside each flood against the lag without any, in the same house."""
    monkeypatch.setattr("arena.door.admission.ENTRANCES", 1 << 30)
    floods = [f"flood-{number}" for number in range(4)]
    numbers = itertools.count()
    async with open_house(tmp_path, "anna", "berta", *floods) as house:
        house.invite("anna", "berta")
        await lag_of(house, numbers)
        idle = await lag_of(house, numbers)
        for kind in flooding.FLOODS:
            with outside(house, floods, flooding.__name__, kind) as process:
                await trio.to_thread.run_sync(process.stdout.readline)
                flooded = await lag_of(house, numbers)
            print(f"{kind}: {1000 * flooded:.1f} ms, idle {1000 * idle:.1f} ms")
            assert flooded - idle < 0.05 + 5 * idle, kind


STRANGERS = """
import collections, socket, sys, time
lines = collections.deque()
while True:
    while len(lines) < 900:
        lines.append((time.monotonic(), socket.create_connection(("127.0.0.1", int(sys.argv[1])), 5)))
    while lines and time.monotonic() - lines[0][0] > 1:
        lines.popleft()[1].close()
    time.sleep(0.001)
"""


async def test_c10_f18_strangers_leave_descriptors_for_our_own_bots(tmp_path):
    """Those who are turned away are nobody's guests: the arena needs its descriptors for its own bots."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    orders = [block(number, "ws:anna", "first") for number in range(6)]
    async with open_house(tmp_path, "anna") as house:
        command = ["/bin/sh", "-c", 'ulimit -n 1000; exec "$@"', "sh", sys.executable, "-c", STRANGERS]
        strangers = subprocess.Popen([*command, str(house.port)])
        house.invite("anna")
        await trio.sleep(1)
        resource.setrlimit(resource.RLIMIT_NOFILE, (150, hard))  # 256 strangers would be let stand at the door
        try:
            for order in orders:
                (report,) = await house.play(order)
                assert not codes(report)
        finally:
            strangers.kill()
            strangers.wait()
            resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
