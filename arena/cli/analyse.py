"""`arena analyse`: where a seat lost most, as the sample bot `seer` sees it; replays show it from then on."""

from __future__ import annotations

import json
import sys
from dataclasses import asdict

from arena.analyses import Analyses, Weighed
from arena.bots.analysis import weighed
from arena.cli.failure import DAMAGED, USAGE, Failure
from arena.cli.place import Place
from arena.cli.replay import open_record
from arena.cli.voice import can_redraw
from arena.record import Document, RecordError, game_of

WORST = 5


def analyse(match: str, seat: int, think_ms: int, place: Place, as_json: bool) -> None:
    """Weigh every decision of the seat, keep that beside the store, and tell the worst."""
    document = open_record(match, place)
    if seat not in range(len(document["bots"])):
        raise Failure(f"--seat {seat}: choose 0 to {len(document['bots']) - 1}", USAGE)
    try:
        found = _weighed(document, seat, think_ms, quiet=as_json)
    except (RecordError, KeyError, TypeError, ValueError, IndexError) as error:
        raise Failure(f"{match} cannot be played again: {error}", DAMAGED) from None
    Analyses(place.folder).keep(document["match"], seat, found)
    if as_json:
        print(json.dumps({"match": document["match"], "seat": seat, "decisions": [asdict(it) for it in found]}))
        return
    _tell(document, seat, found)


def _weighed(document: Document, seat: int, think_ms: int, quiet: bool) -> list[Weighed]:
    found = []
    show = not quiet and can_redraw(sys.stderr)
    for decision in weighed(document, seat, think_ms):
        found.append(decision)
        if show:
            print(
                f"\rdecision {decision.number} of {document['moves'][seat]}", end="", file=sys.stderr, flush=True
            )
    if show:
        print("\r\x1b[K", end="", file=sys.stderr)
    return found


def _tell(document: Document, seat: int, found: list[Weighed]) -> None:
    game = game_of(document)
    bot = document["bots"][seat]["name"]
    worst = sorted((decision for decision in found if decision.sure), key=lambda it: -it.lost)
    print(f"{document['match']}  {document['game']}  seat {seat}, {bot}: {len(found)} decisions with a choice")
    for decision in worst[:WORST]:
        print(f"  decision {decision.number}: {game.say(decision.chosen)}")
        print(f"    ? {decision.remark(game)}")
    if len(worst) > WORST:
        print(f"  and {len(worst) - WORST} smaller ones")
    if not worst:
        print("  nothing that is worse than something else beyond doubt")
    print(f"Next: arena replay {document['match']} --seat {seat}")
