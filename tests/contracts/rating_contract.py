"""What every rating system must do, whatever it computes.

A system passes by subclassing `RatingContract` and saying its name in `RATINGS`.
"""

from __future__ import annotations

from random import Random

import pytest

from ladders.ledger import Ledger
from ladders.ratings import RATINGS, Rating, RatingSettings
from ladders.results import Block, Result
from tests.ladders.luck import World

SETTINGS = RatingSettings(base=1200)


def played(seed: int = 0, count: int = 40) -> list[Block]:
    """Blocks of tables of two to five, with ties and forfeits."""
    chance = Random(seed)
    blocks = []
    for number in range(count):
        size = chance.choice([2, 3, 4, 5])
        table = chance.sample("ABCDEF", size)
        matches = []
        for match in range(chance.choice([1, size])):
            seats = chance.sample(table, size)
            points = tuple(chance.randint(-5, 20) + 3 * "FEDCBA".index(bot) for bot in seats)
            places = tuple(1 + sum(other > mine for other in points) for mine in points)
            forfeited = tuple(chance.random() < 0.05 for _ in seats)
            matches.append(Result(f"{number}.{match}", tuple(seats), places, points, forfeited))
        blocks.append(Block(number, tuple(matches)))
    return blocks


class RatingContract:
    """Subclass it and name the system."""

    name: str

    def rate(self, ledger: Ledger) -> Rating:
        return RATINGS[self.name].rate(ledger, SETTINGS)

    def test_it_says_what_it_does(self) -> None:
        system = RATINGS[self.name]
        assert len(system.method) > 20
        assert system.unit

    def test_every_bot_has_its_line_in_alphabetical_order(self) -> None:
        found = self.rate(Ledger.of(played()))
        assert found.bots == tuple("ABCDEF")
        assert len(found.values) == len(found.errors) == len(found.margins) == 6
        assert all(isinstance(value, float) for value in found.values)

    def test_shuffled_and_doubled_blocks_change_no_bit(self) -> None:
        blocks = played()
        found = self.rate(Ledger.of(blocks))
        for seed in range(5):
            again = [*blocks, *Random(seed).sample(blocks, 10)]
            Random(seed).shuffle(again)
            assert self.rate(Ledger.of(again)) == found

    def test_names_do_not_matter(self) -> None:
        """Called otherwise, in another alphabetical order, the bots keep their numbers."""
        swap = dict(zip("ABCDEF", "FADBEC", strict=True))
        renamed = [
            Block(
                block.number,
                tuple(
                    Result(m.match, tuple(swap[bot] for bot in m.bots), m.places, m.points, m.forfeited)
                    for m in block.matches
                ),
            )
            for block in played()
        ]
        one, other = self.rate(Ledger.of(played())), self.rate(Ledger.of(renamed))
        for bot, value in zip(one.bots, one.values, strict=True):
            assert other.values[other.bots.index(swap[bot])] == pytest.approx(value, abs=1e-6)

    def test_the_better_bot_is_above(self) -> None:
        world = World(bots=4, spread=1.0, seed=8)
        found = self.rate(world.ledger(150)).values
        assert list(found) == sorted(found, key=lambda value: value or 0)

    def test_equals_are_equal(self) -> None:
        ties = [Block(n, (Result("m", ("A", "B", "C"), (1, 1, 1), (7, 7, 7), (False,) * 3),)) for n in range(9)]
        values = self.rate(Ledger.of(ties)).values
        assert values == pytest.approx((values[0],) * 3)

    def test_whoever_has_not_played_has_no_number(self) -> None:
        assert self.rate(Ledger.of([])) == Rating((), (), (), ())
        row = [(0, 0, 0, 1, 1, 3, 0), (0, 0, 1, 2, 2, 1, 0)]
        found = self.rate(Ledger.from_rows(row, {1: "A", 2: "B", 3: "new"}))
        assert found.values[2] is None
        assert None not in found.values[:2]
        assert found.margins == (None, None, None)  # a single block has no spread

    def test_a_margin_is_never_below_its_error(self) -> None:
        found = self.rate(World(bots=6, seed=3).ledger(40))
        for error, margin in zip(found.errors, found.margins, strict=True):
            assert (error is None and margin is None) or (
                error is not None and margin is not None and margin > error > 0
            )
