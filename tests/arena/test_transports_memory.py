"""Bots as coroutines under a mocked clock, and the hub's own timekeeping."""

import pytest
import trio

from arena.transports import Hub, memory, trio_now_ns
from tests.contracts.transport_contract import Recorder


@pytest.fixture
async def hub(nursery):
    hub = Hub(now_ns=trio_now_ns)
    await nursery.start(hub.run)
    return hub


@pytest.mark.parametrize("late_us", [-1, 0, 1])
async def test_a5_an_answer_is_timed_to_the_microsecond(autojump_clock, hub, late_us):
    async def bot(stream):
        await stream.receive()
        await trio.sleep(1 + late_us / 1e6)
        await stream.send(b"answer")

    owner = Recorder()
    link = memory.start(hub, bot, owner=owner, name="punctual")
    await trio.sleep(0.5)
    assert link.send(b"ask")
    await owner.hears(b"answer")
    _, now_ns, lag_ns = owner.pieces[0]
    assert now_ns - link.handed_over_ns == 1_000_000_000 + late_us * 1000
    assert lag_ns == 0


async def test_an_hour_of_thinking_takes_no_time(autojump_clock, hub):
    async def bot(stream):
        await trio.sleep(3600)
        await stream.send(b"42")

    owner = Recorder()
    memory.start(hub, bot, owner=owner, name="philosopher")
    while not owner.data:
        await trio.sleep(600)
    assert trio.current_time() >= 3600


async def test_an_exception_is_the_bots_exit_and_its_traceback_is_kept(autojump_clock, hub):
    async def bot(stream):
        raise KeyError("ace of sheep")

    owner = Recorder()
    link = memory.start(hub, bot, owner=owner, name="clumsy")
    assert (await owner.ends(link)).text == "exit code 1"
    assert link.stderr_tail().endswith(b"KeyError: 'ace of sheep'\n")


async def test_a_bot_cannot_swallow_a_bug_of_ours():
    class Buggy(Recorder):
        def received(self, link, data, now_ns, lag_ns):
            raise ZeroDivisionError("our own bug")

    async def bot(stream):
        try:
            await stream.send(b"x")
        except Exception:
            return

    hub = Hub()
    memory.start(hub, bot, owner=Buggy(), name="polite")
    with pytest.RaisesGroup(ZeroDivisionError, flatten_subgroups=True):
        await hub.run()


async def test_pretended_computing_is_told(autojump_clock, hub):
    async def bot(stream):
        stream.compute(1_500)
        await stream.send(b"x")
        await trio.sleep_forever()

    owner = Recorder()
    link = memory.start(hub, bot, owner=owner, name="thinker")
    await owner.hears(b"x")
    assert link.cpu_ns() == 1_500


async def test_nobody_listens_after_the_output_was_closed(autojump_clock, hub):
    broken = []

    async def bot(stream):
        stream.close_output()
        try:
            await stream.send(b"x")
        except BrokenPipeError:
            broken.append(True)

    owner = Recorder()
    link = memory.start(hub, bot, owner=owner, name="silent")
    assert (await owner.ends(link)).how == "closed output"
    assert broken
    assert not owner.data


async def test_ticks_come_when_due(autojump_clock, hub):
    ticks = []
    scope = hub.every(0.25, lambda now_ns, lag_ns: ticks.append((now_ns, lag_ns)))
    await trio.sleep(1.1)
    assert ticks == [(250_000_000, 0), (500_000_000, 0), (750_000_000, 0), (1_000_000_000, 0)]
    scope.cancel()
    await trio.sleep(10)
    assert len(ticks) == 4


async def test_a_late_tick_tells_how_late_and_is_not_made_up_for(hub, autojump_clock):
    ticks = []

    def work_too_long(now_ns, lag_ns):
        ticks.append((now_ns, lag_ns))
        if len(ticks) == 1:
            autojump_clock.jump(2.5)

    hub.every(1, work_too_long)
    await trio.sleep(5.1)
    # The second was due at 2; the loop was ours until 3.5.
    assert ticks == [(1_000_000_000, 0), (3_500_000_000, 1_500_000_000), (4_500_000_000, 0)]


async def test_ticks_and_tasks_asked_for_too_early_begin_with_the_hub(autojump_clock, nursery):
    hub = Hub(now_ns=trio_now_ns)
    ticks = []
    hub.every(1, lambda now_ns, lag_ns: ticks.append(now_ns))
    await trio.sleep(5)
    assert not ticks
    await nursery.start(hub.run)
    await trio.sleep(1.5)
    assert ticks == [6_000_000_000]


async def test_the_hook_follows_ticks_too(autojump_clock, hub):
    calls = []
    hub.every(1, lambda now_ns, lag_ns: calls.append("tick"))
    hub.after_batch = lambda now_ns: calls.append(now_ns)
    await trio.sleep(1.5)
    assert calls == ["tick", 1_000_000_000]


async def test_what_is_gathered_is_done_together(autojump_clock, hub):
    done = []

    def action(items):
        done.append(items)

    for item in "abc":
        hub.gather(action, item)
    await trio.sleep(1)
    hub.gather(action, "d")
    await trio.sleep(1)
    assert done == [["a", "b", "c"], ["d"]]
