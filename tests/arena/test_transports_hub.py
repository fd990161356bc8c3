"""Many processes on one hub: whose event it is, and who is charged for a delay."""

import select
import time

import pytest
import trio

from arena.transports import Hub
from tests.contracts.transport_contract import Recorder
from tests.hostile_bots.transport.playing import play, sh


@pytest.fixture
async def hub(nursery):
    hub = Hub()
    await nursery.start(hub.run)
    return hub


async def test_a_link_may_be_replaced_from_within_its_last_callback(hub):
    class Restarting(Recorder):
        def lost(self, link, ending):
            super().lost(link, ending)
            if len(self.endings) < 10:
                sh(hub, self, "echo x")

    owner = Restarting()
    sh(hub, owner, "echo x")
    await owner.until(lambda: len(owner.endings) == 10)
    assert owner.data == b"x\n" * 10


async def test_a_neighbour_killed_in_the_same_batch_is_no_trouble(hub):
    links = []

    class Jealous(Recorder):
        def received(self, link, data, now_ns, lag_ns):
            super().received(link, data, now_ns, lag_ns)
            for other in links:
                if other is not link:
                    other.kill()

    owners = [Jealous() for _ in range(6)]
    links += [play(hub, owner, "echo") for owner in owners]
    for link in links:
        link.send(b"me first")
    for owner, link in zip(owners, links, strict=True):
        link.stop()
        await owner.ends(link)


async def test_what_waited_for_us_is_told_as_lag(hub):
    """The arena works on while an answer lies ready: the answer must not look late."""
    ready_at = []
    slow_owner = Recorder()

    class Busy(Recorder):
        def received(self, link, data, now_ns, lag_ns):
            super().received(link, data, now_ns, lag_ns)
            slow.send(b"x")
            while not slow_has_answered():
                pass
            ready_at.append(hub.now_ns())

    def slow_has_answered():
        return select.select([slow._stdout], [], [], 0)[0]

    owner = Busy()
    slow = play(hub, slow_owner, "echo")
    play(hub, owner, "echo").send(b"x")
    await slow_owner.hears(b"x")
    _, now_ns, lag_ns = slow_owner.pieces[0]
    assert now_ns - lag_ns <= ready_at[0] <= now_ns


async def test_another_task_that_hogs_the_loop_is_lag_too(hub):
    owner = Recorder()
    link = play(hub, owner, "echo")
    await trio.lowlevel.checkpoint()
    link.send(b"x")
    while not select.select([link._stdout], [], [], 0)[0]:
        pass
    ready_ns = time.monotonic_ns()
    await owner.hears(b"x")
    _, now_ns, lag_ns = owner.pieces[0]
    assert now_ns - lag_ns <= ready_ns


async def test_a_bot_that_takes_its_time_is_not_our_lag(hub):
    owner = Recorder()
    link = sh(hub, owner, "read x; /bin/sleep 0.05; echo y")
    link.send(b"x\n")
    await owner.until(lambda: owner.data)
    _, now_ns, lag_ns = owner.pieces[0]
    assert lag_ns < now_ns - link.handed_over_ns


async def test_a_tick_can_read_what_is_ready_before_it_judges(hub):
    owner = Recorder()
    link = play(hub, owner, "echo")
    link.send(b"x")
    while not select.select([link._stdout], [], [], 0)[0]:
        pass
    assert not owner.data
    hub.turn()
    assert owner.data == b"x"


async def test_a_turn_within_a_turn_changes_nothing(hub):
    class Impatient(Recorder):
        def received(self, link, data, now_ns, lag_ns):
            hub.turn()
            super().received(link, data, now_ns, lag_ns)

    owner = Impatient()
    link = play(hub, owner, "echo")
    link.send(b"x")
    await owner.hears(b"x")
    assert len(owner.pieces) == 1
