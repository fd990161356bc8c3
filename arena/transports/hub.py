"""One epoll that holds the pipes of every bot, and the one trio task that waits for it.

Bots have no task of their own: whatever is ready is read, then all of it handed on by direct calls, then all that
came of it is written.  The hub knows descriptors, callbacks and time; no processes, and nothing of what the bytes
mean.
"""

from __future__ import annotations

import os
import secrets
import select
import time
from collections.abc import Awaitable, Callable
from typing import Any

import trio
from trio.lowlevel import add_instrument, remove_instrument, wait_readable

from arena.transports.lag import LoopWatch
from arena.transports.link import Link

Handler = Callable[[int, int], None]
"""Called with (now_ns, lag_ns) when its descriptor is ready."""

FAIR_NS = 10_000_000
FAIR_ROUNDS = 64
"""After so much time, or so many batches in a row, the other trio tasks have their turn.

Trio's own round costs as much as two decisions, and no task is in a hurry: every bot is reached from here.
"""

GATHER_S = 0.01
"""How long `gather` waits for more of the same."""


def trio_now_ns() -> int:
    """Trio's clock in nanoseconds: a hub that reads it obeys a mocked clock."""
    return round(trio.current_time() * 1e9)


def _nothing(now_ns: int) -> None:
    """Stands in for a hook nobody has set."""


