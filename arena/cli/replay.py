"""`arena replay` and `arena verify`: reading records."""

from __future__ import annotations

import json
from pathlib import Path

from arena import record
from arena.cli.failure import DAMAGED, USAGE, Failure, unknown
from arena.record import Document, RecordError
from arena.telling import tell
from arena.verdicts import Verdict
from arena.zones import PUBLIC


def tell_match(match: str, seat: str, folder: Path, as_json: bool) -> None:
    """Print a match as readable text, or its events as data."""
    document = _find(match, folder)
    try:
        _tell(match, seat, document, as_json)
    except (KeyError, TypeError, ValueError, IndexError, AttributeError) as error:
        raise Failure(f"{match} cannot be told: its record is damaged ({error!r})", DAMAGED) from None


def _tell(match: str, seat: str, document: Document, as_json: bool) -> None:
    viewer = _viewer(seat, len(document["bots"]))
    events = record.events_for(document, viewer)
    if as_json:
        facts = {key: document[key] for key in ("match", "game", "variant", "scores", "ranks")}
        facts |= {"viewer": seat, "bots": _names(document), "verdicts": _verdicts(document, viewer)}
        print(json.dumps({**facts, "events": events}))
        return
    who = "everyone" if viewer is None else "the public" if viewer == PUBLIC else f"seat {viewer}"
    print(f"{match}  {document['game']}  as {who} saw it")
    for number, bot in enumerate(document["bots"]):
        print(f"  seat {number}: {bot['name']} {bot['version']}".rstrip())
    print()
    for line in tell(record.game_of(document), events):
        print(line)
    for text in _verdicts(document, viewer):
        print(f"\n{text}.")
    print("\nResult: " + ", ".join(_result(document)))


def verify_match(match: str, folder: Path, as_json: bool) -> None:
    """Say that a record holds, or what is wrong with it."""
    document = _find(match, folder)
    try:
        wrong = record.differences(document)
    except RecordError as error:
        wrong = str(error)
    if wrong:
        raise Failure(f"{match} does not hold: {wrong}", DAMAGED)
    facts = {
        "match": match,
        "holds": True,
        "decisions": sum(document["moves"]),
        "events": len(document["events"]),
        "transcripts": len(document["transcripts"]),
    }
    if as_json:
        print(json.dumps(facts))
        return
    print(
        f"{match} holds: {facts['decisions']} decisions, {facts['events']} events and "
        f"{facts['transcripts']} transcripts are the same byte for byte."
    )


def _find(match: str, folder: Path) -> Document:
    matches = folder / "matches"
    path = matches / f"{match}.match"
    if not path.is_file():
        if path.with_suffix(".sealed").is_file():
            raise Failure(f"{match} is sealed until the other seatings of its deal are played")
        known = [found.stem for found in matches.glob("*.match")]
        if not known:
            raise Failure(f"no records under {matches}; play some first: arena play sheepzzz greedy random", USAGE)
        raise unknown("match", match, sorted(known)[:5])
    try:
        document = record.read(path)
    except RecordError as error:
        raise Failure(f"{path}: {error}", DAMAGED) from None
    if document.get("match") != match:
        raise Failure(f"{path} holds the record of {document.get('match')}: it was renamed", DAMAGED)
    return document


def _viewer(seat: str, seats: int) -> int | None:
    if seat == "all":
        return None
    if seat == "public":
        return PUBLIC
    if seat.isdecimal() and int(seat) < seats:
        return int(seat)
    raise Failure(f'--seat "{seat}": choose 0 to {seats - 1}, public or all', USAGE)


def _verdicts(document: Document, viewer: int | None) -> list[str]:
    """In full for their own seat; the rest may only know who failed when: a text tells of hands and stderr."""
    return [
        f"{verdict['code']}: {verdict['text']}"
        if viewer in (None, verdict["seat"])
        else Verdict(**verdict).outline()
        for verdict in document["verdicts"]
    ]


def _names(document: Document) -> list[str]:
    return [bot["name"] for bot in document["bots"]]


def _result(document: Document) -> list[str]:
    rows = zip(document["ranks"], _names(document), document["scores"], range(9), strict=False)
    lost = document["forfeits"]
    return [
        f"{rank}. {name} (seat {seat}) {score}{' forfeited' if seat in lost else ''}"
        for rank, name, score, seat in sorted(rows, key=lambda row: (row[0], row[3]))
    ]
