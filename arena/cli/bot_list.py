"""`arena bot list` and `arena bot retire`."""

from __future__ import annotations

import json

from arena.cli.place import Place, failure_of
from arena.store import StoreError
from arena.store.programs import Program


def list_bots(place: Place, as_json: bool) -> None:
    """One line per version."""
    try:
        if place.begun:
            with place.open() as store:
                programs = store.list_programs()
        else:
            programs = []
    except StoreError as error:
        raise failure_of(error) from None
    if as_json:
        print(json.dumps([data_of(program) for program in programs]))
        return
    for program in programs:
        owner = f"  of {program.owner}" if program.owner else ""
        games = ", ".join(program.games) or "all games"
        print(f"{program.label:<24} {program.status:<8} {program.submitted[:10]}  {games}{owner}")
    if not programs:
        print("No bot was submitted yet. Try: arena new bot tiger && arena submit tiger")


def retire_bot(name: str, place: Place, as_json: bool) -> None:
    """One version: the one named, or the newest that may play."""
    try:
        with place.open() as store:
            program = store.find_program(name)
            ladders = store.retire_program(program)
    except StoreError as error:
        raise failure_of(error) from None
    if as_json:
        print(json.dumps({"bot": program.label, "status": "retired", "ladders": ladders}))
        return
    left = f"; it leaves {', '.join(ladders)}" if ladders else ""
    print(f"{program.label} is retired{left}. What it played stays.")


def data_of(program: Program) -> dict[str, object]:
    """A version, for JSON."""
    return {
        "bot": program.name,
        "version": program.version,
        "label": program.label,
        "owner": program.owner,
        "games": program.games,
        "content": program.content,
        "status": program.status,
        "sandbox": program.sandbox,
        "submitted": program.submitted,
    }
