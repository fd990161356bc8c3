"""Plays a bot inside a sandbox between two quiet ones outside, and looks for what it leaves behind."""

from __future__ import annotations

import os
import secrets
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest import mock

import trio

from arena import record
from arena.bots.live import LiveBot
from arena.bots.manifest import Bot
from arena.clock import TimeControl
from arena.match import Match
from arena.referee import Fixture, Referee
from arena.sandbox import Limits, cgroup, launcher_in
from arena.transports import Ending, Hub, Link, Owner, stdio
from arena.transports.launch import bare
from tests.arena.zoo import (
    HOSTILE_BOTS,
    Played,
    between_quiet_ones,
    check_others_unharmed,
    descriptors_before,
    open_descriptors,
    quiet_match,
)
from tests.sandbox.forms import FORMS, NEEDS, PYTHON

CONTROL = TimeControl(move_ms=3_000, start_ms=10_000, prepare_ms=10_000)


@dataclass
class Kept(Played):
    """A match that is over; and what the bot inside wrote down as got."""

    endings: list[Ending]

    @property
    def got(self) -> dict[str, Any]:
        (told,) = self.told("got")
        return told


def bot_inside(name: str, *arguments: str, token: str) -> Bot:
    """A program of the folder; what it and its children are called carries a token by which they are found."""
    run = (PYTHON, "-BsS", "-m", f"sandbox.{name}", token, *arguments)
    return Bot(name, "1", "", (), run, "json", HOSTILE_BOTS, content=name)


def expected(name: str) -> str:
    text = (HOSTILE_BOTS / "sandbox" / f"{name}.py").read_text("utf-8")
    return text.partition("\n")[0].removeprefix("# expect: ")


async def play_inside(form: str, name: str, *arguments: str, limits: Limits | None = None) -> Kept:
    """One match; whatever the bot did, the others are unharmed and nothing of it is left."""
    token = secrets.token_hex(8)
    bot = bot_inside(name, *arguments, token=token)
    descriptors = descriptors_before()
    over: list[tuple[Match, list[LiveBot]]] = []
    endings: list[Ending] = []
    hub = Hub()

    def finished(match: Match, _: Fixture, bots: list[LiveBot]) -> None:
        over.append((match, list(bots)))

    def starter(one: Bot, owner: Owner) -> Link:
        launcher = launcher_in(FORMS[form], limits, NEEDS) if one is bot else bare
        if one is bot:
            owner = _Listening(owner, endings)
        return stdio.start(
            hub, one.run, cwd=str(one.folder), env=one.environment(), owner=owner, name=one.name, launcher=launcher
        )

    with nothing_left_outside():
        async with trio.open_nursery() as nursery:
            await nursery.start(hub.run)
            with trio.fail_after(20):
                await Referee(hub, starter, finished, CONTROL, 3, 1).run([between_quiet_ones(bot)])
            assert not processes_called(token), "when a link is gone, so is all that it started"
            nursery.cancel_scope.cancel()
        ((match, bots),) = over
    assert open_descriptors() <= descriptors
    links = [live.link for live in bots]
    assert all(isinstance(link, stdio.StdioLink) for link in links)
    stderr = [link.stderr_kept().decode(errors="replace") for link in links if link is not None]
    kept = Kept(record.document_of(match, sandbox=FORMS[form].level), stderr, bots, endings)
    check_others_unharmed(kept, quiet_match())
    return kept


class _Listening:
    """An owner that also remembers how its bot ended."""

    def __init__(self, owner: Owner, endings: list[Ending]) -> None:
        self.owner, self.endings = owner, endings

    def received(self, link: Link, data: bytes, now_ns: int, lag_ns: int) -> None:
        self.owner.received(link, data, now_ns, lag_ns)

    def handed_over(self, link: Link, now_ns: int) -> None:
        self.owner.handed_over(link, now_ns)

    def lost(self, link: Link, ending: Ending) -> None:
        self.endings.append(ending)
        self.owner.lost(link, ending)


@contextmanager
def nothing_left_outside() -> Iterator[Path]:
    """No scratch folder and no control group outlives what happens here."""
    groups: list[cgroup.Cgroup] = []
    make = cgroup.new_group

    def remember(limits: Limits) -> cgroup.Cgroup | None:
        group = make(limits)
        if group is not None:
            groups.append(group)
        return group

    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o1777)
        with mock.patch.object(tempfile, "tempdir", folder), mock.patch.object(cgroup, "new_group", remember):
            yield Path(folder)
        assert not os.listdir(folder)
    assert not [folder for group in groups for folder in group.folders if folder.exists()]


def processes_called(token: str) -> list[int]:
    """All that run under a command line with this word."""
    found = []
    for entry in os.listdir("/proc"):
        try:
            command = Path(f"/proc/{entry}/cmdline").read_bytes() if entry.isdecimal() else b""
        except OSError:
            continue
        if token.encode() in command:
            found.append(int(entry))
    return found
