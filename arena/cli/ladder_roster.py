"""`arena ladder add`, `remove`, `pause` and `release`: who takes part, also while the ladder runs."""

from __future__ import annotations

import json
from pathlib import Path

from arena.cli.entering import bots_called, kept_on_shelf, submitted_in
from arena.cli.event import enter
from arena.cli.place import Place, failure_of
from arena.store import StoreError


def add_bots(name: str, texts: list[str], place: Place, as_json: bool) -> None:
    """Enter bots, or let paused ones play again."""
    bots = bots_called(texts, Path(), submitted_in(place))
    try:
        with place.open() as store:
            ladder = store.find_ladder(name)
            bots = kept_on_shelf(bots, place)
            enter(store, ladder, bots)
            for label in bots:
                store.set_bot_status(ladder, label, "playing")
    except StoreError as error:
        raise failure_of(error) from None
    _tell(name, dict.fromkeys(bots, "playing"), as_json)


def set_status(name: str, label: str, status: str, place: Place, as_json: bool) -> None:
    """Playing, paused or removed."""
    try:
        with place.open() as store:
            store.set_bot_status(store.find_ladder(name), label, status)
    except StoreError as error:
        raise failure_of(error) from None
    _tell(name, {label: status}, as_json)


def _tell(name: str, statuses: dict[str, str], as_json: bool) -> None:
    if as_json:
        print(json.dumps({"ladder": name, "bots": statuses}))
        return
    for label, status in statuses.items():
        print(f"{label} is {status} on {name}; a running ladder follows within seconds")
