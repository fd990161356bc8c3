"""SheepZzz (Bruno Cathala, Hurrican): shed sheep on three piles, take few pillows, fear the wolf.

Sections (§) are those of the rules page.  Where the rulebook is silent or its three languages differ,
the choice is an option of the variant or is said where it is made.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from arena.game import COMPILED, Game, Option, Outcome, Question, public
from arena.games.sheepzzz_cards import (
    ALL_PILES,
    OPEN,
    PILES,
    TAKES,
    TAKES_SAID,
    WOLF,
    WOLF_PILLOWS,
    cards_of,
    kinds_by_card,
    numbers_by_card,
    pillows_by_card,
    plays_by_card,
    plays_said_by_card,
    sheep_of,
    takes_by_card,
    takes_said_by_card,
)
from arena.variants import Variant, choice, flag, number, seat_or_random, text
from arena.zones import FACE_DOWN, OWN_HAND, STACK, Face, Zone, zone, zones

HAND_SIZE: Final = 5

NAME_POWERS: Final = frozenset({1, 19})
REVERSE_POWERS: Final = frozenset({2, 3, 17, 18})
POWERS: Final = NAME_POWERS | REVERSE_POWERS


@dataclass(frozen=True)
class SheepVariant(Variant):
    """§0 Options."""

    deck: str = text("pyramid", cards_of, "pyramid | flat | 44 sheep as number/pillows", "printed table unknown")
    target: int = number(75, 1, 10_000, "pillows that end the game")
    round_end: str = choice("all_hands_empty", "first_hand_empty", why="end of a round once the deck is gone")
    reverse_power: str = choice("package", "split", "designate", why="what 2, 3, 17 and 18 allow")
    eaten_ends_round: bool = flag(True, "a pile eaten without a deck counts as taken")
    max_rounds: int = number(50, 1, 1_000, "safety cap")
    first_starter: str = seat_or_random("who starts the first round")
    strict_memory: bool = flag(False, "views show tops and sizes only")


class SheepZzz(Game):
    """One game of SheepZzz."""

    name = "sheepzzz"
    title = "SheepZzz"
    summary = "Shed sheep in the flock's order and leave the pillows to others; the lowest total wins."
    seats_allowed = range(2, 6)
    high_score_wins = False
    layout = (("hands",), ("deck", "piles"), ("taken",))
    variant_type = SheepVariant

    deck: Zone = zone(FACE_DOWN)
    hands: list[Zone] = zones(OWN_HAND)
    piles: list[Zone] = zones(STACK, PILES)
    taken: list[Zone] = zones(FACE_DOWN)  # §4: every card went in face up, so everybody remembers it

    ascending: bool | None = public()
    direction: int = public(1)
    totals: tuple[int, ...] = public(())
    starter: int = public(0)
    round: int = public(0)
    wolves_played: int = public(0)

    @classmethod
    def pack(cls, seats: int, variant: Variant) -> tuple[Face, ...]:  # noqa: ARG003  the same for any table
        """All 48 cards are always in play."""
        assert isinstance(variant, SheepVariant)
        return cards_of(variant.deck)

    def prepare(self) -> None:
        """Facts by card: number (a wolf has 0), pillows, the first card alike, ready-made options."""
        assert isinstance(self.variant, SheepVariant)
        self.rules = self.variant
        self.numbers = numbers_by_card(self.faces)
        self.pillows = pillows_by_card(self.faces)
        self.kinds = kinds_by_card(self.faces)
        self.plays = plays_by_card(self.faces)
        self.takes = takes_by_card(self.faces)
        self.plays_said = plays_said_by_card(self.faces)
        self.takes_said = takes_said_by_card(self.faces)

    # §2 Setup

    def set_up(self) -> Question | Outcome:
        """Everything before the first round."""
        self.fill(self.deck)
        self.totals = (0,) * self.seats
        first = self.rules.first_starter
        self.starter = self.pick(self.seats, "starter") if first == "random" else int(first) % self.seats
        return self.start_round()

    def start_round(self) -> Question:
        """Shuffle, turn up three sheep, deal; the starter chooses the flock's face."""
        self.round += 1
        self.direction = 1
        self.ascending = None
        self.wolves_played = 0
        for heap in (*self.hands, *self.piles, *self.taken):
            self.pour(heap, self.deck)
        self.shuffle(self.deck, "deal", self.round)
        self.turn_up_piles()
        for seat in self.seats_from(self.starter):
            for _ in range(HAND_SIZE):
                self.draw(self.deck, self.hands[seat])
        return self.ask(self.starter, self.flocks, self.choose_flock)

    def turn_up_piles(self) -> None:
        """Wolves that show up go back; shuffling them in keeps their place unknown."""
        shown_wolves = 0
        for pile in self.piles:
            while self.faces[self.draw(self.deck, pile)] == WOLF:
                # Turned up and laid aside under the deck; the shuffle below hides where.
                self.tuck(pile.cards[-1], pile, self.deck)
                shown_wolves += 1
        if shown_wolves:
            self.shuffle(self.deck, "wolves back", self.round)

    # §3.1 FLOCK

    def flocks(self, seat: int) -> list[Option]:  # noqa: ARG002
        """The two faces of the flock card."""
        return [("ascending",), ("descending",)]

    def choose_flock(self, seat: int, face: Option) -> Question:
        """The starter also takes the first turn."""
        self.ascending = face[0] == "ascending"
        return self.take_turn(seat)

    # §3.2 TURN

    def take_turn(self, seat: int, imposed: int | None = None) -> Question:
        """Ask for a move; an imposed pile binds playing and taking for this turn only."""
        return self.ask(seat, self.moves, self.move_made, imposed)

    def moves(self, seat: int, imposed: int | None) -> list[Option]:
        """Plays that fit, wolves anywhere, then piles to take; equal cards are one option.

        Sets of piles are bits, so that the options of a card are looked up whole.
        """
        assert self.ascending is not None
        numbers, places, open_to = self.numbers, 0, OPEN[self.ascending]
        for k, pile in enumerate(self.piles):
            if pile.cards and (imposed is None or imposed == k):
                places |= open_to[k][numbers[pile.cards[-1]]]
        anywhere = places & ALL_PILES
        options: list[Option] = []
        takes: list[Option] = []
        said = takes_said = b""
        packs = COMPILED and self.events is not None
        before = -1
        for card in sorted(self.hands[seat].cards):
            kind = self.kinds[card]
            if kind == before:
                continue
            before = kind
            n = numbers[card]
            fitting = places >> PILES * n & ALL_PILES
            options += self.plays[card][fitting]
            if n:
                takes += self.takes[card][anywhere]
            if packs:
                said = said + self.plays_said[card][fitting]
                if n:
                    takes_said = takes_said + self.takes_said[card][anywhere]
        if packs:
            self._in_bytes[seat] = said + (takes_said if self.deck.cards else TAKES_SAID[anywhere])
        return options + takes if self.deck.cards else options + TAKES[anywhere]

    def move_made(self, seat: int, move: Option, imposed: int | None) -> Question | Outcome:  # noqa: ARG002
        """Carry out the chosen move."""
        if move[0] == "take":
            return self.take(seat, move[1], move[2] if len(move) == 3 else None)
        if move[1] == WOLF:
            return self.play_wolf(seat, move[2])
        card = self.find(self.hands[seat], move[1])
        self.move(card, self.hands[seat], self.piles[move[2]])
        return self.power_of(seat, self.numbers[card])

    def take(self, seat: int, k: int, start: Face | None) -> Question | Outcome:
        """Pick up a pile; while there is a deck, a sheep of the hand opens a new one in its place."""
        self.pour(self.piles[k], self.taken[seat])
        if start is None:
            return self.end_round()  # §5.1 (b)
        card = self.find(self.hands[seat], start)
        self.move(card, self.hands[seat], self.piles[k])
        return self.power_of(seat, self.numbers[card])

    # §3.3 Wolf

    def play_wolf(self, seat: int, k: int) -> Question | Outcome:
        """The flock turns first; then one card of the pile, the new wolf among them, is drawn for all to see."""
        pile = self.piles[k]
        self.ascending = not self.ascending
        self.wolves_played += 1
        self.move(self.find(self.hands[seat], WOLF), self.hands[seat], pile)
        drawn = pile.cards[self.pick(len(pile), "wolf", self.round, self.wolves_played)]
        self.surface(drawn, pile)
        if self.numbers[drawn]:
            return self.end_turn(seat)  # a drawn sheep was not played: no power
        return self.eat(seat, k)

    def eat(self, seat: int, k: int) -> Question | Outcome:
        """The pile and its place are gone for the round; the others close ranks."""
        self.pour(self.piles[k], self.taken[seat])
        for left, right in zip(self.piles[k:], self.piles[k + 1 :], strict=False):
            self.pour(right, left)
        counts_as_taken = self.rules.eaten_ends_round and not self.deck.cards
        if counts_as_taken or not self.open_piles():  # §5.5 ruling 7: without piles nobody could move
            return self.end_round()
        return self.end_turn(seat)

    # §3.4 POWER

    def power_of(self, seat: int, n: int) -> Question | Outcome:
        """Powers of 1, 2, 3, 17, 18, 19 fire when played or used as a start card, before the draw."""
        if n not in POWERS or not self.others_holding(seat) or self.round_is_over():
            return self.end_turn(seat)
        return self.ask(seat, self.powers, self.use_power, n)

    def powers(self, seat: int, n: int) -> list[Option]:
        """What the number allows; doing nothing is always legal."""
        piles = self.open_piles()
        named: list[Option] = [(q, k) for q in self.others_holding(seat) for k in piles]
        reading = "name" if n in NAME_POWERS else self.rules.reverse_power
        if reading == "name":
            return [("none",), *[("name", q, k) for q, k in named]]
        if reading == "package":
            return [("none",), *[("reverse", k) for k in piles]]
        targets: list[Option] = [(k,) for k in piles] if reading == "split" else named
        stay = "impose" if reading == "split" else "name"
        return [
            ("none",),
            *[(stay, *target) for target in targets],
            ("reverse",),
            *[("reverse", *target) for target in targets],
        ]

    def use_power(self, seat: int, power: Option, n: int) -> Question | Outcome:  # noqa: ARG002
        """Turn the direction, impose a pile on who comes next, or name the next shepherd and his pile."""
        word, *target = power
        if word == "reverse":
            self.direction = -self.direction
        if len(target) == 2:
            return self.end_turn(seat, named=target[0], imposed=target[1])
        return self.end_turn(seat, imposed=target[0] if target else None)

    # §3.5 DRAW and §3.6 NEXT

    def end_turn(self, seat: int, named: int | None = None, imposed: int | None = None) -> Question | Outcome:
        """Draw, see whether the round is over, hand on."""
        if self.deck.cards:
            self.draw(self.deck, self.hands[seat])
        if self.round_is_over():
            return self.end_round()
        if named is not None:
            return self.take_turn(named, imposed)
        following = self.next_holding(seat)
        return self.take_turn(following, None if following == seat else imposed)

    def next_holding(self, seat: int) -> int:
        """The next seat in the current direction that holds a card; at last the same one again."""
        for step in range(1, self.seats + 1):
            following = (seat + step * self.direction) % self.seats
            if self.hands[following].cards:
                return following
        raise AssertionError("the round is over when nobody holds a card")

    # §5.1 End of a round, §5.2 score of a round, §5.3 end of the game

    def round_is_over(self) -> bool:
        """Without a deck: nobody holds a card (FR, DE), or somebody holds none (EN)."""
        if self.deck.cards:
            return False
        if self.rules.round_end == "first_hand_empty":
            return not all(hand.cards for hand in self.hands)
        return not any(hand.cards for hand in self.hands)

    def end_round(self) -> Question | Outcome:
        """Pillows taken and pillows in hand count; then another round, or the end."""
        for hand in self.hands:
            self.show(hand)
        self.totals = tuple(
            total + sum(self.pillows[card] for card in (*taken.cards, *hand.cards))
            for total, taken, hand in zip(self.totals, self.taken, self.hands, strict=True)
        )
        if max(self.totals) >= self.rules.target or self.round >= self.rules.max_rounds:
            return self.finish(self.totals)
        worst = max(self.totals)
        self.starter = next(seat for seat in self.seats_from(self.starter + 1) if self.totals[seat] == worst)
        return self.start_round()

    # Table helpers

    def seats_from(self, first: int) -> list[int]:
        """All seats clockwise, beginning with `first`."""
        return [(first + step) % self.seats for step in range(self.seats)]

    def others_holding(self, seat: int) -> list[int]:
        """The other seats that hold a card: only they can be handed the turn."""
        return [other for other in range(self.seats) if other != seat and self.hands[other].cards]

    def open_piles(self) -> range:
        """The places where a pile lies; they close ranks, so these are the first ones."""
        count = PILES
        while count and not self.piles[count - 1].cards:
            count -= 1
        return range(count)

    # Words

    @classmethod
    def say_face(cls, face: Face) -> str:
        """A card in words."""
        if face == WOLF:
            return f"the wolf ({WOLF_PILLOWS} pillows)"
        n, pillows = sheep_of(face)
        return f"sheep {n} ({pillows} pillow{'' if pillows == 1 else 's'})"

    @classmethod
    def say(cls, option: Option) -> str:
        """An option in words."""
        match option:
            case ("play", face, k):
                return f"play {cls.say_face(face)} on pile {k}"
            case ("take", k):
                return f"take pile {k}"
            case ("take", k, face):
                return f"take pile {k} and open it again with {cls.say_face(face)}"
            case ("none",):
                return "leave the power unused"
            case ("name", seat, k):
                return f"hand over to seat {seat} on pile {k}"
            case ("impose", k):
                return f"impose pile {k}"
            case ("reverse",):
                return "reverse the direction"
            case ("reverse", k):
                return f"reverse the direction and impose pile {k}"
            case ("reverse", seat, k):
                return f"reverse the direction and hand over to seat {seat} on pile {k}"
        return f"let the flock count {option[0]}"
