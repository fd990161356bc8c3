"""`arena ladder show`, `list` and `status`: what is stored, told."""

from __future__ import annotations

import json
from typing import Any

from arena.boards import boards_of, named
from arena.cli.board import board, notes
from arena.cli.failure import USAGE, Failure
from arena.cli.place import Place, failure_of
from arena.store import StoreError
from arena.store.lock import holder_of
from arena.store.roster import Ladder
from arena.store.store import Store
from protocol.errors import printable


def show_ladder(name: str, place: Place, as_json: bool) -> None:
    """The standings of every division, and how they came about."""
    try:
        with place.open() as store:
            stored = store.find_ladder(name)
            if stored.kind != "ladder":
                raise Failure(
                    f"{name} is a {stored.kind}, not a ladder; see: arena match list --ladder {name}", USAGE
                )
            boards = boards_of(store, stored, place.memory)
            places, winners = _knockouts(place, store, stored)
    except StoreError as error:
        raise failure_of(error) from None
    if as_json:
        knockouts = {"knockouts": places} if places else {}
        print(json.dumps({"ladder": stored.name, "divisions": boards, **knockouts}))
        return
    print(f"{stored.name}: {printable(stored.title)}")
    for found in boards:
        head = found["head"]
        print(f"\n{named(found)}: {head['blocks']:,} blocks, {head['games']:,} games")
        for line in (*board(found), *notes(found)):
            print(line)
        effect = head["design_effect"]["value"]
        if effect:
            print(f"One game here is worth {1 / effect:.2f} independent games.")
    if places:
        print("", *winners, sep="\n")
    if boards:
        print(f"\n{boards[0]['head']['method']}")
    else:
        print(f"No block is finished yet. Play: arena ladder run {name}")


def _knockouts(place: Place, store: Store, stored: Ladder) -> tuple[list[dict[str, Any]], list[str]]:
    """The places of a knockout, as data and in words; of other formats nothing."""
    if stored.settings.get("schedule", {}).get("format") != "knockout":
        return [], []
    from arena.cli.places import in_words, stored_places  # loads the runner

    places = stored_places(place, store, stored)
    return places, [in_words(found) for found in places]


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
        print(f"{ladder.name}  {count.final:,} blocks  {count.matches:,} matches  {printable(ladder.title)}")
    if not found:
        print("No ladders yet. Try: arena ladder run quickstart   |   arena new ladder spring")


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
