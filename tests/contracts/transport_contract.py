"""What every transport must do, whatever lies between the arena and the bot.

A transport passes by subclassing `TransportContract` and saying how its bots perform an act; the acts are
described in `tests/hostile_bots/transport/acts.py`.
"""

import signal
from collections.abc import Callable

import pytest
import trio

from arena.transports import Hub, stop_all
from arena.transports.link import BACKLOG_BYTES, CLOSED_ITS_INPUT, DOES_NOT_READ, WAS_STOPPED, Ending, Link
from tests.hostile_bots.transport.acts import SAMPLE

PATIENCE_S = 20


class Recorder:
    """An owner that writes everything down and can be waited for."""

    def __init__(self) -> None:
        self.data = bytearray()
        self.pieces: list[tuple[bytes, int, int]] = []
        self.handed_over_at: list[int] = []
        self.endings: list[Ending] = []
        self.data_at_end: bytes | None = None
        self._changed = trio.Event()

    def received(self, link: Link, data: bytes, now_ns: int, lag_ns: int) -> None:
        self.data += data
        self.pieces.append((data, now_ns, lag_ns))
        self._changed.set()

    def handed_over(self, link: Link, now_ns: int) -> None:
        self.handed_over_at.append(now_ns)
        self._changed.set()

    def lost(self, link: Link, ending: Ending) -> None:
        self.endings.append(ending)
        self.data_at_end = bytes(self.data)
        self._changed.set()

    async def until(self, condition: Callable[[], object]) -> None:
        with trio.fail_after(PATIENCE_S):
            while not condition():
                self._changed = trio.Event()
                await self._changed.wait()

    async def hears(self, data: bytes) -> None:
        await self.until(lambda: len(self.data) >= len(data))
        assert bytes(self.data) == data

    async def ends(self, link: Link) -> Ending:
        """Wait for the ending and until nothing is left; it must have been told once, and last."""
        await self.until(lambda: self.endings)
        with trio.fail_after(PATIENCE_S):
            await link.gone.wait()
        assert len(self.endings) == 1
        assert self.data_at_end == bytes(self.data)
        assert not link.alive
        assert link.cpu_ns() is None
        return self.endings[0]


def numbered(size: int) -> bytes:
    """Bytes whose order can be checked."""
    return bytes(i % 251 for i in range(size))


