"""`arena match list`, `arena match show` and `arena export`: finished matches, found and told."""

from __future__ import annotations

import json
from datetime import datetime
from typing import Any

from arena.cli.failure import USAGE, Failure, unknown
from arena.cli.place import Place, failure_of
from arena.store import StoreError
from arena.store.matches import SORTS, Line, Wanted


def moment(text: str | None) -> datetime | None:
    """A time as people write it."""
    try:
        return None if text is None else datetime.fromisoformat(text).astimezone()
    except (ValueError, OverflowError):  # a time that no zone of ours can tell
        raise Failure(f'--since "{text}": write a date such as 2026-11-16, or 2026-11-16T14:30', USAGE) from None


def list_matches(wanted: Wanted, place: Place, as_json: bool) -> None:
    """A page of them, one line each."""
    if wanted.sort not in SORTS:
        raise unknown("order", wanted.sort, SORTS)
    try:
        with place.open() as store:
            lines = store.match_list(wanted)
    except StoreError as error:
        raise failure_of(error) from None
    if as_json:
        print(json.dumps([_data(line) for line in lines]))
        return
    for line in lines:
        print(_told(line))
    if not lines:
        print("No finished match fits.")


def show_match(match: str, place: Place, as_json: bool) -> None:
    """One of them, whatever its state."""
    try:
        with place.open() as store:
            found = store.match(match)
    except StoreError as error:
        raise failure_of(error) from None
    if as_json:
        result = {} if found.line is None else _data(found.line)
        print(json.dumps({"match": found.match, "state": found.state, "commitment": found.commitment, **result}))
        return
    print(f"{found.match}  block {found.block} of {found.ladder}  {found.state}")
    print(f"commitment {found.commitment}")
    if found.line is None:
        print(found.text)
        return
    line = found.line
    print(f"{line.division.game}, {line.division.seats} seats, {line.moves} decisions, {line.duration_ms} ms")
    for number, seat in enumerate(line.seats):
        told = f"  seat {number}: {seat.place}. {seat.bot}  {seat.points} points  {seat.thinking_us / 1000:.1f} ms"
        print(told + (f"  {seat.code}" if seat.code else "") + ("  forfeited" if seat.forfeited else ""))
    if found.text:
        print(found.text)
    print(f"Next: arena replay {found.match} --seat 0   |   arena verify {found.match}")


def export_matches(ladder: str, form: str, place: Place) -> None:
    """All of a ladder, to stdout."""
    if form not in ("jsonl", "csv"):
        raise Failure(f'--as "{form}": choose jsonl or csv', USAGE)
    try:
        with place.open() as store:
            found = store.find_ladder(ladder)
            for line in store.export_csv(found) if form == "csv" else store.export_json_lines(found):
                print(line, end="")
    except StoreError as error:
        raise failure_of(error) from None


def _told(line: Line) -> str:
    seats = ", ".join(f"{seat.place}. {seat.bot} {seat.points}" for seat in line.seats)
    failed = "; ".join(f"{seat.code} {seat.bot}" for seat in line.seats if seat.code)
    return f"{line.match}  {line.ladder}  {line.division.game}  {seats}" + (f"  {{{failed}}}" if failed else "")


def _data(line: Line) -> dict[str, Any]:
    return {
        "match": line.match,
        "ladder": line.ladder,
        "block": line.block,
        **line.division._asdict(),
        "finished": line.finished,
        "moves": line.moves,
        "duration_ms": line.duration_ms,
        "seats": [seat._asdict() for seat in line.seats],
    }
