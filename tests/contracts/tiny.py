"""Magpie, a game for the tests: every verb of the table, secret answers, and many equal cards.

Everybody holds three stones.  The hands are passed on by the roll of a die; then all choose one at once.
The highest stone that nobody else chose wins the round; its owner may peek, steal, bury, show or rummage,
or whisper: give or hide a stone without anybody hearing which.
"""

from __future__ import annotations

from arena.game import Game, Option, Outcome, Question, public
from arena.variants import Variant
from arena.zones import FACE_DOWN, FACE_UP, OWN_HAND, STACK, Face, Zone, zone, zones

HAND_SIZE = 3
ROUNDS = 3
TRICKS = 2


class Magpie(Game):
    """One game of Magpie."""

    name = "magpie"
    title = "Magpie"
    summary = "The highest lonely stone wins."
    seats_allowed = range(2, 7)

    deck: Zone = zone(FACE_DOWN)
    hands: list[Zone] = zones(OWN_HAND)
    table: Zone = zone(FACE_UP)
    nest: Zone = zone(FACE_DOWN)
    cairn: Zone = zone(STACK)
    won: list[Zone] = zones(FACE_DOWN)

    points: tuple[int, ...] = public()
    round: int = public(0)
    trick: int = public(0)
    wind: int = public(0)

    @classmethod
    def pack(cls, seats: int, variant: Variant) -> tuple[Face, ...]:
        return tuple(str(n) for n in range(1, 8) for _ in range(2 + seats // 2))

    def set_up(self) -> Question:
        self.points = (0,) * self.seats
        self.fill(self.deck)
        return self.start_round()

    def start_round(self) -> Question:
        self.round += 1
        self.trick = 0
        for heap in (*self.hands, self.table, self.nest, self.cairn, *self.won):
            self.pour(heap, self.deck)
        self.shuffle(self.deck, "deal", self.round)
        for hand in self.hands:
            for _ in range(HAND_SIZE):
                self.draw(self.deck, hand)
        self.draw(self.deck, self.cairn)
        return self.blow()

    def blow(self) -> Question:
        self.trick += 1
        self.wind = self.roll(6, "wind", self.round, self.trick) % self.seats
        if self.wind:
            self.pass_on(self.hands, step=self.wind)
        holders = [seat for seat in range(self.seats) if self.hands[seat].cards]
        return self.ask_all(holders, self.stones, self.reveal, tuple(holders))

    def stones(self, seat: int, *_: object) -> list[Option]:
        return [("play", stone) for stone in self.distinct(seat)]

    def reveal(self, choices: tuple[Option, ...], holders: tuple[int, ...]) -> Question | Outcome:
        for seat, choice in zip(holders, choices, strict=True):
            self.move(self.find(self.hands[seat], choice[1]), self.hands[seat], self.table)
        stones = [choice[1] for choice in choices]
        lonely = [stone for stone in stones if stones.count(stone) == 1]
        if not lonely:
            drawn = self.table.cards[self.pick(len(self.table), "wind picks", self.round, self.trick)]
            self.surface(drawn, self.table)
            self.move(drawn, self.table, self.cairn)
            return self.next_trick()
        winner = holders[stones.index(max(lonely))]
        self.points = tuple(count + (seat == winner) for seat, count in enumerate(self.points))
        self.pour(self.table, self.won[winner])
        return self.ask(winner, self.favours, self.grant)

    def favours(self, seat: int) -> list[Option]:
        mine = self.distinct(seat)
        others = [other for other in range(self.seats) if other != seat and self.hands[other].cards]
        return [
            ("nothing",),
            ("rummage",),
            *[(word, other) for word in ("peek", "steal") for other in others],
            *[(word, stone) for word in ("bury", "show") for stone in mine],
            *[("whisper",) for _ in mine[:1]],
        ]

    def grant(self, seat: int, favour: Option) -> Question | Outcome:
        hand = self.hands[seat]
        match favour:
            case ("whisper",):
                return self.ask_all([seat], self.whispers, self.heard, seat)
            case ("rummage",):  # the nest comes to the hand, and the hand is stirred
                self.pour(self.nest, hand)
                self.shuffle(hand, "stir", self.round, self.trick)
            case ("peek", other):
                self.show(self.hands[other], to=1 << seat)
            case ("steal", other):
                loot = self.hands[other].cards
                stolen = loot[self.pick(len(loot), "steal", self.round, self.trick)]
                self.slip(stolen, self.hands[other], hand)
            case ("bury", stone):
                self.tuck(self.find(hand, stone), hand, self.deck)
            case ("show", stone):
                self.show(hand, [self.find(hand, stone)])
        return self.restock(seat)

    def whispers(self, seat: int, *_: object) -> list[Option]:
        others = [other for other in range(self.seats) if other != seat]
        return [(to, stone) for to in (*others, None) for stone in self.distinct(seat)]

    def heard(self, choices: tuple[Option], seat: int) -> Question | Outcome:
        to, stone = choices[0]
        hand = self.hands[seat]
        self.slip(self.find(hand, stone), hand, self.nest if to is None else self.hands[to])
        return self.restock(seat)

    def restock(self, seat: int) -> Question | Outcome:
        if self.deck.cards:
            self.draw(self.deck, self.hands[seat])
        return self.next_trick()

    def distinct(self, seat: int) -> list[Face]:
        return sorted({self.faces[card] for card in self.hands[seat].cards})

    def next_trick(self) -> Question | Outcome:
        if self.trick < TRICKS:
            return self.blow()
        if self.round < ROUNDS:
            self.pour(self.won[0], self.table)  # a heap that lay face down, and that all remember
            return self.start_round()
        return self.finish(self.points)
