"""D17: two bots in two sandboxes cannot tell each other a number.  What load and timing tell is not closed."""

from __future__ import annotations

import secrets

import pytest
import trio

from arena.sandbox import launcher_in
from arena.transports import Hub, Launcher, stdio
from arena.transports.launch import bare
from tests.arena.zoo import HOSTILE_BOTS
from tests.contracts.transport_contract import Recorder
from tests.sandbox.forms import AS_A_USER, FORMS, NEEDS, PYTHON

AN_ORDINARY_USER = AS_A_USER if next(iter(FORMS.values())).as_root else ()


async def pair(launcher: Launcher, *before: str) -> set[str]:
    """The channels by which a number came through."""
    number = secrets.randbits(30) | 1 << 30
    hub = Hub()
    async with trio.open_nursery() as nursery:
        await nursery.start(hub.run)

        def start(role: str) -> tuple[stdio.StdioLink, Recorder]:
            owner = Recorder()
            argv = [*before, PYTHON, "-BSE", "sandbox/covert.py", role, str(number)]
            env = {"PATH": "/usr/bin:/bin"}
            link = stdio.start(
                hub, argv, cwd=str(HOSTILE_BOTS), env=env, owner=owner, name=role, launcher=launcher
            )
            return link, owner

        async def line_of(owner: Recorder, number: int) -> str:
            await owner.until(lambda: owner.data.count(b"\n") >= number)
            return owner.data.decode().splitlines()[number - 1]

        receiver, heard = start("receive")
        assert await line_of(heard, 1) == "ready"
        sender, said = start("send")
        await line_of(said, 1)
        receiver.send(b"\n")
        carried = await line_of(heard, 2)
        for link, owner in ((receiver, heard), (sender, said)):
            link.stop()
            await owner.ends(link)
        nursery.cancel_scope.cancel()
    return set(carried.split("; "))


@pytest.mark.parametrize("form", FORMS)
async def test_d17_no_number_passes_between_two_sandboxes(form: str) -> None:
    assert await pair(launcher_in(FORMS[form], needs=NEEDS)) == {"nothing"}


async def test_d17_the_same_pair_talks_freely_without_a_sandbox() -> None:
    """Else the test above would prove nothing."""
    carried = await pair(bare, *AN_ORDINARY_USER)
    assert carried >= {"temporary file", "shared memory file", "record locks", "open file locks", "flock"}
    assert carried >= {"abstract sockets", "loopback", "System V memory", "System V semaphores", "inotify"}
