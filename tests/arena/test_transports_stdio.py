"""Bots as child processes: real programs, each with one bad habit.  Ids as in the catalogue of faults."""

import itertools
import os
import signal

import pytest
import trio

from arena.transports import Hub, stdio, stop_all
from arena.transports.child import Child, cpu_ns_from_proc
from arena.transports.excerpt import KEPT_BYTES
from arena.transports.launch import Launch
from arena.transports.link import CLOSED_ITS_INPUT
from arena.transports.strays import MARK, sweep
from tests.contracts.transport_contract import PATIENCE_S, Recorder
from tests.hostile_bots.transport.playing import play, sh


@pytest.fixture
async def hub(nursery):
    hub = Hub()
    await nursery.start(hub.run)
    return hub


def state_of(pid):
    with open(f"/proc/{pid}/stat") as file:
        return file.read().rpartition(")")[2].split()[0]


def runs(pid):
    try:
        return state_of(pid) != "Z"
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


async def test_what_just_fits_into_the_room_for_an_answer_arrives_and_what_does_not(hub):
    owner = Recorder()
    link = play(hub, owner, "echo")
    sent = b""
    for size in (1, stdio.SHORT_BYTES - 1, stdio.SHORT_BYTES, stdio.SHORT_BYTES + 1, 5_000, stdio.SHORT_BYTES):
        data = os.urandom(size)
        sent += data
        link.send(data)
        await owner.hears(sent)


async def test_a_bot_that_wakes_up_does_not_interrupt_the_arena(hub):
    owner = Recorder()
    link = play(hub, owner, "echo")
    assert os.sched_getscheduler(link.pid) == os.SCHED_BATCH
    link.kill()
    await link.gone.wait()


async def test_exit_code_of_a_shell(hub):
    owner = Recorder()
    link = sh(hub, owner, "exit 3")
    assert (await owner.ends(link)).text == "exit code 3"


@pytest.mark.parametrize("name", ["SIGSEGV", "SIGABRT", "SIGKILL", "SIGXCPU"])
async def test_a11_death_by_signal_is_named(hub, name):
    owner = Recorder()
    link = play(hub, owner, "crash", name)
    assert (await owner.ends(link)).text == f"signal {name}"


async def test_a11_a_bot_that_died_is_not_said_to_be_silent_while_its_sandbox_tidies_up(
    hub, tmp_path, monkeypatch
):
    """The process that started it takes its time, as one does that has a full folder to remove."""
    go_on = tmp_path / "go on"
    os.mkfifo(go_on)
    bot = "echo hello; read word; kill -SEGV $$"
    keeper = f"exec 3<&0; sh -c '{bot}' <&3 & exec >&- 2>&-; wait; read word < '{go_on}'; kill -SEGV $$"
    looks = []

    def look(child):
        looks.append(child)
        leaving = bot_is_leaving(child)
        if len(looks) == 3:
            go_on.write_text("now\n")
        return leaving

    bot_is_leaving = Child.bot_is_leaving
    monkeypatch.setattr(Child, "bot_is_leaving", look)

    def with_a_keeper(argv, *, cwd, env, mark):
        return Launch(("/bin/sh", "-c", keeper), cwd, {**env, MARK: mark}, depth=1)

    owner = Recorder()
    link = stdio.start(
        hub, ["true"], cwd="/", env=dict(os.environ), owner=owner, name="sh", launcher=with_a_keeper
    )
    await owner.hears(b"hello\n")
    link.send(b"die\n")
    assert (await owner.ends(link)).text == "signal SIGSEGV"
    assert len(looks) == 3


async def test_a26_a_frozen_bot_stands_still_until_something_is_sent(hub):
    owner = Recorder()
    link = play(hub, owner, "echo")
    link.send(b"x")
    await owner.hears(b"x")
    link.freeze()
    with trio.fail_after(PATIENCE_S):
        while state_of(link.pid) != "T":
            await trio.sleep(0)
    link.send(b"y")
    await owner.hears(b"xy")


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
        links = [
            sh(hub, owner, script)
            for owner, script in zip(owners, itertools.cycle(["exit 0", "read x", "kill -9 $$"]), strict=False)
        ]
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


async def test_input_closed_while_a_message_waits_is_refused_too(hub):
    owner = Recorder()
    link = play(hub, owner, "close_input_late")
    assert not link.send(bytes(500_000))
    await owner.hears(b"closed")
    with trio.fail_after(PATIENCE_S):
        while link.cannot_send is None:
            await trio.lowlevel.checkpoint()
    assert link.cannot_send == CLOSED_ITS_INPUT
    assert 0 < link.unsent < 500_000
    assert link.alive
    assert not owner.handed_over_at


async def test_last_words_are_read_even_if_the_time_for_them_is_over(hub):
    """The loop was busy: the drain ends before the hub has looked at the pipes at all."""
    owner = Recorder()
    link = play(hub, owner, "complain", "0")
    link.stop()
    os.waitid(os.P_PID, link.pid, os.WEXITED | os.WNOWAIT)
    link._exited(0, 0)
    link._end()
    assert owner.data == b"done"
    assert link.stderr_tail() == b"last words"
    await owner.ends(link)


async def stands_still(link):
    os.kill(link.pid, signal.SIGSTOP)
    with trio.fail_after(5):
        while state_of(link.pid) != "T":
            await trio.sleep(0.001)


async def test_a14_no_message_is_ever_sent_in_part(hub):
    """Not even after one was refused because too much had piled up."""
    owner = Recorder()
    link = play(hub, owner, "echo")
    line = b"x" * 9_999 + b"\n"
    await stands_still(link)
    while link.cannot_send is None:
        link.send(line)
    os.kill(link.pid, signal.SIGCONT)
    with trio.fail_after(5):
        while link._backlog:
            await trio.sleep(0.001)
    await stands_still(link)
    for _ in range(20):
        link.send(line)
    os.kill(link.pid, signal.SIGCONT)
    await trio.sleep(0.3)
    link.send(b"y\n")
    await trio.sleep(0.3)
    heard = set(map(len, bytes(owner.data).split(b"\n")))
    print(heard)
    assert heard <= {0, 1, len(line) - 1}
