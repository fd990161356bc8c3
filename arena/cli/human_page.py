"""A human's seat in a browser: the page beside the match, and after it, so that the replay can be seen."""

from __future__ import annotations

from functools import partial

import trio

from arena.cli.human import Table
from arena.cli.place import Place
from arena.cli.serve import LOOPBACK, listening, until_a_signal
from arena.gallery import Gallery
from arena.web.application import make_app
from arena.web.seat import Seat
from arena.web.serving import address_of, serve


class HumanPage:
    """The page on its port."""

    def __init__(self, table: Table, place: Place, port: int) -> None:
        self._table, self._place = table, place
        self._opened = listening(LOOPBACK, port)
        self._address = address_of(self._opened)

    @property
    def origins(self) -> tuple[str, ...]:
        """The page's own, by the one name under which it is told."""
        return (self._address.rstrip("/"),)

    def __enter__(self) -> HumanPage:
        return self

    def __exit__(self, *error: object) -> None:
        self._opened.close()

    async def seat(self, door: str, token: str, gallery: Gallery) -> None:
        """Show the page while the match is played."""
        table = self._table
        sitting = table.sitting
        seat = Seat(
            sitting.game, table.variant.changes(), tuple(table.labels), sitting.seat, table.timed, socket=door
        )
        # Behind the # a token reaches the page and no server, no log and no other site.
        print(f"Your seat: {self._address}seat#{token}\n(Ctrl-C leaves the table)", flush=True)
        with self._place.open() as store:
            await serve(make_app(store, gallery=gallery, seat=seat), self._opened)

    def stay(self) -> None:
        """Go on showing what was played."""
        print(f"Replays: {self._address}matches   (Ctrl-C stops it)", flush=True)
        with self._place.open() as store:
            trio.run(partial(serve, make_app(store), self._opened, until_a_signal))
