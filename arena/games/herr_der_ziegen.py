"""Herr der Ziegen (Günter Burkhardt, Amigo): walk round a pasture, win breeds of goats, herd them home.

Sections (§) are those of the rules page.  Where the rulebook is silent, the choice is an option of the
variant or is said where it is made.  The page's "type" of a goat is called its breed here; §1, the
components, is in `arena.games.herr_der_ziegen_components`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final

from arena.game import Game, Option, Outcome, Question, public
from arena.games.herr_der_ziegen_components import (
    BREED_OF,
    BREEDS,
    COPIES,
    DOG,
    MILK,
    REMOVED,
    VALUE_OF,
    breeds_and_values,
    cards_in_play,
    check_layout,
    lay_out,
    milk_in,
    put,
    side_of,
)
from arena.variants import Variant, choice, flag, number, seat_or_random, text
from arena.zones import FACE_DOWN, FACE_UP, OWN_HAND, Card, Face, Zone, zone, zones

HAND_SIZE: Final = 2
MAJORITY: Final = 8
"""Of the 15 points of a breed."""
DECIDING: Final = 4
"""The card of a breed with which it is decided at the latest."""
PLAYS: Final[dict[Face, Option]] = {face: ("play", face) for face in VALUE_OF}


@dataclass(frozen=True)
class GoatVariant(Variant):
    """§0 Options."""

    layout: str = text("standard", check_layout, "standard | corners | row,column@position …", "pictures lost")
    stables: str = choice("embedded", "outside", why="a stable takes a border cell, or stands beside it")
    milk_split: str = text("8/8", milk_in, "ones/twos, 16 in all, at least 5/4", "printed split unknown")
    milk_rounding: str = choice("up", "down", why="half of an odd sum for the second in milk")
    milk_second: str = choice("next_distinct", "none_if_first_tied", why="half points below a shared first place")
    dog_targets: str = choice("any", "goats_only", why="neutral cards a dog may swap with")
    consent_swaps: bool = flag(True, "a dog may ask for an opponent's goat")
    finish_turn: bool = flag(True, "the turn that brings the end is completed")
    small_goats: int = number(10, 1, 16, "per player; 16 keep a dog below 200 options")
    start_seat: str = seat_or_random("who begins; the rulebook says the youngest")


class HerrDerZiegen(Game):
    """One game of Herr der Ziegen."""

    name = "herr-der-ziegen"
    title = "Herr der Ziegen"
    summary = "Win breeds of goats round a pasture, and lead what is left on it to your stable; most points win."
    seats_allowed = range(2, 6)
    layout = (("hands",), ("fronts",), ("pasture",), ("deck", "box"))
    variant_type = GoatVariant

    deck: Zone = zone(FACE_DOWN)
    hands: list[Zone] = zones(OWN_HAND)  # §4: what was taken from the pasture stays known to all
    pasture: list[Zone] = zones(FACE_UP, lambda game: side_of(game.seats) ** 2)
    fronts: list[Zone] = zones(FACE_UP)
    box: Zone = zone(FACE_UP)

    doors: tuple[tuple[int, ...], ...] = public(())
    """Per seat, the cells beside its stable."""
    positions: tuple[int, ...] = public(())
    marks: tuple[int | None, ...] = public(())
    """Per cell, the seat whose small goat stands there."""
    owners: tuple[int | None, ...] = public(())
    """Per breed, the seat that won it."""
    supplies: tuple[int, ...] = public(())
    milk: tuple[int, ...] = public(())
    ending: bool = public(False)

    @classmethod
    def pack(cls, seats: int, variant: Variant) -> tuple[Face, ...]:
        """§1.1 Cards in play: goats first, five of a breed side by side."""
        assert isinstance(variant, GoatVariant)
        return cards_in_play(seats, variant.milk_split)

    def prepare(self) -> None:
        """§1.2, §1.3 The land; breeds (-1 for other cards) and values by card."""
        assert isinstance(self.variant, GoatVariant)
        self.rules = self.variant
        self.land = lay_out(self.seats, self.rules.layout, self.rules.stables == "embedded")
        self.breeds, self.values = breeds_and_values(self.faces)

    # §2 Setup

    def set_up(self) -> Question:
        """Fill the pasture, deal the hands, place the goats."""
        land, first = self.land, self.rules.start_seat
        self.fill(self.deck)
        self.shuffle(self.deck, "deal")
        for cell in land.cells:
            self.draw(self.deck, self.pasture[cell])
        self.deal_hands()
        self.doors = land.doors
        self.positions = land.starts
        self.marks = (None,) * len(self.pasture)
        self.owners = (None,) * (len(BREEDS) - REMOVED[self.seats][0])
        self.supplies = (self.rules.small_goats,) * self.seats
        self.milk = (0,) * self.seats
        return self.take_turn(self.pick(self.seats, "starter") if first == "random" else int(first) % self.seats)

    def deal_hands(self) -> None:
        """Dogs are laid aside for all to see and replaced; once everybody has two cards they are shuffled in."""
        for hand in self.hands:
            while len(hand) < HAND_SIZE:
                card = self.draw(self.deck, hand)
                if self.faces[card] == DOG:
                    self.move(card, hand, self.box)
        if self.box.cards:
            self.pour(self.box, self.deck)
            self.shuffle(self.deck, "dogs back")

    # §3.1 PLAY

    def take_turn(self, seat: int) -> Question:
        """A turn begins with a card."""
        return self.ask(seat, self.plays, self.card_played)

    def plays(self, seat: int) -> list[Option]:
        """Either card of the hand; two equal cards are one option."""
        options: list[Option] = []
        for card in sorted(self.hands[seat].cards):
            option = PLAYS[self.faces[card]]
            if option not in options:
                options.append(option)
        return options

    def card_played(self, seat: int, play: Option) -> Question | Outcome:
        """It joins the front row, or the box when its breed is decided; either way it says how far to walk."""
        face: Face = play[1]
        hand = self.hands[seat]
        breed, steps = BREED_OF.get(face), VALUE_OF[face]
        dead = breed is not None and self.owners[breed] is not None
        self.move(self.find(hand, face), hand, self.box if dead else self.fronts[seat])
        if face in MILK:
            self.milk = put(self.milk, seat, self.milk[seat] + steps)
        self.walk(seat, steps)
        if self.something_to_take(seat):
            return self.ask(seat, self.takes, self.card_taken, face)
        self.ending = True  # §5.1 (b)
        return self.taking_done(seat, face)

    # §3.2 Move

    def walk(self, seat: int, steps: int) -> None:
        """Clockwise round the pasture, any number of goats at one edge (ruling 15)."""
        self.positions = put(self.positions, seat, (self.positions[seat] + steps) % len(self.land.lines))

    # §3.3 TAKE

    def takes(self, seat: int, played: Face) -> list[Option]:  # noqa: ARG002  the card just played, for all to see
        """Every card of the faced line on which no small goat stands."""
        marks, pasture, faces = self.marks, self.pasture, self.faces
        return [
            ("take", faces[cards[0]], row, column)
            for cell, row, column in self.land.lines[self.positions[seat]]
            if marks[cell] is None and (cards := pasture[cell].cards)
        ]

    def something_to_take(self, seat: int) -> bool:
        """Whether the faced line holds any such card."""
        line = self.land.lines[self.positions[seat]]
        return any(self.marks[cell] is None and self.pasture[cell].cards for cell, _, _ in line)

    def card_taken(self, seat: int, take: Option, played: Face) -> Question | Outcome:
        """Into the hand, in plain sight; the cell is filled again while there is a deck."""
        cell = take[2] * self.land.side + take[3]
        heap = self.pasture[cell]
        self.move(heap.cards[0], heap, self.hands[seat])
        if self.deck.cards:
            self.refill(cell)
        elif any(not any(self.pasture[other].cards for other in line) for line in self.land.crossing[cell]):
            self.ending = True  # §5.1 (a)
        return self.taking_done(seat, played)

    def refill(self, cell: int) -> None:
        """A goat of a breed already won gets its owner's mark at once, while there are any."""
        breed = self.breeds[self.draw(self.deck, self.pasture[cell])]
        owner = self.owners[breed] if breed >= 0 else None
        if owner is not None and self.supplies[owner]:
            self.mark(owner, cell)

    def taking_done(self, seat: int, played: Face) -> Question | Outcome:
        """A dog goes out, or a goat's breed is looked at."""
        if self.ending and not self.rules.finish_turn:
            return self.score()
        if played == DOG:
            return self.send_dog(seat, self.rules.consent_swaps)
        breed = BREED_OF.get(played)
        if breed is None or self.owners[breed] is not None:
            return self.next_turn(seat)
        return self.evaluate(seat, breed)

    # §3.4 Evaluation

    def evaluate(self, seat: int, breed: int) -> Question | Outcome:
        """A: eight points in front of who played.  B: the fourth card; the highest sum wins."""
        rows = [self.in_front(other, breed) for other in range(self.seats)]
        if sum(rows[seat]) >= MAJORITY:
            return self.breed_won(seat, breed, seat)
        if sum([len(row) for row in rows]) < DECIDING:
            return self.next_turn(seat)
        for hand in self.hands:  # the fifth card, if somebody holds it
            self.show(hand, [card for card in hand.cards if self.breeds[card] == breed])
        strength = [(sum(row), len(row), other == seat) for other, row in enumerate(rows)]
        return self.breed_won(seat, breed, strength.index(max(strength)))

    def breed_won(self, seat: int, breed: int, winner: int) -> Question | Outcome:
        """The winner marks the goats on the pasture; the losers' cards leave the game."""
        self.owners = put(self.owners, breed, winner)
        for front in self.fronts[:winner] + self.fronts[winner + 1 :]:
            for card in [card for card in front.cards if self.breeds[card] == breed]:
                self.move(card, front, self.box)
        grazing, supply = self.grazing(breed), self.supplies[winner]
        if 0 < supply < len(grazing):
            return self.ask(winner, self.markings, self.marks_chosen, breed, seat)
        for _, cell in grazing if supply else ():
            self.mark(winner, cell)
        return self.next_turn(seat)

    def markings(self, seat: int, breed: int, active: int) -> list[Option]:  # noqa: ARG002
        """CHOOSE_MARKS: the winner is short of small goats and says which cards get one."""
        goats = [self.faces[card] for card, _ in self.grazing(breed)]
        return [("mark", *chosen) for chosen in combinations(goats, self.supplies[seat])]

    def marks_chosen(self, seat: int, marking: Option, breed: int, active: int) -> Question | Outcome:
        """The others stay neutral for good."""
        for card, cell in self.grazing(breed):
            if self.faces[card] in marking:
                self.mark(seat, cell)
        return self.next_turn(active)

    # §3.5 Dog

    def send_dog(self, seat: int, asking: bool) -> Question | Outcome:
        """DOG_MOVE, for who has a mark on the pasture."""
        if seat not in self.marks:
            return self.next_turn(seat)
        return self.ask(seat, self.dog_moves, self.dog_sent, asking)

    def dog_moves(self, seat: int, asking: bool) -> list[Option]:
        """Lead an own goat along its row or column; cards swap places, and an opponent is asked for his."""
        marks, pasture, faces, breeds = self.marks, self.pasture, self.faces, self.breeds
        goats_only = self.rules.dog_targets == "goats_only"
        options: list[Option] = [("none",)]
        for cell, owner in enumerate(marks):
            if owner != seat:
                continue
            goat = faces[pasture[cell].cards[0]]
            for other, row, column in self.land.reach[cell]:
                there = marks[other]
                if there is None:  # 1 and 2: a neutral card, or a free place
                    if not goats_only or not (cards := pasture[other].cards) or breeds[cards[0]] >= 0:
                        options.append(("lead", goat, row, column))
                elif there == seat:  # 3: the same swap is offered once
                    if cell < other:
                        options.append(("lead", goat, row, column))
                elif asking:  # 4
                    options.append(("ask", goat, row, column))
        return options

    def dog_sent(self, seat: int, dog_move: Option, asking: bool) -> Question | Outcome:  # noqa: ARG002
        """Carry it out, or ask for CONSENT."""
        if dog_move[0] == "none":
            return self.next_turn(seat)
        word, goat, row, column = dog_move
        cell = next(cell for card, cell in self.grazing(BREED_OF[goat]) if self.faces[card] == goat)
        other = row * self.land.side + column
        if word == "lead":
            return self.swap(seat, cell, other)
        opponent = self.marks[other]
        assert opponent is not None
        return self.ask(opponent, self.consents, self.consented, seat, cell, other)

    def consents(self, seat: int, active: int, cell: int, other: int) -> list[Option]:  # noqa: ARG002
        """CONSENT of the seat whose goat would go."""
        return [("no",), ("yes",)]

    def consented(self, seat: int, reply: Option, active: int, cell: int, other: int) -> Question | Outcome:  # noqa: ARG002
        """After a no the dog goes once more, and asks nobody (ruling 14)."""
        return self.swap(active, cell, other) if reply[0] == "yes" else self.send_dog(active, False)

    def swap(self, seat: int, cell: int, other: int) -> Question | Outcome:
        """Two cells change contents; small goats travel with their cards."""
        one, two = self.pasture[cell], self.pasture[other]
        moved = two.cards[:]
        self.move(one.cards[0], one, two)
        for card in moved:
            self.move(card, two, one)
        marks = self.marks
        self.marks = put(put(marks, cell, marks[other]), other, marks[cell])
        return self.next_turn(seat)

    # §4 Information

    def could_hide(self, zone: Zone, face: Face) -> bool:
        """An unknown card in a hand is a starting card: no dog, and no fifth card, shown in case B."""
        if zone.sight is not OWN_HAND or face in MILK:
            return True
        if face == DOG:
            return False
        breed = BREED_OF[face]
        owner = self.owners[breed]
        return owner is None or sum(self.in_front(owner, breed)) >= MAJORITY  # less: it was case B

    # §5.1 End

    def next_turn(self, seat: int) -> Question | Outcome:
        """Clockwise, unless this was the last turn."""
        return self.score() if self.ending else self.take_turn((seat + 1) % self.seats)

    # §5.2 Score

    def score(self) -> Outcome:
        """Goats and milk."""
        milk = milk_points(self.milk, self.rules)
        return self.finish([self.goat_points(seat) + milk[seat] for seat in range(self.seats)])

    def goat_points(self, seat: int) -> int:
        """The values of all marked cards, once more for those connected with the own stable."""
        herd = {cell for cell, owner in enumerate(self.marks) if owner == seat}
        home: set[int] = set()
        reached = [cell for cell in self.doors[seat] if cell in herd]
        while reached:
            cell = reached.pop()
            home.add(cell)
            reached += [other for other in self.land.neighbours[cell] if other in herd and other not in home]
        return sum(self.values[self.pasture[cell].cards[0]] for cells in (herd, home) for cell in cells)

    # Table helpers

    def mark(self, seat: int, cell: int) -> None:
        """Put a small goat on a card."""
        self.marks = put(self.marks, cell, seat)
        self.supplies = put(self.supplies, seat, self.supplies[seat] - 1)

    def in_front(self, seat: int, breed: int) -> list[int]:
        """The values of a breed in a front row."""
        first, values = breed * COPIES, self.values
        return [values[card] for card in self.fronts[seat].cards if first <= card < first + COPIES]

    def grazing(self, breed: int) -> list[tuple[Card, int]]:
        """The goats of a breed on the pasture and their cells, by value."""
        first = breed * COPIES
        goats = [(heap.cards[0], cell) for cell, heap in enumerate(self.pasture) if heap.cards]
        return sorted([goat for goat in goats if first <= goat[0] < first + COPIES])

    # Words

    @classmethod
    def say_face(cls, face: Face) -> str:
        """A card in words."""
        if face in MILK:
            return f"milk worth {VALUE_OF[face]}"
        return "a dog" if face == DOG else f"goat {face}"

    @classmethod
    def say(cls, option: Option) -> str:
        """An option in words; rows and columns count from 0 at the top left."""
        match option:
            case ("play", face):
                return f"play {cls.say_face(face)}"
            case ("take", face, row, column):
                return f"take {cls.say_face(face)} from row {row}, column {column}"
            case ("mark", *_):
                return f"mark {' and '.join(map(cls.say_face, option[1:]))}"
            case ("lead", goat, row, column):
                return f"lead {cls.say_face(goat)} to row {row}, column {column}"
            case ("ask", goat, row, column):
                return f"ask to swap {cls.say_face(goat)} with the goat on row {row}, column {column}"
            case ("yes",):
                return "agree to the swap"
            case ("no",):
                return "refuse the swap"
        return "leave all goats where they are"


def milk_points(sums: Sequence[int], variant: GoatVariant) -> list[int]:
    """§5.2 The highest sum counts in full, the next lower one half; equal sums count alike."""
    first = max(sums)
    second = max((milk for milk in sums if milk < first), default=0)
    if variant.milk_second == "none_if_first_tied" and sums.count(first) > 1:
        second = 0
    half = (second + (variant.milk_rounding == "up")) // 2
    return [first if milk == first else half if milk == second else 0 for milk in sums]
