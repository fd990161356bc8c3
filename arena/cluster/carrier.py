"""The seam to Dask: a connection to a scheduler, as few plain calls.  All of them block; call them in threads."""

from __future__ import annotations

import logging
import warnings
from collections.abc import Callable
from typing import Any, Final, TypeVar

import distributed

from arena.cluster import host
from arena.cluster.access import Access, ClusterError
from arena.cluster.batch import Batch, Played, Refused

Answer = TypeVar("Answer")
dask: Any = distributed  # half of it has no types

BOT_S: Final = 300.0
"""A large bot may need so long to arrive."""


class Lost(Exception):
    """The scheduler, or a worker, did not answer."""


class Carrier:
    """Connected from the beginning; once something is `Lost`, make a new one."""

    def __init__(self, access: Access) -> None:
        """Raises ClusterError when there is nobody."""
        _say_it_in_our_own_words()
        self._patience_s = access.patience_s
        security = dask.Security(
            tls_ca_file=str(access.ca) if access.ca else None,
            tls_client_cert=str(access.certificate) if access.certificate else None,
            tls_client_key=str(access.key) if access.key else None,
            require_encryption=access.encrypted,
        )
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # of other versions; `arena doctor` tells
                self._client = dask.Client(
                    access.address,
                    timeout=access.patience_s,
                    security=security,
                    set_as_default=False,
                    name="arena",
                )
        except (OSError, TimeoutError, ValueError) as error:
            raise ClusterError(f"no scheduler answers at {access.address} ({_brief(error)})") from None
        self._id = ""

    def machines(self) -> dict[str, dict[str, Any]]:
        """Dask's own account of its workers, by address."""
        told = self._asked(self._client.scheduler.identity)
        if self._id not in ("", told["id"]):
            raise Lost("the scheduler was started again, and has forgotten everything")
        self._id = told["id"]
        return dict(told["workers"])

    def versions(self) -> dict[str, dict[str, str]]:
        """Versions of Python and packages on the `scheduler`, the workers (by address) and the `client`."""
        told = self._asked(self._client._get_versions)
        places = {"scheduler": told["scheduler"], **told["workers"], "client": told["client"]}
        return {place: {"python": found["host"]["python"], **found["packages"]} for place, found in places.items()}

    def look(self, address: str) -> dict[str, Any]:
        """What a machine says about itself; nothing if it has no arena that could answer."""
        told = self._run(host.look, address)
        return told if isinstance(told, dict) else {}

    def missing(self, address: str, bots: list[Any]) -> list[str] | Refused:
        """Which of these bots a machine has not got."""
        answer: list[str] | Refused = self._run(host.missing, address, bots)
        return _expected(answer)

    def bring(self, address: str, content: str, parcel: bytes) -> Refused | None:
        """Give a machine a bot."""
        answer: Refused | None = self._run(host.take_in, address, content, parcel, patience_s=BOT_S)
        return _expected(answer)

    def hand_over(self, address: str, key: str, batch: Batch, done: Callable[[], None]) -> Any:
        """Have a batch played on one machine and no other; `done` is called in some thread."""
        try:
            future = self._client.submit(
                host.play, batch, key=key, workers=[address], allow_other_workers=False, pure=False
            )
        except Exception as error:
            raise Lost(_brief(error)) from None
        future.add_done_callback(lambda _: done())
        return future

    def result(self, future: Any) -> Played | Refused:
        """What came of it."""
        try:
            answer: Played | Refused = future.result(timeout=self._patience_s)
        except Exception as error:
            raise Lost(_brief(error)) from None
        return answer

    def close(self) -> None:
        """Whatever is under way is given up."""
        self._client.close(timeout=2)

    def _run(self, function: Callable[..., Any], address: str, *args: Any, patience_s: float = 60.0) -> Any:
        """Call a function on a machine, or tell what it raised."""
        told = self._asked(
            self._client._run, function, *args, workers=[address], on_error="return", wait_s=patience_s
        )
        return told.get(address, {})

    def _asked(self, question: Callable[..., Any], *args: Any, wait_s: float = 0.0, **options: Any) -> Any:
        try:
            return self._client.sync(
                question, *args, asynchronous=False, callback_timeout=wait_s or self._patience_s, **options
            )
        except Exception as error:
            raise Lost(_brief(error)) from None


def _say_it_in_our_own_words() -> None:
    """Dask writes whole tracebacks about a scheduler that is gone."""
    for name in list(logging.root.manager.loggerDict):
        if name.partition(".")[0] == "distributed":
            logging.getLogger(name).setLevel(logging.CRITICAL + 1)


def _expected(answer: Answer) -> Answer:
    """It, unless it is what went wrong on the way to one."""
    if isinstance(answer, BaseException):
        raise Lost(_brief(answer))
    return answer


def _brief(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}".split("\n")[0][:200]
