"""`arena verify`: is what is stored true?  Deals, transcripts, chain and ratings are computed again."""

from __future__ import annotations

import json
from pathlib import Path

from arena import record
from arena.boards import definition_of, standings_of
from arena.chance import commitment, derive
from arena.cli.failure import DAMAGED, NOT_HERE, USAGE, Failure
from arena.cli.place import Place, failure_of
from arena.cli.replay import record_of
from arena.record import Document, RecordError
from arena.store import StoreError
from arena.store.matches import Line, Wanted
from arena.store.roster import Ladder
from arena.store.secrets import read_secret
from arena.store.store import Store
from ladders.ledger import Ledger
from ladders.standings import standings


def verify_it(what: str, place: Place, as_json: bool) -> None:
    """A match, a ladder, or a file."""
    if Path(what).is_file():
        _verify_match(_in_file(Path(what)), as_json)
    elif what.startswith("m-"):
        _verify_match(record_of(what, place), as_json)
    elif "." in what or "/" in what:
        raise Failure(f"there is no file {what}; name one, a match (m-…) or a ladder", USAGE)
    else:
        try:
            with place.open() as store:
                _verify_ladder(store, store.find_ladder(what), place, as_json)
        except StoreError as error:
            raise failure_of(error) from None


def _in_file(path: Path) -> Document:
    try:
        return record.unpack(path.read_bytes())
    except OSError as error:
        raise Failure(f"{path} cannot be read: {error.strerror}", NOT_HERE) from None
    except RecordError as error:
        raise Failure(f"{path}: {error}", DAMAGED) from None


def _verify_match(document: Document, as_json: bool) -> None:
    match = document["match"]
    wrong = _wrong(document)
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


def _wrong(document: Document) -> str:
    try:
        return record.differences(document)
    except RecordError as error:
        return str(error)


def _verify_ladder(store: Store, ladder: Ladder, place: Place, as_json: bool) -> None:
    chain = store.verify_chain(ladder)
    if chain.damage:
        raise Failure(f"{ladder.name} does not hold: {chain.damage}", DAMAGED)
    secret = _secret(ladder, place)
    matches = 0
    for line in store.match_list(Wanted(ladder=ladder.name, sort="oldest", limit=1 << 30)):
        wrong = _wrong_match(store, line, secret)
        if wrong:
            raise Failure(f"{ladder.name} does not hold: {line.match}: {wrong}", DAMAGED)
        matches += 1
    ratings = _ratings(store, ladder)
    facts = {
        "ladder": ladder.name,
        "holds": True,
        "blocks": chain.blocks,
        "matches": matches,
        "deals": "recomputed from the secret" if secret else "as committed",
        "ratings": ratings,
    }
    if as_json:
        print(json.dumps(facts))
        return
    print(
        f"{ladder.name} holds: {chain.blocks:,} blocks are chained, {matches:,} matches refereed again are "
        f"the same byte for byte, deals are {facts['deals']}, ratings follow from them alone."
    )


def _secret(ladder: Ladder, place: Place) -> bytes | None:
    """Whoever has only the results checks deals against their commitments."""
    try:
        return read_secret(place.folder, ladder.seed_commitment)
    except StoreError:
        return None


def _wrong_match(store: Store, line: Line, secret: bytes | None) -> str:
    try:
        document = record.unpack(store.record_of(line.match))
        wrong = _wrong(document)
    except RecordError as error:
        return str(error)
    if wrong:
        return wrong
    deal, salt = bytes.fromhex(document["deal"]), bytes.fromhex(document["salt"])
    if commitment(deal, salt) != store.match(line.match).commitment:
        return "its deal is not the one that was committed to"
    if secret is not None and deal != derive(secret, "deal", line.block):
        return "its deal does not follow from the ladder's secret"
    told = [(seat.place, seat.points, seat.forfeited) for seat in line.seats]
    forfeits = [seat in document["forfeits"] for seat in range(len(told))]
    if told != list(zip(document["ranks"], document["scores"], forfeits, strict=True)):
        return "its result is not the one in its record"
    return ""


def _ratings(store: Store, ladder: Ladder) -> dict[str, str]:
    """Computed twice, by two ways of reading; per division the hash of all inputs."""
    if ladder.kind != "ladder":
        return {}
    settings = definition_of(ladder).rating.settings()
    labels = [entry.label for entry in store.bots_of(ladder)]  # also of those who have met nobody yet
    numbers = {label: number for number, label in enumerate(labels)}
    found = {}
    for division in store.divisions_of(ladder):
        quick = standings_of(store, ladder, division)
        rows = [row for block in store.blocks_of(ladder, division) for row in block.rows(numbers)]
        ledger = Ledger.from_rows(rows, dict(enumerate(labels)), store.passed_over(ladder, division))
        whole = standings(ledger, settings)
        if json.dumps(quick.as_data()) != json.dumps(whole.as_data()):
            raise Failure(f"{ladder.name} does not hold: its ratings differ by the way they are read", DAMAGED)
        found[f"{division.game}, {division.seats} seats"] = quick.head.inputs
    return found
