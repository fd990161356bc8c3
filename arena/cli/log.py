"""`arena log`: what happened in a match, for the operator and the owners of its bots."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from arena.bots.manifest import sample_names
from arena.cli.event import secret_of
from arena.cli.failure import USAGE, Failure
from arena.cli.mishaps import mishaps
from arena.cli.place import Place, failure_of
from arena.cli.play import seed_as_said
from arena.cli.replay import record_of
from arena.portrait import decisions
from arena.record import Document
from arena.store import StoreError
from arena.store.matches import Line
from arena.store.roster import Entry
from arena.store.store import Store
from protocol.errors import printable

LAST_LINES = 10
SLOWEST = 3


def tell_log(match: str, stderr: str | None, place: Place, as_json: bool) -> None:
    """The whole log, or all that one bot wrote to stderr."""
    document = record_of(match, place)
    try:
        with place.open() as store:
            line = store.match(document["match"]).line
            assert line is not None
            said = [store.stderr_of(line.match, seat, None) for seat in range(len(line.seats))]
            if stderr is not None:
                _tell_stderr(line, said, stderr, as_json)
                return
            again = reproduction(place, store, line)
    except StoreError as error:
        raise failure_of(error) from None
    if as_json:
        print(json.dumps(_data(document, line, said, again)))
        return
    for text in _told(document, line, said, again):
        print(text)


def _tell_stderr(line: Line, said: Sequence[bytes], who: str, as_json: bool) -> None:
    called = [(str(seat), held.bot, held.bot.partition("@")[0]) for seat, held in enumerate(line.seats)]
    seats = [seat for seat, names in enumerate(called) if who in names]
    if not seats:
        known = ", ".join(f"{seat}: {held.bot}" for seat, held in enumerate(line.seats))
        raise Failure(f'no seat of {line.match} is called "{who}"; there are {known}', USAGE)
    texts = {seat: lines_of(said[seat]) for seat in seats}
    if as_json:
        print(json.dumps({"match": line.match, "stderr": texts}))
        return
    for seat, lines in texts.items():
        print(f"{line.match} seat {seat}, {line.seats[seat].bot}: {len(said[seat]):,} bytes of stderr")
        if not lines:
            print("  (kept only of bots that failed)")
        for text in lines:
            print(f"  | {text}")


def lines_of(said: bytes) -> list[str]:
    """What a bot wrote, line by line, with everything spelled out that could move a cursor or begin a line."""
    return [printable(line) for line in said.decode("utf-8", "backslashreplace").splitlines()]


def _told(document: Document, line: Line, said: Sequence[bytes], again: str) -> Iterator[str]:
    yield (
        f"{line.match}  {line.division.game}  block {line.block} of {line.ladder}, seating {line.seating}  "
        f"sandbox {document['sandbox']}  {line.finished[:19]}"
    )
    limit = document["clock"]["move_ms"]
    yield f"{line.moves} decisions in {line.duration_ms} ms, limit {limit} ms each"
    for number, seat in enumerate(line.seats):
        gone = "  forfeited" if seat.forfeited else ""
        yield f"  seat {number}: {seat.place}. {seat.bot}  {seat.points} points{gone}"
        yield f"      {_timing(decisions(document, number))}"
    for verdict in document["verdicts"]:
        yield ""
        yield from _verdict(verdict, document, line)
    yield from mishaps(document)
    for number, move, late_us in document["late"]:
        yield f"{line.seats[number].bot} answered move {move} {late_us / 1000:.1f} ms after its time was up"
    for number, words in enumerate(said):
        lines = lines_of(words)
        if lines:
            yield f"\nLast words of {line.seats[number].bot} (all: arena log {line.match} --stderr {number})"
            yield from (f"  | {text}" for text in lines[-LAST_LINES:])
    yield f"\nNext: {again}"


def _timing(times: list[tuple[int, float]]) -> str:
    if not times:
        return "no decision"
    slowest = sorted(times, key=lambda entry: -entry[1])
    median = slowest[len(slowest) // 2][1]
    told = ", ".join(f"{ms:.1f} ms at move {move}" for move, ms in slowest[:SLOWEST])
    return f"{len(times)} decisions, median {median:.1f} ms, slowest {told}"


def _verdict(verdict: dict[str, Any], document: Document, line: Line) -> Iterator[str]:
    """Who, when, why, how long; the text says CPU, exit code or signal, and last words where they count."""
    seat = verdict["seat"]
    spent = sum(ms for move, ms in decisions(document, seat) if move <= verdict["move"])
    price = "forfeits" if verdict["forfeit"] else f"strike {verdict['strike']}"
    when = f"seat {seat}, move {verdict['move']}, thought {spent:.1f} ms"
    yield f"{verdict['code']}: {line.seats[seat].bot}, {when}, {price}"
    yield f"  {printable(verdict['text'])}"


def reproduction(place: Place, store: Store, line: Line) -> str:
    """What to type to see it again: the series, where its seed may be told; else the replay."""
    replay = f"arena replay {line.match} --seat {_first_at_fault(line)}   |   arena verify {line.match}"
    ladder = store.find_ladder(line.ladder)
    settings = ladder.settings
    if ladder.kind != "series" or "table" not in settings:
        return replay
    entries = {entry.label: entry for entry in store.bots_of(ladder)}
    called = [_called(entries[label], place) for label in settings["table"]]
    seed = seed_as_said(secret_of(place, ladder))
    more = "".join(f" --variant {key}={value}" for key, value in settings["variant"].items())
    more += f" --move-ms {settings['limits']['move_ms']}" if settings["limits"]["move_ms"] != 1000 else ""
    more += " --bots-port 8765" if any(name.startswith("ws:") for name in called) else ""
    command = f"arena play {settings['game']} {' '.join(called)} --seed {seed} --deals {line.block + 1}{more}"
    return f"{command}   |   {replay}"


def _called(entry: Entry, place: Place) -> str:
    if entry.manifest.get("remote"):
        return f"ws:{entry.name}"
    if entry.name in sample_names():
        return entry.name
    folder = Path(entry.manifest["folder"])
    return f"{entry.name}@{entry.version}" if folder.parent == place.shelf.resolve() else str(folder)


def _first_at_fault(line: Line) -> int:
    return next((number for number, seat in enumerate(line.seats) if seat.code), 0)


def _data(document: Document, line: Line, said: Sequence[bytes], again: str) -> dict[str, Any]:
    return {
        "match": line.match,
        "game": line.division.game,
        "ladder": line.ladder,
        "block": line.block,
        "sandbox": document["sandbox"],
        "clock": document["clock"],
        "seats": [
            {**seat._asdict(), "decisions_ms": [ms for _, ms in decisions(document, number)]}
            for number, seat in enumerate(line.seats)
        ],
        "verdicts": document["verdicts"],
        "late": document["late"],
        "stderr": [lines_of(words)[-LAST_LINES:] for words in said],
        "again": again,
    }
