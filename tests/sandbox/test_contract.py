"""A bot inside a sandbox keeps the transport contract: the same bytes, endings and times as without."""

from __future__ import annotations

import os

import pytest
import trio

from arena.sandbox import launcher_in
from arena.transports import Hub, Link, stdio
from tests.contracts.transport_contract import Recorder, TransportContract
from tests.hostile_bots.transport import acts
from tests.sandbox.forms import FORMS, NEEDS, PYTHON

FOLDER = os.path.dirname(acts.__file__)


def perform(form: str, hub: Hub, owner: Recorder, act: str, *arguments: str) -> stdio.StdioLink:
    return stdio.start(
        hub,
        [PYTHON, "-BSE", "acts.py", act, *arguments],
        cwd=FOLDER,
        env={},
        owner=owner,
        name=act,
        launcher=launcher_in(FORMS[form], needs=NEEDS),
    )


class TestInsideFull(TransportContract):
    def start(self, hub: Hub, owner: Recorder, act: str, *arguments: str) -> Link:
        return perform("full", hub, owner, act, *arguments)


class TestInsideReduced(TransportContract):
    def start(self, hub: Hub, owner: Recorder, act: str, *arguments: str) -> Link:
        return perform("reduced", hub, owner, act, *arguments)


@pytest.mark.parametrize("form", FORMS)
async def test_the_time_of_the_bot_is_told_not_that_of_its_sandbox(form: str, nursery: trio.Nursery) -> None:
    hub = Hub()
    await nursery.start(hub.run)
    owner = Recorder()
    link = perform(form, hub, owner, "spin")
    await owner.hears(b"here")
    with trio.fail_after(20):
        while (link.cpu_ns() or 0) < 100_000_000:
            await trio.sleep(0.01)
    link.kill()
    await owner.ends(link)
    nursery.cancel_scope.cancel()
