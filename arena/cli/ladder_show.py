"""`arena ladder show`, `list` and `status`: what is stored, told."""

from __future__ import annotations

import json

from arena.cli.board import board, notes
from arena.cli.ladder_run import as_data, remembered
from arena.cli.ladder_screen import all_standings, named
from arena.cli.place import Place, failure_of
from arena.store import StoreError
from arena.store.lock import holder_of


def show_ladder(name: str, place: Place, as_json: bool) -> None:
    """The standings of every division, and how they came about."""
    try:
        with place.open() as store:
            stored = store.find_ladder(name)
            ratings = remembered(stored).rating.settings()
            tables = list(all_standings(store, stored, ratings))
    except StoreError as error:
        raise failure_of(error) from None
    if as_json:
        print(json.dumps({"ladder": stored.name, "divisions": as_data(tables)}))
        return
    print(f"{stored.name}: {stored.title}")
    for division, table in tables:
        head = table.head
        print(f"\n{named(division)}: {head.blocks:,} blocks, {head.games:,} games")
        for line in (*board(table), *notes(table)):
            print(line)
        worth = head.design_effect.value
        if worth:
            print(f"One game here is worth {1 / worth:.2f} independent games.")
    if tables:
        print(f"\n{tables[0][1].head.method}")
    else:
        print(f"No block is finished yet. Play: arena ladder run {name}")


def list_ladders(place: Place, as_json: bool) -> None:
    """One line for each."""
    with place.open() as store:
        found = [(ladder, store.counts(ladder)) for ladder in store.list_ladders("ladder")]
    if as_json:
        print(
            json.dumps(
                [{"ladder": ladder.name, "title": ladder.title, **count._asdict()} for ladder, count in found]
            )
        )
        return
    for ladder, count in found:
        print(f"{ladder.name}  {count.final:,} blocks  {count.matches:,} matches  {ladder.title}")
    if not found:
        print("No ladders yet. Try: arena ladder run ladders/quickstart.toml")


def tell_status(name: str, place: Place, as_json: bool) -> None:
    """How far it is, who runs it, who takes part."""
    try:
        with place.open() as store:
            ladder = store.find_ladder(name)
            count, entries = store.counts(ladder), store.bots_of(ladder)
            holder = holder_of(store, ladder)
    except StoreError as error:
        raise failure_of(error) from None
    if as_json:
        bots = {entry.label: entry.status for entry in entries}
        print(json.dumps({"ladder": name, "running": holder, **count._asdict(), "bots": bots}))
        return
    print(f"{name} is {'being run (' + holder + ')' if holder else 'not running'}")
    print(f"{count.final:,} blocks and {count.matches:,} matches are stored, {count.planned:,} are under way")
    if count.void:
        print(f"{count.void:,} blocks were void and played again")
    if count.reviews:
        print(f"{count.reviews:,} blocks are held for review: two results differ")
    for entry in entries:
        print(f"  {entry.label}  {entry.status}")
