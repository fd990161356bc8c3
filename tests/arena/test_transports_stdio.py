"""Bots as child processes: real programs, each with one bad habit.  Ids as in the catalogue of faults."""

import os
import signal
import sys
import time

import pytest
import trio

from arena.transports import Hub, stdio, stop_all
from arena.transports.child import cpu_ns_from_proc
from arena.transports.excerpt import KEPT_BYTES
from arena.transports.strays import MARK, sweep
from tests.contracts.transport_contract import PATIENCE_S, Recorder
from tests.hostile_bots.transport import acts


@pytest.fixture
async def hub(nursery):
    hub = Hub()
    await nursery.start(hub.run)
    return hub


def play(hub, owner, act, *arguments):
    argv = [sys.executable, "-S", "-E", acts.__file__, act, *arguments]
    return stdio.start(hub, argv, cwd="/", env={}, owner=owner, name=act)


def sh(hub, owner, script, env=None):
    return stdio.start(hub, ["/bin/sh", "-c", script], cwd="/", env=env or {}, owner=owner, name="sh")


def runs(pid):
    try:
        with open(f"/proc/{pid}/stat") as file:
            return file.read().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


def open_descriptors():
    return {fd: os.readlink(f"/proc/self/fd/{fd}") for fd in os.listdir("/proc/self/fd") if _is_open(fd)}


def _is_open(fd):
    return os.path.lexists(f"/proc/self/fd/{fd}")


async def test_a_large_message_arrives_in_pieces(hub):
    owner = Recorder()
    link = play(hub, owner, "echo")
    data = os.urandom(400_000)
    link.send(data)
    await owner.hears(data)
    assert len(owner.pieces) > 1
    assert max(len(piece) for piece, _, _ in owner.pieces) <= 65536


async def test_a12_exit_code_of_a_shell(hub):
    owner = Recorder()
    link = sh(hub, owner, "exit 3")
    assert (await owner.ends(link)).text == "exit code 3"


@pytest.mark.parametrize("name", ["SIGSEGV", "SIGABRT", "SIGKILL", "SIGXCPU"])
async def test_a11_death_by_signal_is_named(hub, name):
    owner = Recorder()
    link = play(hub, owner, "crash", name)
    assert (await owner.ends(link)).text == f"signal {name}"


async def test_a13_closed_output_is_told_and_the_process_killed(hub):
    owner = Recorder()
    link = play(hub, owner, "close_output")
    await owner.until(lambda: owner.endings)
    await owner.ends(link)
    assert not runs(link.pid)


async def test_a14_a_closed_input_does_not_kill_the_arena(hub):
    owner = Recorder()
    link = play(hub, owner, "close_input")
    await owner.hears(b"closed")
    for _ in range(3):
        assert not link.send(b"hello")
    assert link.alive
    assert link.unsent == 15


async def test_a17_a_flood_of_complaints_is_bounded_and_counted(hub):
    owner, quiet_owner = Recorder(), Recorder()
    size = 320 * 32768
    link = play(hub, owner, "complain", str(size))
    quiet = play(hub, quiet_owner, "echo")
    for i in range(20):
        quiet.send(b"x")
        await quiet_owner.hears(b"x" * (i + 1))
    await owner.hears(b"done")
    link.stop()
    await owner.ends(link)
    assert link.stderr.dropped == size + len(b"last words") - 2 * KEPT_BYTES
    assert link.stderr_kept().startswith(b"oh dear")
    assert b"\n[%d bytes dropped]\n" % link.stderr.dropped in link.stderr_kept()
    assert link.stderr_tail().endswith(b"last words")
    assert len(link.stderr_tail()) == KEPT_BYTES


async def test_a16_a_flood_does_not_starve_a_quiet_bot(hub):
    class Sink(Recorder):
        def received(self, link, data, now_ns, lag_ns):
            self._changed.set()

    floods = [play(hub, Sink(), "flood") for _ in range(3)]
    for flood in floods:
        await flood.owner.until(lambda flood=flood: flood.owner._changed.is_set())
    owner = Recorder()
    quiet = play(hub, owner, "echo")
    for i in range(50):
        quiet.send(b"x")
        await owner.hears(b"x" * (i + 1))
    assert all(flood.alive for flood in floods)


async def test_a21_a_daemon_is_swept_after_an_orderly_end(hub):
    owner = Recorder()
    link = play(hub, owner, "daemon")
    await owner.until(lambda: b"\n" in owner.data)
    daemon = int(owner.data)
    assert runs(daemon)
    with trio.fail_after(PATIENCE_S):
        await stop_all([link], grace_s=PATIENCE_S)
    assert owner.endings[0].exit_code == 0
    assert not runs(daemon)


