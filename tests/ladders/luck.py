"""A world of luck to try statistics on: score = skill + seat + luck, of which a share comes back with the deal.

The luck of a player in a match has variance 1.  Its share belongs to deal and seat, and so returns in every
match of a block; the rest is fresh each time.  Draws are the same in every version of numpy.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from statistics import NormalDist

import numpy as np
import numpy.typing as npt

from ladders.blocks import seatings
from ladders.ledger import Floats, Ints, Ledger
from ladders.ratings.bradley_terry import ELO, strengths
from ladders.results import Block, Result


@dataclass
class World:
    """Bots of known skill, and chance."""

    bots: int = 16
    size: int = 4
    share: float = 0.8
    seed: int = 0
    spread: float = 0.35
    seat_effect: float = 0.2
    chance: np.random.RandomState = field(init=False)
    skills: Floats = field(init=False)

    def __post_init__(self) -> None:
        self.chance = np.random.RandomState(self.seed)
        quantiles = [NormalDist().inv_cdf((bot + 0.5) / self.bots) for bot in range(self.bots)]
        self.skills = self.spread * np.array(quantiles)

    @property
    def names(self) -> dict[int, str]:
        return {bot: f"bot{bot:04}" for bot in range(self.bots)}

    def seat_values(self) -> Floats:
        return np.linspace(-self.seat_effect, self.seat_effect, self.size)

    def williams(self, blocks: int) -> Ints:
        """Rows of blocks of one deal each, every bot in every seat once."""
        squares = np.array([seatings(self.size, block) for block in (0, 1)])
        seating = squares[np.arange(blocks) % 2]  # block, match, seat
        return self._rows(self._tables(blocks), seating)

    def random_seats(self, games: int) -> Ints:
        """Rows of blocks of a single match on a fresh deal."""
        return self._rows(self._tables(games), np.broadcast_to(np.arange(self.size), (games, 1, self.size)))

    def block(self, number: int, table: list[int]) -> Block:
        """One block of these bots, every bot in every seat once."""
        seating = np.array([seatings(self.size, number)])
        rows = self._rows(self.chance.permutation(table)[None], seating).reshape(self.size, self.size, 7)
        matches = [
            Result(
                f"{number}.{row}",
                tuple(self.names[bot] for bot in match[:, 3].tolist()),
                tuple(match[:, 4].tolist()),
                tuple(match[:, 5].tolist()),
                (False,) * self.size,
            )
            for row, match in enumerate(rows)
        ]
        return Block(number, tuple(matches))

    def ledger(self, blocks: int) -> Ledger:
        return Ledger.from_rows(self.williams(blocks), self.names)

    def scores(self, skill: npt.NDArray[np.float64]) -> Floats:
        """Of the seats of every match, given the skills in them (block, match, seat)."""
        blocks, _, size = skill.shape
        deal = math.sqrt(self.share) * self.chance.normal(size=(blocks, 1, size))
        fresh = math.sqrt(1 - self.share) * self.chance.normal(size=skill.shape)
        return skill + self.seat_values() + deal + fresh

    def truth(self) -> Floats:
        """Where the Bradley-Terry fit of endless play of random tables ends, in Elo around zero."""
        seats = self.seat_values()
        share_of = NormalDist(0, math.sqrt(2)).cdf
        wins = np.zeros((self.bots, self.bots))
        for one in range(self.bots):
            for other in range(self.bots):
                gaps = [
                    self.skills[one] - self.skills[other] + seats[a] - seats[b]
                    for a in range(self.size)
                    for b in range(self.size)
                    if a != b
                ]
                wins[one, other] = 0 if one == other else np.mean([share_of(gap) for gap in gaps])
        theta = strengths(1e6 * wins, 1.0)
        return np.asarray(ELO * (theta - theta.mean()))

    def _tables(self, blocks: int) -> Ints:
        if self.bots <= 64:
            return self.chance.rand(blocks, self.bots).argsort(axis=1)[:, : self.size]
        tables = self.chance.randint(0, self.bots, (blocks, self.size))
        while True:  # draw tables with a bot twice again
            ordered = np.sort(tables, axis=1)
            wrong = np.flatnonzero((ordered[:, 1:] == ordered[:, :-1]).any(axis=1))
            if not len(wrong):
                return tables
            tables[wrong] = self.chance.randint(0, self.bots, (len(wrong), self.size))

    def _rows(self, tables: Ints, seating: Ints) -> Ints:
        blocks, matches, size = seating.shape
        who = np.take_along_axis(np.broadcast_to(tables[:, None, :], seating.shape), seating, axis=2)
        scores = self.scores(self.skills[who])
        rows = np.zeros((blocks, matches, size, 7), dtype=np.int64)
        rows[..., 0] = np.arange(blocks)[:, None, None]
        rows[..., 1] = np.arange(matches)[:, None]
        rows[..., 2] = np.arange(size)
        rows[..., 3] = who
        rows[..., 4] = 1 + (scores[..., :, None] < scores[..., None, :]).sum(axis=3)
        rows[..., 5] = np.rint(100 * scores)
        return rows.reshape(-1, 7)
