"""`arena serve`: the store in a browser, from a process that plays nothing and knows no secret.

On request remote bots may come in there and wait.  The same pages can be shown beside a running ladder; whatever
breaks in them, the ladder goes on.
"""

from __future__ import annotations

import signal
import socket
from collections.abc import Awaitable, Callable, Sequence
from functools import partial

import trio

from arena.analyses import Analyses
from arena.cli.door import first_of, keep_door_open
from arena.cli.failure import NOT_HERE, Failure
from arena.cli.place import Place
from arena.door.terms import DoorError, DoorTerms
from arena.door.tokens import FILE, Tokens
from arena.gallery import Gallery
from arena.web.application import LOCAL, make_app
from arena.web.serving import PortTaken, address_of, listen, serve

LOOPBACK = "127.0.0.1"


def serve_store(host: str, port: int, names: Sequence[str], place: Place, door: DoorTerms | None = None) -> None:
    """Until it is told to stop."""
    trouble: Exception | None = None
    tokens = Tokens(place.folder / FILE if door is None else door.token_file)
    with listening(host, port) as opened, place.open() as store:
        print(f"{address_of(opened)}   (Ctrl-C stops it)", flush=True)
        try:
            app = make_app(store, [*LOCAL, host, *names], tokens=tokens, analyses=Analyses(place.folder))
            trio.run(_serve, partial(serve, app, opened), door)
        except* DoorError as errors:
            trouble = first_of(errors)
    if trouble is not None:
        raise Failure(str(trouble), NOT_HERE)


async def _serve(pages: Callable[..., Awaitable[None]], door: DoorTerms | None) -> None:
    async with trio.open_nursery() as nursery:
        if door is not None:
            await nursery.start(keep_door_open, door)
        await pages(until_a_signal)
        nursery.cancel_scope.cancel()


class Pages:
    """Pages beside something that plays.  They read a store of their own, so that nobody waits for them."""

    def __init__(self, port: int, place: Place, gallery: Gallery | None = None) -> None:
        self._place, self._gallery = place, gallery
        self._opened = listening(LOOPBACK, port)

    async def show(self, say: Callable[[str], None]) -> None:
        """Until cancelled."""
        with self._opened as opened, self._place.open() as store:
            say(f"pages: {address_of(opened)}")
            try:
                tokens = Tokens(self._place.folder / FILE)
                analyses = Analyses(self._place.folder)
                await serve(make_app(store, gallery=self._gallery, tokens=tokens, analyses=analyses), opened)
            except Exception as error:  # play must go on
                say(f"the pages are gone: {error!r}. Show them again: arena serve")


def listening(host: str, port: int) -> socket.socket:
    """A socket of ours, or a sentence why not."""
    try:
        return listen(host, port)
    except PortTaken as error:
        raise Failure(str(error), NOT_HERE) from None


async def until_a_signal() -> None:
    """Return when the operator wants an end."""
    with trio.open_signal_receiver(signal.SIGINT, signal.SIGTERM, signal.SIGHUP) as signals:
        async for _ in signals:
            return
