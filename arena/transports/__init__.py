"""Ways to reach a bot.  A new one is a file with a `start`, a line here, and the transport contract."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from arena.transports import memory, stdio, websocket
from arena.transports.hub import Hub, trio_now_ns
from arena.transports.launch import Launch, Launcher
from arena.transports.link import Ending, Link, Owner, is_clogged, stop_all
from arena.transports.starting import StartError, obstacle

TRANSPORTS: Final[dict[str, Callable[..., Link]]] = {
    "stdio": stdio.start,
    "memory": memory.start,
    "websocket": websocket.start,
}

__all__ = [
    "TRANSPORTS",
    "Ending",
    "Hub",
    "Launch",
    "Launcher",
    "Link",
    "Owner",
    "StartError",
    "is_clogged",
    "obstacle",
    "stop_all",
    "trio_now_ns",
]
