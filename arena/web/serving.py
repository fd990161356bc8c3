"""The app on a port: Anycorn on trio.  Beside a running ladder or in a process of its own, it is the same."""

from __future__ import annotations

import errno
import os
import socket
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any

import anycorn
import trio
from starlette.applications import Starlette

LONGEST_HEAD = 16 * 1024
PATIENCE_S = 20
"""A connection on which no request is under way by then is closed, also when half of one has come."""


class PortTaken(Exception):
    """It is not possible to listen there; the text says why, and where it is."""


def listen(host: str, port: int) -> socket.socket:
    """A socket of ours, before anything else is begun; port 0 is any that is free."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    opened = socket.socket(family, socket.SOCK_STREAM)
    opened.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        opened.bind((host, port))
        opened.listen(256)
    except OSError as error:
        opened.close()
        raise _refusal(error, host, port) from None
    except (TypeError, UnicodeError):
        opened.close()
        raise PortTaken(f"{host} is no address at all; 127.0.0.1 is one, 0.0.0.0 is all of this machine") from None
    except OverflowError:
        opened.close()
        raise PortTaken(f"there is no port {port}; choose one from 0 to 65535") from None
    return opened


def _refusal(error: OSError, host: str, port: int) -> PortTaken:
    if error.errno == errno.EADDRINUSE:
        return PortTaken(f"port {port} is in use; choose another, such as {port + 1}, or 0 for any that is free")
    if error.errno == errno.EACCES:
        return PortTaken(f"port {port} is not for ordinary users; choose one above 1023")
    if error.errno == errno.EADDRNOTAVAIL or isinstance(error, socket.gaierror):
        return PortTaken(
            f"{host} is no address of this machine ({error.strerror}); 127.0.0.1 is one, 0.0.0.0 is all"
        )
    return PortTaken(f"{host}:{port} cannot be used: {error.strerror}")


def address_of(opened: socket.socket) -> str:
    """What to type into a browser."""
    host, port = opened.getsockname()[:2]
    return f"http://{f'[{host}]' if ':' in host else host}:{port}/"


async def serve(
    app: Starlette,
    opened: socket.socket,
    stop: Callable[[], Awaitable[Any]] | None = None,
    task_status: trio.TaskStatus[Any] = trio.TASK_STATUS_IGNORED,
) -> None:
    """Answer until `stop` returns, or until cancelled."""
    config = anycorn.Config()
    config.bind = [f"fd://{os.dup(opened.fileno())}"]  # the server closes what it is given
    config.h11_max_incomplete_size = LONGEST_HEAD
    config.keep_alive_timeout = PATIENCE_S
    config.graceful_timeout = 1.0
    config.shutdown_timeout = 2.0
    config.loglevel = "WARNING"
    config.accesslog = None
    config.include_server_header = False
    run = partial(anycorn.serve, app, config, shutdown_trigger=stop, mode="asgi")  # type: ignore[arg-type]
    async with trio.open_nursery() as nursery:
        nursery.start_soon(app.state.boards.keep_looking)
        nursery.start_soon(app.state.tables.keep_looking)
        async with trio.open_nursery() as server:
            await server.start(run)
            task_status.started()
        nursery.cancel_scope.cancel()
