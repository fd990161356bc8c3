"""Short ways to write results down."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ladders.results import Block, Result


def result(
    bots: Sequence[str], places: Sequence[int], forfeited: Iterable[int] = (), points: Sequence[int] = ()
) -> Result:
    """One match."""
    out = set(forfeited)
    flags = tuple(seat in out for seat in range(len(bots)))
    return Result("m", tuple(bots), tuple(places), tuple(points or (0,) * len(bots)), flags)


def block(number: int, *matches: str) -> Block:
    """`block(1, "AB->12", "BA->21")`: bots in seat order, then their places."""
    found = []
    for match in matches:
        bots, places = match.split("->")
        found.append(result(bots, [int(place) for place in places]))
    return Block(number, tuple(found))


def games(*matches: str, start: int = 0) -> list[Block]:
    """Every match a block of its own."""
    return [block(start + at, match) for at, match in enumerate(matches)]


def counted(one: str, other: str, wins: int, draws: int, losses: int) -> list[str]:
    """Matches of two, as `games` takes them."""
    return [f"{one}{other}->12"] * wins + [f"{one}{other}->11"] * draws + [f"{one}{other}->21"] * losses