class Hub:
    """Waits for all bots at once, and calls whoever has something ready."""

    def __init__(self, now_ns: Callable[[], int] = time.monotonic_ns) -> None:
        self.now_ns = now_ns
        self.after_batch: Callable[[int], None] = _nothing
        """Called with now_ns after every batch of callbacks, whatever brought them: pipes, memory or ticks."""
        self._epoll = select.epoll()
        self._handlers: dict[int, Handler] = {}
        self._at_close: dict[Any, Callable[[list[Any]], None]] = {}
        self._token = secrets.token_hex(8)
        self._marks = 0
        self._nursery: trio.Nursery | None = None
        self._not_yet_started: list[tuple[Callable[..., Awaitable[object]], tuple[Any, ...]]] = []
        self._gathered: dict[Callable[[list[Any]], None], list[Any]] = {}
        self._watch: LoopWatch
        self._dispatching = False
        self._to_close: list[int] = []
        self._brought: list[tuple[Link, bytes]] = []

    # What links use ------------------------------------------------------------------------------------

    def watch(self, fd: int, handler: Handler, events: int = select.EPOLLIN) -> None:
        """Call `handler` whenever `fd` is ready, for as long as it is."""
        self._epoll.register(fd, events)
        self._handlers[fd] = handler

    def unwatch(self, fd: int) -> None:
        """Forget `fd`, at once: an event of the present batch is dropped too."""
        if self._handlers.pop(fd, None) is not None:
            self._epoll.unregister(fd)

    def release(self, fd: int) -> None:
        """Forget `fd` and close it."""
        self.unwatch(fd)
        if self._dispatching:
            # Its number must not come back under another owner while events of this batch name it.
            self._to_close.append(fd)
        else:
            os.close(fd)

    def bring(self, link: Link, data: bytes) -> None:
        """For handlers: have the link's owner receive this once all that is ready has been read.

        Matches are stepped quicker one after the other than with a system call before each.
        """
        self._brought.append((link, data))

    def at_close(self, action: Callable[[list[Any]], None], item: object) -> None:
        """Have `action` called with this and its other items if the hub ends before they are forgotten."""
        self._at_close[item] = action

    def forget(self, item: object) -> None:
        """Take back `at_close`."""
        self._at_close.pop(item, None)

    def new_mark(self) -> str:
        """A word that no other link of any arena has."""
        self._marks += 1
        return f"{self._token}-{self._marks}"

    def spawn(self, task: Callable[..., Awaitable[object]], *args: Any) -> None:
        """Run a trio task beside the hub, from the moment the hub runs."""
        if self._nursery is None:
            self._not_yet_started.append((task, args))
        else:
            self._nursery.start_soon(task, *args)

    def settle(self, now_ns: int) -> None:
        """Say that a batch of callbacks made outside the epoll is complete."""
        self.after_batch(now_ns)

    def lag_ns(self, now_ns: int) -> int:
        """How long something ready at `now_ns` may have waited because the loop was busy."""
        return max(0, now_ns - self._watch.quiet_ns)

    # Time ----------------------------------------------------------------------------------------------

    def every(self, seconds: float, callback: Callable[[int, int], None]) -> trio.CancelScope:
        """Call `callback(now_ns, lag_ns)` every so often, `lag_ns` late; cancel what is returned to end it."""
        scope = trio.CancelScope()
        self.spawn(self._tick, seconds, callback, scope)
        return scope

    def later(self, seconds: float, callback: Callable[[], None]) -> None:
        """Call `callback` once, so much later."""
        self.spawn(self._call_later, seconds, callback)

    def gather(self, action: Callable[[list[Any]], None], item: object) -> None:
        """Call `action` once, a moment later, with all items gathered for it by then."""
        if action in self._gathered:
            self._gathered[action].append(item)
            return
        self._gathered[action] = [item]
        self.later(GATHER_S, lambda: action(self._gathered.pop(action)))

    async def _tick(self, seconds: float, callback: Callable[[int, int], None], scope: trio.CancelScope) -> None:
        with scope:
            due = trio.current_time()
            while True:
                due += seconds
                await trio.sleep_until(due)
                late = trio.current_time() - due
                if late >= seconds:
                    # Ticks that were missed are not made up for.
                    due += late
                now_ns = self.now_ns()
                callback(now_ns, round(late * 1e9))
                self.after_batch(now_ns)

    async def _call_later(self, seconds: float, callback: Callable[[], None]) -> None:
        await trio.sleep(seconds)
        callback()
        self.after_batch(self.now_ns())

    # The loop ------------------------------------------------------------------------------------------

    async def run(self, task_status: trio.TaskStatus[None] = trio.TASK_STATUS_IGNORED) -> None:
        """Serve until cancelled; then every link still open is ended by force, and nobody is told."""
        self._watch = LoopWatch(self.now_ns)
        add_instrument(self._watch)
        try:
            async with trio.open_nursery() as self._nursery:
                for task, args in self._not_yet_started:
                    self._nursery.start_soon(task, *args)
                self._not_yet_started.clear()
                task_status.started()
                await self._serve()
        finally:
            self._nursery = None
            self.close()
            remove_instrument(self._watch)

    async def _serve(self) -> None:
        descriptor = self._epoll.fileno()
        while True:
            await wait_readable(descriptor)
            turn_ends_ns = self.now_ns() + FAIR_NS
            for _ in range(FAIR_ROUNDS):
                if not self._dispatch() or self._watch.quiet_ns > turn_ends_ns:
                    break

    def turn(self) -> None:
        """Hand on now what is ready now: for ticks, before a bot is judged by its silence."""
        if not self._dispatching:
            self._dispatch()

    def _dispatch(self) -> bool:
        """Hand on everything that is ready; False if nothing was."""
        ready = self._epoll.poll(0)
        # One time for the whole batch: no bot is charged for those before it.
        now_ns = self.now_ns()
        lag_ns = now_ns - self._watch.quiet_ns
        self._watch.quiet_ns = now_ns
        if not ready:
            return False
        handlers = self._handlers
        self._dispatching = True
        for fd, _ in ready:
            try:
                handler = handlers[fd]
            except KeyError:
                # Released by one that came before it in this batch.
                continue
            handler(now_ns, lag_ns)
        brought, self._brought = self._brought, []
        for link, data in brought:
            link.owner.received(link, data, now_ns, lag_ns)
        self._dispatching = False
        if self._to_close:
            self._close_released()
        self.after_batch(now_ns)
        return True

    def _close_released(self) -> None:
        for fd in self._to_close:
            os.close(fd)
        self._to_close.clear()

    def close(self) -> None:
        """End by force what is left, and give back the descriptor."""
        self._dispatching = False
        for action in set(self._at_close.values()):
            action([item for item, closer in self._at_close.items() if closer is action])
        self._at_close.clear()
        self._close_released()
        self._epoll.close()
