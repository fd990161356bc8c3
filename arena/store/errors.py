"""What can go wrong with the store, as sentences.

StoreError
├── Unknown       nothing goes by that name
├── Held          another arena runs this ladder
├── Newer         written by a later arena than this one
├── Damaged       what is stored cannot be what was written
└── Unavailable   not now: disk full, input/output error, locked, connection lost; may be tried again
"""

from __future__ import annotations


class StoreError(Exception):
    """Something the store cannot do; the text says what and why."""


class Unknown(StoreError):
    """Nothing goes by that name.  `next_step` is for whoever can type commands; a visitor of a page cannot."""

    def __init__(self, text: str, next_step: str = "") -> None:
        super().__init__(text)
        self.next_step = next_step


class Held(StoreError):
    """Another arena runs this ladder."""


class Newer(StoreError):
    """The database was written by a later arena than this one."""


class Damaged(StoreError):
    """What is stored cannot be what was written."""


class Unavailable(StoreError):
    """Not now; nothing is known to be written, so ask again later.  `reason` is short, the text is whole."""

    def __init__(self, reason: str, detail: str = "") -> None:
        super().__init__(f"{reason} ({detail})" if detail else reason)
        self.reason = reason
