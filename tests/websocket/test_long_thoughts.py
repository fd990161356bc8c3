"""A bot that thinks for long is no bot that is gone."""

from __future__ import annotations

import json
import sys
from functools import partial

import trio

from arena.transports import websocket_wire as wires
from tests.websocket.kits import KITS
from tests.websocket.players import block, open_house
from tests.websocket.test_house import codes

THINKER = """
import sys, time
sys.path.append({kits})
import flock_remote
from flock_bot import run
flock_remote.PINGS_SECONDS = 0.1
times = [3.0]
def choose(view, options):
    time.sleep(times.pop() if times else 0)
    return 0
run(choose, url={url}, token={token})
"""


async def test_c9_who_thinks_for_longer_than_the_arena_waits_for_a_pong_is_still_there(tmp_path, monkeypatch):
    """20 s of silence and 10 s of grace, made short; `move_ms` may be ten minutes."""
    monkeypatch.setattr(wires, "PING_S", 0.2)
    async with open_house(tmp_path, "anna", move_ms=10_000, silent_s=0.8, grace_s=0.5) as house:
        words = {"kits": str(KITS), "url": f"ws://127.0.0.1:{house.port}", "token": house.secrets["anna"]}
        source = THINKER.format(**{key: json.dumps(word) for key, word in words.items()})
        async with trio.open_nursery() as nursery:
            process = await nursery.start(partial(trio.run_process, [sys.executable, "-c", source], check=False))
            with trio.fail_after(10):
                await house.house.door.until(lambda: house.house.door.here("anna") is not None)
            (report,) = await house.play(block(1, "ws:anna", "first"))
            process.kill()
        assert not codes(report)
