"""SheepZzz as a plain state machine, without secrets, events or copies: the measure of the kernel's price.

Default options only.  Written straightforwardly by hand; nothing in the product imports it.
"""

from __future__ import annotations

import random
from typing import Any

PILLOWS = {
    1: (5,), 2: (3,), 3: (3,), 4: (0, 1), 5: (0, 1), 6: (0, 1, 2), 7: (0, 1, 2), 8: (0, 1, 2), 9: (0, 1, 2, 3),
    10: (0, 1, 2, 3), 11: (0, 1, 2, 3), 12: (0, 1, 2), 13: (0, 1, 2), 14: (0, 1, 2), 15: (0, 1), 16: (0, 1),
    17: (3,), 18: (3,), 19: (5,),
}  # fmt: skip
CARDS = [(n, p) for n, copies in PILLOWS.items() for p in copies] + [(0, 3)] * 4
FLOCK, TURN, POWER, OVER = range(4)


class PlainSheepZzz:
    def __init__(self, seats: int, rng: random.Random) -> None:
        self.seats = seats
        self.rng = rng
        self.totals = [0] * seats
        self.starter = 0
        self.round = 0
        self.new_round()

    def new_round(self) -> None:
        self.round += 1
        self.deck = CARDS[:]
        self.rng.shuffle(self.deck)
        self.piles: list[list[tuple[int, int]]] = []
        wolves = []
        while len(self.piles) < 3:
            card = self.deck.pop()
            if card[0]:
                self.piles.append([card])
            else:
                wolves.append(card)
        if wolves:
            self.deck += wolves
            self.rng.shuffle(self.deck)
        self.hands = [[self.deck.pop() for _ in range(5)] for _ in range(self.seats)]
        self.taken = [0] * self.seats
        self.ascending = True
        self.direction = 1
        self.active = self.starter
        self.forced: int | None = None
        self.phase = FLOCK

    def moves(self) -> list[tuple[Any, ...]]:
        if self.phase == FLOCK:
            return [("flock", True), ("flock", False)]
        if self.phase == POWER:
            piles = range(len(self.piles))
            if self.power in (1, 19):
                others = [q for q in range(self.seats) if q != self.active and self.hands[q]]
                return [("none",)] + [("name", q, k) for q in others for k in piles]
            return [("none",)] + [("reverse", k) for k in piles]
        moves: list[tuple[Any, ...]] = []
        hand = sorted(set(self.hands[self.active]))
        piles = range(len(self.piles)) if self.forced is None else (self.forced,)
        for card in hand:
            n = card[0]
            for k in piles:
                top = self.piles[k][-1][0]
                if (
                    n == 0
                    or (self.ascending and (n > top or n == top - 10))
                    or (not self.ascending and (n < top or n == top + 10))
                ):
                    moves.append(("play", card, k))
        if self.deck:
            moves += [("take", k, card) for k in piles for card in hand if card[0]]
        else:
            moves += [("take", k) for k in piles]
        return moves

    def apply(self, move: tuple[Any, ...]) -> None:
        seat = self.active
        if move[0] == "flock":
            self.ascending = move[1]
            self.phase = TURN
        elif move[0] == "play":
            _, card, k = move
            self.hands[seat].remove(card)
            self.piles[k].append(card)
            if card[0] == 0:
                self.wolf(seat, k)
            else:
                self.after_sheep(seat, card[0])
        elif move[0] == "take":
            k = move[1]
            self.taken[seat] += sum(p for _, p in self.piles[k])
            if len(move) == 2:
                self.end_round()
            else:
                self.hands[seat].remove(move[2])
                self.piles[k] = [move[2]]
                self.after_sheep(seat, move[2][0])
        elif move[0] == "name":
            self.end_turn(seat, move[1], move[2])
        elif move[0] == "reverse":
            self.direction = -self.direction
            self.end_turn(seat, None, move[1])
        else:
            self.end_turn(seat, None, None)

    def wolf(self, seat: int, k: int) -> None:
        self.ascending = not self.ascending
        pile = self.piles[k]
        at = self.rng.randrange(len(pile))
        pile.append(pile.pop(at))
        if pile[-1][0]:
            self.end_turn(seat, None, None)
            return
        self.taken[seat] += sum(p for _, p in pile)
        del self.piles[k]
        if not self.piles or not self.deck:
            self.end_round()
        else:
            self.end_turn(seat, None, None)

    def after_sheep(self, seat: int, n: int) -> None:
        if n in (1, 2, 3, 17, 18, 19) and any(self.hands[q] for q in range(self.seats) if q != seat):
            self.power = n
            self.phase = POWER
        else:
            self.end_turn(seat, None, None)

    def end_turn(self, seat: int, named: int | None, forced: int | None) -> None:
        if self.deck:
            self.hands[seat].append(self.deck.pop())
        elif not any(self.hands):
            self.end_round()
            return
        self.phase = TURN
        self.forced = forced
        if named is None:
            named = seat
            for step in range(1, self.seats + 1):
                named = (seat + step * self.direction) % self.seats
                if self.hands[named]:
                    break
            if named == seat:
                self.forced = None
        self.active = named

    def end_round(self) -> None:
        for seat in range(self.seats):
            self.totals[seat] += self.taken[seat] + sum(p for _, p in self.hands[seat])
        worst = max(self.totals)
        if worst >= 75 or self.round >= 50:
            self.phase = OVER
            return
        for step in range(1, self.seats + 1):
            seat = (self.starter + step) % self.seats
            if self.totals[seat] == worst:
                self.starter = seat
                break
        self.new_round()


def play(seats: int, seed: int) -> int:
    """One random game; the number of decisions."""
    rng = random.Random(seed)
    game = PlainSheepZzz(seats, rng)
    decisions = 0
    while game.phase != OVER:
        moves = game.moves()
        game.apply(moves[int(rng.random() * len(moves))])
        decisions += 1
    return decisions
