"""`arena replay`: a match as one viewer saw it."""

from __future__ import annotations

import json
import re
from collections import Counter
from typing import Final

from arena import record
from arena.analyses import Analyses
from arena.cli.failure import DAMAGED, NOT_HERE, USAGE, Failure
from arena.cli.place import Place, failure_of
from arena.record import Document, RecordError
from arena.store import StoreError
from arena.store.matches import closed
from arena.telling import tell
from arena.verdicts import Verdict
from arena.zones import PUBLIC

ANSWER: Final = re.compile(r"seat (\d): ")


def tell_match(match: str, seat: str, place: Place, as_json: bool) -> None:
    """Print a match as readable text, or its events as data."""
    document = open_record(match, place)
    try:
        _tell(document["match"], seat, document, Analyses(place.folder), as_json)
    except RecordError as error:
        raise Failure(f"{match} cannot be told: {error}", NOT_HERE) from None
    except (KeyError, TypeError, ValueError, IndexError, AttributeError) as error:
        raise Failure(f"{match} cannot be told: its record is damaged ({error!r})", DAMAGED) from None


def _tell(match: str, seat: str, document: Document, analyses: Analyses, as_json: bool) -> None:
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
    game = record.game_of(document)
    remarks = analyses.remarks(match, game, viewer)
    decisions: Counter[int] = Counter()
    for line in tell(game, events):
        print(line)
        if answer := ANSWER.match(line):
            decided = int(answer[1])
            decisions[decided] += 1
            if remark := remarks.get((decided, decisions[decided])):
                print(f"    ? {remark}")
    for text in _verdicts(document, viewer):
        print(f"\n{text}.")
    print("\nResult: " + ", ".join(_result(document)))


def open_record(match: str, place: Place) -> Document:
    """A stored record with all hands, when its ladder shows them; the pages say the same."""
    return record_of(match, place, only_open=True)


def record_of(match: str, place: Place, *, only_open: bool = False) -> Document:
    """A stored record, by the match's name or a beginning of it that no other has."""
    try:
        with place.open() as store:
            found = store.match(match)
            if found.line is None:
                raise Failure(found.text)
            if only_open and (why := closed(store.find_ladder(found.ladder), found)):
                raise Failure(why)
            document = record.unpack(store.record_of(found.match))
    except StoreError as error:
        raise failure_of(error) from None
    except RecordError as error:
        raise Failure(f"{match}: {error}", DAMAGED) from None
    if document.get("match") != found.match:
        raise Failure(f"{found.match} holds the record of {document.get('match')}", DAMAGED)
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
