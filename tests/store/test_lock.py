"""F11, F12: one arena per ladder, and a lock that goes with its owner."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from sqlalchemy import text

from arena.store import Held
from arena.store.lock import LadderLock
from tests.store.sheep_blocks import spring

ROOT = Path(__file__).parent.parent.parent
HOLDER = """
import sys, time
from arena.store import open_store
from arena.store.lock import LadderLock
store = open_store(sys.argv[1])
lock = LadderLock(store, store.find_ladder("spring"))
print("held", flush=True)
time.sleep(600)
"""


def test_f11_f12_a_second_arena_hears_who_runs_the_ladder_until_that_one_is_gone(where, store):
    ladder = spring(store)
    other = spring(store, "autumn")
    holder = subprocess.Popen([sys.executable, "-c", HOLDER, str(where)], cwd=ROOT, stdout=subprocess.PIPE)
    try:
        assert holder.stdout is not None and holder.stdout.readline() == b"held\n"
        with pytest.raises(Held) as refused:
            LadderLock(store, ladder)
        assert re.fullmatch(
            rf"ladder spring is being run \(pid {holder.pid}, since (\S+ )?\d\d:\d\d\)", str(refused.value)
        )
        LadderLock(store, other).release()
    finally:
        holder.send_signal(signal.SIGKILL)
        holder.communicate()
    for _ in range(2):
        with LadderLock(store, ladder) as lock:
            lock.renew()
            with pytest.raises(Held):
                LadderLock(store, ladder)


def test_f12_a_holder_of_another_day_or_machine_is_named_so(where, store):
    ladder = spring(store)
    with LadderLock(store, ladder):
        for written, told in (
            ('{"pid": 4711, "host": "elsewhere", "since": "2020-02-03T10:04:00+00:00"}',
             r"pid 4711 on elsewhere, since 2020-02-0\d \d\d:\d\d"),
            ("not even JSON", "by a process that has just begun"),
        ):  # fmt: skip
            with store.database.writing() as connection:
                connection.execute(text("UPDATE ladders SET holder = :written"), {"written": written})
            with pytest.raises(Held, match=rf"ladder spring is being run \({told}\)"):
                LadderLock(store, ladder)
