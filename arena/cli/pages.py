"""Pages beside something that plays: `--web`.  The web server is loaded only where it is wanted."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arena.gallery import Gallery

if TYPE_CHECKING:
    from arena.cli.event import Event


def show_pages(event: Event, port: int, *, live: bool = True) -> None:
    """Have an event shown on a port while it is played; its running matches too, if `live`."""
    from arena.cli.serve import Pages

    event.gallery = Gallery(event.ladder.name) if live else None
    event.beside = Pages(port, event.place, event.gallery).show