async def test_a21_a_daemon_is_swept_when_the_hub_is_cancelled():
    owner = Recorder()
    async with trio.open_nursery() as nursery:
        hub = Hub()
        await nursery.start(hub.run)
        play(hub, owner, "daemon")
        await owner.until(lambda: b"\n" in owner.data)
        nursery.cancel_scope.cancel()
    assert not runs(int(owner.data))


async def test_sweeping_spares_marks_that_only_begin_alike(hub):
    owner = Recorder()
    link = play(hub, owner, "deaf")
    await owner.hears(b"here")
    assert sweep(link.mark[:-1]) == 0
    assert sweep(link.mark + "0") == 0
    assert sweep("0123456789abcdef-1") == 0
    assert runs(link.pid)
    assert sweep(link.mark) == 1
    assert (await owner.ends(link)).text == "signal SIGKILL"


async def test_a22_a_child_that_holds_the_pipe_is_not_waited_for(hub):
    owner = Recorder()
    link = play(hub, owner, "hold_pipe")
    assert (await owner.ends(link)).text == "exit code 0"
    assert owner.data == b"last"


async def test_a22_nor_one_that_holds_it_from_another_session(hub):
    owner = Recorder()
    link = play(hub, owner, "hold_pipe_far_away")
    assert (await owner.ends(link)).text == "exit code 0"
    assert not runs(int(owner.data or b"0"))


async def test_a33_nothing_is_left_after_a_hundred_starts(hub):
    before = open_descriptors()
    for _ in range(4):
        owners = [Recorder() for _ in range(25)]
        links = [sh(hub, owner, script) for owner, script in zip(owners, ["exit 0", "read x", "kill -9 $$"] * 9)]
        with trio.fail_after(PATIENCE_S):
            await stop_all(links, grace_s=PATIENCE_S)
        assert all(len(owner.endings) == 1 for owner in owners)
    assert open_descriptors() == before
    with pytest.raises(ChildProcessError):
        os.waitpid(-1, os.WNOHANG)


async def test_the_child_has_three_descriptors(hub):
    inheritable = os.dup(0)
    os.set_inheritable(inheritable, True)
    owner = Recorder()
    try:
        play(hub, Recorder(), "deaf")
        play(hub, owner, "descriptors")
    finally:
        os.close(inheritable)
    await owner.hears(b"[0, 1, 2]")


async def test_the_child_leads_a_session_of_its_own(hub):
    owner = Recorder()
    link = play(hub, owner, "deaf")
    assert os.getsid(link.pid) == os.getpgid(link.pid) == link.pid


async def test_the_environment_is_what_was_given_and_the_mark(hub):
    owner = Recorder()
    link = stdio.start(hub, ["env"], cwd="/", env={"PATH": "/usr/bin:/bin", "A": "1"}, owner=owner, name="env")
    await owner.ends(link)
    assert owner.data.decode().splitlines() == ["PATH=/usr/bin:/bin", "A=1", f"{MARK}={link.mark}"]


async def test_marks_are_never_shared(hub):
    other = Hub()
    marks = [some.new_mark() for some in (hub, other, hub, other)]
    other.close()
    assert len(set(marks)) == 4


async def test_cpu_time_grows_while_it_computes(hub):
    owner = Recorder()
    link = play(hub, owner, "spin")
    await owner.hears(b"here")
    first = link.cpu_ns()
    with trio.fail_after(PATIENCE_S):
        while link.cpu_ns() == first or not cpu_ns_from_proc(link.pid):
            await trio.lowlevel.checkpoint()
    assert link.cpu_ns() > first
    link.kill()
    await owner.ends(link)
    assert cpu_ns_from_proc(link.pid) is None


async def test_a_bot_stopped_by_a_signal_can_still_be_killed(hub):
    owner = Recorder()
    link = play(hub, owner, "deaf")
    await owner.hears(b"here")
    os.kill(link.pid, signal.SIGSTOP)
    with trio.fail_after(PATIENCE_S):
        await stop_all([link], grace_s=0.01)
    assert owner.endings[0].signal == "SIGKILL"


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
        import select

        return select.select([slow._stdout], [], [], 0)[0]

    owner = Busy()
    slow = play(hub, slow_owner, "echo")
    play(hub, owner, "echo").send(b"x")
    await slow_owner.hears(b"x")
    _, now_ns, lag_ns = slow_owner.pieces[0]
    assert now_ns - lag_ns <= ready_at[0] <= now_ns


async def test_another_task_that_hogs_the_loop_is_lag_too(hub):
    import select

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
    link = sh(hub, owner, "read x; sleep 0.05; echo y", env={"PATH": "/usr/bin:/bin"})
    link.send(b"x\n")
    await owner.until(lambda: owner.data)
    _, now_ns, lag_ns = owner.pieces[0]
    assert lag_ns < now_ns - link.handed_over_ns
