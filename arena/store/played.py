"""From a match's record to what the store keeps of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from arena.record import Document, pack
from arena.store.block import Played, Seat


def played(
    document: Document, bots: Sequence[str], duration_ms: int, stderr: Mapping[int, bytes] | None = None
) -> Played:
    """`bots` are the labels in seat order; everything else is in the record."""
    strikes = [0] * len(bots)
    codes = [""] * len(bots)
    for verdict in document["verdicts"]:
        strikes[verdict["seat"]] = verdict["strike"]
        codes[verdict["seat"]] = verdict["code"]
    seats = tuple(
        Seat(
            bot,
            document["ranks"][seat],
            document["scores"][seat],
            seat in document["forfeits"],
            strikes[seat],
            document["moves"][seat],
            document["thinking_us"][seat],
            codes[seat],
        )
        for seat, bot in enumerate(bots)
    )
    return Played(document["match"], seats, pack(document), duration_ms, stderr or {})