class TransportContract:
    """Subclass it and say how a bot of this transport performs an act."""

    LEFT = Ending("exit", exit_code=0)
    """How a bot ends that is done."""

    STOPPED = Ending("stopped", exit_code=0)
    SILENT = Ending("closed output")
    """How one ends that can say nothing more, and did not leave."""

    def start(self, hub: Hub, owner: Recorder, act: str, *arguments: str) -> Link:
        raise NotImplementedError

    @pytest.fixture
    async def hub(self, nursery):
        hub = Hub()
        await nursery.start(hub.run)
        return hub

    async def test_order_is_kept_from_the_bot(self, hub):
        owner = Recorder()
        self.start(hub, owner, "count", "2000")
        await owner.until(lambda: owner.endings)
        assert bytes(owner.data) == b"".join(b"%d\n" % i for i in range(2000))

    async def test_order_is_kept_to_the_bot(self, hub):
        owner = Recorder()
        link = self.start(hub, owner, "echo")
        messages = [b"<%d>" % i for i in range(500)]
        for message in messages:
            link.send(message)
        await owner.hears(b"".join(messages))

    async def test_what_is_small_is_handed_over_at_once(self, hub):
        owner = Recorder()
        link = self.start(hub, owner, "echo")
        assert link.handed_over_ns is None
        before = hub.now_ns()
        assert link.send(b"hello")
        assert before <= link.handed_over_ns <= hub.now_ns()
        assert link.unsent == 0
        assert link.cannot_send is None
        await owner.hears(b"hello")
        assert not owner.handed_over_at, "nothing was delayed"

    async def test_what_is_large_is_handed_over_later(self, hub):
        owner = Recorder()
        size = 500_000
        link = self.start(hub, owner, "measure", str(size))
        assert not link.send(numbered(size))
        assert link.unsent > 0
        assert link.handed_over_ns is None
        await owner.hears(b"500000 1")
        await owner.until(lambda: owner.handed_over_at)
        assert owner.handed_over_at == [link.handed_over_ns]
        assert link.unsent == 0

    async def test_messages_that_wait_keep_their_order(self, hub):
        owner = Recorder()
        size = 160_000
        link = self.start(hub, owner, "measure", str(size))
        data = numbered(size)
        for message in (data[:120_000], data[120_000:120_010], data[120_010:]):
            assert not link.send(message)
        await owner.hears(b"160000 1")
        await owner.until(lambda: owner.handed_over_at)
        assert len(owner.handed_over_at) == 1

    async def test_byte_by_byte_is_as_good(self, hub):
        owner = Recorder()
        self.start(hub, owner, "drip")
        await owner.until(lambda: owner.endings)
        assert bytes(owner.data) == SAMPLE

    async def test_cut_after_every_byte(self, hub):
        owners = [Recorder() for _ in range(len(SAMPLE) + 1)]
        links = [self.start(hub, owner, "cut", str(n)) for n, owner in enumerate(owners)]
        for n, (owner, link) in enumerate(zip(owners, links, strict=True)):
            assert await owner.ends(link) == self.LEFT
            assert bytes(owner.data) == SAMPLE[:n]

    async def test_reply_and_exit_at_once(self, hub):
        for _ in range(20):
            owner = Recorder()
            link = self.start(hub, owner, "echo_once")
            link.send(b"your move")
            assert await owner.ends(link) == self.LEFT
            assert owner.data == b"your move"

    async def test_closed_output_ends_the_bot(self, hub):
        owner = Recorder()
        link = self.start(hub, owner, "close_output")
        assert await owner.ends(link) == self.SILENT
        assert owner.data == b"last"

    async def test_clogged_by_one_who_never_reads(self, hub):
        owner = Recorder()
        link = self.start(hub, owner, "deaf")
        await owner.hears(b"here")
        sent = 0
        while link.cannot_send is None:
            link.send(numbered(1000))
            sent += 1000
        assert link.cannot_send == DOES_NOT_READ
        assert sent <= 2 * BACKLOG_BYTES + 3000, "pipe and backlog are bounded"
        waiting = link.unsent
        assert waiting > BACKLOG_BYTES
        assert not link.send(b"one more")
        assert link.unsent == waiting + 8
        assert link.alive, "whether that is a fault is decided elsewhere"
        link.kill()
        assert (await owner.ends(link)).how == "stopped"
        assert not owner.handed_over_at

    async def test_one_frame_is_taken_whatever_its_size(self, hub):
        owner = Recorder()
        link = self.start(hub, owner, "deaf")
        await owner.hears(b"here")
        assert not link.send(bytes(3 * BACKLOG_BYTES))
        assert link.cannot_send is None

    async def test_input_closed_under_a_waiting_message(self, hub):
        owner = Recorder()
        link = self.start(hub, owner, "echo_once")
        assert not link.send(numbered(500_000))
        await owner.ends(link)
        assert link.unsent > 0
        assert not owner.handed_over_at

    async def test_stop_ends_the_input_after_what_was_sent(self, hub):
        owner = Recorder()
        link = self.start(hub, owner, "echo")
        link.send(numbered(300_000))
        link.stop()
        link.stop()
        assert not link.send(b"too late")
        assert link.cannot_send == WAS_STOPPED
        assert await owner.ends(link) == self.STOPPED
        assert bytes(owner.data) == numbered(300_000)

    async def test_stop_all_in_good_order(self, hub):
        owners = [Recorder() for _ in range(5)]
        links = [self.start(hub, owner, "echo") for owner in owners]
        with trio.fail_after(PATIENCE_S):
            await stop_all(links, grace_s=PATIENCE_S)
        assert [owner.endings[0] for owner in owners] == [self.STOPPED] * 5

    async def test_stop_all_by_force(self, hub):
        owner = Recorder()
        link = self.start(hub, owner, "ignore_the_end")
        await owner.hears(b"here")
        with trio.fail_after(PATIENCE_S):
            await stop_all([link], grace_s=0.01)
        assert owner.endings[0].how == "stopped"

    async def test_kill_is_final_and_may_be_repeated(self, hub):
        owner = Recorder()
        link = self.start(hub, owner, "deaf")
        await owner.hears(b"here")
        link.kill()
        link.kill()
        assert (await owner.ends(link)).text == "stopped by the arena"
        link.kill()
        link.stop()
        assert not link.send(b"anyone?")

    async def test_after_each_batch_the_hook_is_called(self, hub):
        heard_by_then: list[int] = []
        owner = Recorder()
        hub.after_batch = lambda now_ns: heard_by_then.append(len(owner.data))
        link = self.start(hub, owner, "echo")
        link.send(b"x")
        await owner.hears(b"x")
        assert heard_by_then[-1] == 1

    async def test_cancelled_hub_leaves_nothing_behind(self):
        owner = Recorder()
        async with trio.open_nursery() as nursery:
            hub = Hub()
            await nursery.start(hub.run)
            link = self.start(hub, owner, "deaf")
            await owner.hears(b"here")
            nursery.cancel_scope.cancel()
        assert link.gone.is_set()
        assert not link.alive
        assert not owner.endings, "nobody is told any more"

    async def test_a_bug_of_ours_is_loud(self):
        class Buggy(Recorder):
            def received(self, link, data, now_ns, lag_ns):
                raise ZeroDivisionError("our own bug")

        hub = Hub()
        self.start(hub, Buggy(), "drip")
        with trio.fail_after(PATIENCE_S), pytest.RaisesGroup(ZeroDivisionError, flatten_subgroups=True):
            await hub.run()


class ProcessContract(TransportContract):
    """What besides can be seen of a bot that is a process, or pretends to be one."""

    async def test_exit_code_is_told(self, hub):
        owner = Recorder()
        link = self.start(hub, owner, "leave", "7")
        assert await owner.ends(link) == Ending("exit", exit_code=7)
        assert owner.endings[0].text == "exit code 7"

    async def test_signal_is_named_after_the_last_bytes(self, hub):
        owner = Recorder()
        link = self.start(hub, owner, "crash", "SIGSEGV")
        assert await owner.ends(link) == Ending("signal", signal=signal.SIGSEGV.name)
        assert owner.endings[0].text == "signal SIGSEGV"
        assert owner.data == b"last"

    async def test_closed_input_is_noticed_and_survived(self, hub):
        owner = Recorder()
        link = self.start(hub, owner, "close_input")
        await owner.hears(b"closed")
        assert not link.send(b"are you there?")
        assert link.cannot_send == CLOSED_ITS_INPUT
        assert link.unsent == len(b"are you there?")
        assert link.alive

    async def test_error_output_has_its_own_place(self, hub):
        owner = Recorder()
        link = self.start(hub, owner, "complain", "0")
        await owner.hears(b"done")
        link.stop()
        await owner.ends(link)
        assert link.stderr_tail() == link.stderr_kept() == b"last words"

    async def test_cpu_time_is_told(self, hub):
        owner = Recorder()
        link = self.start(hub, owner, "echo")
        link.send(b"x")
        await owner.hears(b"x")
        assert link.cpu_ns() >= 0
