"""Volle Wolle, or Bouc Makers (Alessandro Zucchini; Zoch, Gigamic): secret contracts, three dice, a flock.

Sections (§) are those of the rules page.  What the rulebooks leave open is an option of the variant or is
said where it is chosen; the two editions have the same rules.  The cards are in `volle_wolle_cards`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final

from arena.game import Game, Option, Outcome, Question, public
from arena.games.volle_wolle_cards import BONE, DOG, by_card, cards_of, say_card, score_dogs, score_flock
from arena.variants import Variant, choice, flag, number, text
from arena.zones import FACE_DOWN, FACE_UP, STACK, Card, Face, Zone, zone, zones

# §1 Components
CHIPS_IN_BOX: Final = 25
BOARDS: Final = 6
DICE: Final = (8, 10, 12)
UNROLLED: Final = (0, 0, 0)
ATTEMPTS: Final = 3
SAFE: Final = 14
"""The lowest contract, and the result below which black sheep come running."""

# §3.2 The contracts, lowest first; 26+ goes before 26 but asks for no more.
PLUS: Final = "26+"
BIDS: Final[tuple[Option, ...]] = (*[("bid", n) for n in range(SAFE, 27)], ("bid", PLUS))
NEEDED: Final[dict[int | str, int]] = {**{n: n for n in range(SAFE, 27)}, PLUS: 26}
HEIGHT: Final[dict[int | str, int]] = {**NEEDED, PLUS: 27}

KEEPS: Final[tuple[Option, ...]] = tuple(("keep", sides) for sides in DICE)


def _levels(value: str) -> list[int] | None:
    if value == "random":
        return None
    try:
        levels = [int(part) for part in value.replace(",", " ").split()]
    except ValueError:
        levels = []
    if len(levels) != BOARDS or not all(0 <= level < 1_000 for level in levels):
        raise ValueError(f'"random", or {BOARDS} whole numbers below 1000, the first for seat 0')
    return levels


@dataclass(frozen=True)
class WoolVariant(Variant):
    """§0 Options."""

    edition: str = choice("volle_wolle", "bouc_makers", why="the name on the box; the rules are the same")
    cards: str = text("rebuilt", cards_of, "rebuilt | 51 sheep as kind/points/modifier/level", "true list unknown")
    start_chips: int = number(2, 0, CHIPS_IN_BOX, "wool chips of each player at the start")
    chip_supply: str = choice("25", "unlimited", why="chips in the box")
    black_sheep_rescue: bool = flag(True, "chips may lift a failed third roll to 14")
    board_levels: str = text("random", _levels, "random | six numbers by seat", "levels without a sheep")
    two_player_rules: str = choice("automatic", why="with two seats the second rolls too, the first gets the rest")
    strict_memory: bool = flag(False, "views show only the top and the size of a flock")


class VolleWolle(Game):
    """One game of Volle Wolle."""

    name = "volle-wolle"
    title = "Volle Wolle"
    summary = "Promise a high roll to choose first among sheep, dogs and trios; the richest flock wins."
    seats_allowed = range(2, 7)
    layout = (("flocks",), ("beside",), ("deck", "table", "received"))
    variant_type = WoolVariant

    deck: Zone = zone(FACE_DOWN)
    table: Zone = zone(FACE_UP)
    received: Zone = zone(FACE_UP)  # sheep on their way to a flock, until their owner said which lies on top
    flocks: list[Zone] = zones(STACK)
    beside: list[Zone] = zones(FACE_UP)  # dogs, and the bone

    round: int = public(0)
    chips: tuple[int, ...] = public(())
    reserve: int | None = public()
    board_levels: tuple[int, ...] = public(())
    contracts: tuple[int | str, ...] = public(())
    order: tuple[int, ...] = public(())
    turn: int = public(0)  # a place in `order`
    attempt: int = public(0)
    dice: tuple[int, ...] = public(UNROLLED)  # as in DICE
    kept: tuple[int, ...] = public(())  # of DICE, in the order they were laid aside

    @classmethod
    def pack(cls, seats: int, variant: Variant) -> tuple[Face, ...]:  # noqa: ARG003  the same for any table
        """All 60 cards are always in play."""
        assert isinstance(variant, WoolVariant)
        return cards_of(variant.cards)

    def prepare(self) -> None:
        """What each card shows; dogs and the bone are no sheep."""
        assert isinstance(self.variant, WoolVariant)
        self.rules = self.variant
        self.sheep, self.mods, self.levels = by_card(self.faces)

    def could_hide(self, zone: Zone, face: Face) -> bool:
        """A flock is sheep only, however much of it is forgotten."""
        return zone.sight is not STACK or (face != DOG and face != BONE)

    # §2 Setup

    def set_up(self) -> Question | Outcome:
        """Shuffle, hand out boards and chips; nobody starts, as the order comes from the contracts."""
        self.fill(self.deck)
        self.shuffle(self.deck, "deck")
        self.board_levels = self.deal_boards()
        self.chips = (self.rules.start_chips,) * self.seats
        if self.rules.chip_supply != "unlimited":
            # More start chips than the box holds are borrowed from another one, and the reserve is empty.
            self.reserve = max(0, CHIPS_IN_BOX - sum(self.chips))
        return self.lay_out()

    def deal_boards(self) -> tuple[int, ...]:
        """§1.3 The numbers on the backs of the boards, one for each seat."""
        given = _levels(self.rules.board_levels)
        if given is not None:
            return tuple(given[: self.seats])
        boards = list(range(1, BOARDS + 1))
        return tuple(boards.pop(self.pick(len(boards), "board", seat)) for seat in range(self.seats))

    # §3 State machine

    def mod(self, seat: int) -> int:
        """The modifier on top of the flock."""
        flock = self.flocks[seat].cards
        return self.mods[flock[-1]] if flock else 0

    def level(self, seat: int) -> int:
        """The level on top of the flock; the board's without a flock."""
        flock = self.flocks[seat].cards
        return self.levels[flock[-1]] if flock else self.board_levels[seat]

    # §3.1 LAYOUT

    def lay_out(self) -> Question | Outcome:
        """One card more than players, while there are any; all of them find an owner within the round."""
        if not self.deck.cards:
            return self.final()
        self.round += 1
        self.contracts = self.order = self.kept = ()
        self.turn, self.attempt, self.dice = 0, 0, UNROLLED
        for _ in range(min(self.seats + 1, len(self.deck.cards))):
            self.draw(self.deck, self.table)
        return self.ask_all(range(self.seats), self.bids, self.reveal)

    # §3.2 CONTRACT

    def bids(self, seat: int) -> list[Option]:
        """14 to 26; 26+ costs a chip, so it takes one."""
        return list(BIDS if self.chips[seat] else BIDS[:-1])

    # §3.3 REVEAL

    def reveal(self, bids: tuple[Option, ...]) -> Question | Outcome:
        """Everybody who said 26+ pays; the highest goes first, of equals the lower level, then the lower seat."""
        self.contracts = tuple(bid[1] for bid in bids)
        for seat, contract in enumerate(self.contracts):
            if contract == PLUS:
                self.pay(seat, 1)
        rank = [(-HEIGHT[self.contracts[seat]], self.level(seat), seat) for seat in range(self.seats)]
        self.order = tuple([seat for _, _, seat in sorted(rank)])
        return self.take_turn()

    def take_turn(self) -> Question | Outcome:
        """The turn of the next in order, as long as something lies on the table (§5 rulings 2 and 3)."""
        if not self.table.cards:
            return self.lay_out()
        last = self.seats - 1
        if self.turn < last or (self.turn == last and self.seats == 2):
            self.attempt, self.dice, self.kept = 0, UNROLLED, ()
            return self.throw(self.order[self.turn])
        return self.sweep()

    def end_turn(self) -> Question | Outcome:
        """Hand on."""
        self.turn += 1
        return self.take_turn()

    # §3.4 Rolling

    def throw(self, seat: int) -> Question | Outcome:
        """Roll the dice that were not laid aside; a contract met without bonus and chips must be taken."""
        self.attempt += 1
        self.dice = tuple(
            [
                value if sides in self.kept else self.roll(sides, "dice", self.round, seat, self.attempt, sides)
                for sides, value in zip(DICE, self.dice, strict=True)
            ]
        )
        contract, rolled, mod = NEEDED[self.contracts[seat]], sum(self.dice), self.mod(seat)
        if rolled + min(mod, 0) >= contract:
            return self.succeed(seat)
        cost = max(0, contract - rolled - mod)
        if cost <= self.chips[seat]:
            return self.ask(seat, self.claims, self.claim_made, cost)
        return self.miss(seat)

    def claims(self, seat: int, cost: int) -> list[Option]:  # noqa: ARG002
        """Help a roll with the bonus and exactly the chips that are missing, or not."""
        return [("claim", cost), ("continue",)]

    def claim_made(self, seat: int, claim: Option, cost: int) -> Question | Outcome:
        """Pay and take, or let it go."""
        if claim[0] == "continue":
            return self.miss(seat)
        self.pay(seat, cost)
        return self.succeed(seat)

    def miss(self, seat: int) -> Question | Outcome:
        """Nobody gives up early: after the first and second attempt it goes on."""
        if self.attempt == ATTEMPTS:
            return self.fail(seat)
        return self.ask(seat, self.keeps, self.keep_made)

    def keeps(self, seat: int) -> list[Option]:  # noqa: ARG002
        """One of the dice just rolled, for good."""
        return [option for option in KEEPS if option[1] not in self.kept]

    def keep_made(self, seat: int, keep: Option) -> Question | Outcome:
        """Lay it aside and roll the others."""
        self.kept = (*self.kept, keep[1])
        return self.throw(seat)

    # §3.5 Success and PICK

    def succeed(self, seat: int) -> Question | Outcome:
        """Three, two or one card by attempt; never fewer, unless the table holds no more."""
        due = ATTEMPTS + 1 - self.attempt
        if due >= len(self.table.cards):
            return self.receive(seat, self.table.cards[:])
        return self.ask(seat, self.picks, self.pick_made, due)

    def picks(self, seat: int, due: int) -> list[Option]:  # noqa: ARG002
        """Any combination; dogs are alike."""
        faces = [self.faces[card] for card in sorted(self.table.cards)]
        return [("pick", *picked) for picked in dict.fromkeys(combinations(faces, due))]

    def pick_made(self, seat: int, pick: Option, due: int) -> Question | Outcome:  # noqa: ARG002
        """Take exactly these."""
        wanted = list(pick[1:])
        picked = []
        for card in self.table.cards:
            if self.faces[card] in wanted:
                wanted.remove(self.faces[card])
                picked.append(card)
        return self.receive(seat, picked)

    # §3.6 FAIL and RESCUE

    def fail(self, seat: int) -> Question | Outcome:
        """Below 14, the bonus included, black sheep join the flock, unless chips keep them away."""
        missing = SAFE - sum(self.dice) - self.mod(seat)
        if missing <= 0 or not self.black_sheep():
            return self.console(seat)
        if self.rules.black_sheep_rescue and self.chips[seat] >= missing:
            return self.ask(seat, self.rescues, self.rescue_made, missing)
        return self.console(seat, self.black_sheep())

    def rescues(self, seat: int, cost: int) -> list[Option]:  # noqa: ARG002
        """Pay up to 14, or take them."""
        return [("pay", cost), ("take",)]

    def rescue_made(self, seat: int, rescue: Option, cost: int) -> Question | Outcome:
        """One or the other."""
        if rescue[0] == "take":
            return self.console(seat, self.black_sheep())
        self.pay(seat, cost)
        return self.console(seat)

    def console(self, seat: int, taken: Sequence[Card] = ()) -> Question | Outcome:
        """Whoever failed gets a chip, if there is one; before TOP is asked, on which it has no bearing."""
        if self.reserve != 0:
            self.pay(seat, -1)
        return self.receive(seat, taken)

    def black_sheep(self) -> list[Card]:
        """Those on the table."""
        return [card for card in self.table.cards if self.sheep[card].kind == "black"]

    # §3.7 SWEEP and §3.8 Two players

    def sweep(self) -> Question | Outcome:
        """The last in order takes all that is left, unrolled; of two players, the first once both have rolled."""
        return self.receive(self.order[0 if self.seats == 2 else -1], self.table.cards[:])

    # §3.9 Receiving cards

    def receive(self, seat: int, cards: Sequence[Card]) -> Question | Outcome:
        """Dogs and the bone go beside the flock, sheep on top of it; a bone symbol calls the bone."""
        flocking = [card for card in cards if self.sheep[card].kind]
        for card in cards:
            if not self.sheep[card].kind:
                self.move(card, self.table, self.beside[seat])
        if any(self.sheep[card].bone for card in flocking):
            self.call_bone(seat)
        if len(flocking) < 2:
            for card in flocking:
                self.move(card, self.table, self.flocks[seat])
            return self.end_turn()
        for card in flocking:
            self.move(card, self.table, self.received)
        return self.ask(seat, self.tops, self.top_made)

    def call_bone(self, seat: int) -> None:
        """Only an opponent can lose the bone; from the deck or the table it does not come."""
        bone = len(self.faces) - 1
        for owner, heap in enumerate(self.beside):
            if owner != seat and bone in heap.cards:
                self.move(bone, heap, self.beside[seat])

    def tops(self, seat: int) -> list[Option]:  # noqa: ARG002
        """Which of the new sheep lies on top; the order below has no effect."""
        return [("top", face) for face in dict.fromkeys(self.faces[card] for card in sorted(self.received.cards))]

    def top_made(self, seat: int, top: Option) -> Question | Outcome:
        """Stack them."""
        self.surface(self.find(self.received, top[1]), self.received)
        self.pour(self.received, self.flocks[seat])
        return self.end_turn()

    # §5 End and scoring

    def final(self) -> Outcome:
        """The last layout has been handed out."""
        return self.finish([self.score(seat) for seat in range(self.seats)])

    def dogs(self, seat: int) -> int:
        """How many dogs a seat owns."""
        return sum(self.faces[card] == DOG for card in self.beside[seat].cards)

    def score(self, seat: int) -> int:
        """Flock, dogs, bone and chips of one seat."""
        dogs = self.dogs(seat)
        most = max(self.dogs(other) for other in range(self.seats))
        bone = len(self.beside[seat].cards) > dogs
        flock = score_flock([self.sheep[card] for card in self.flocks[seat].cards], dogs)
        return flock + score_dogs(dogs, most=dogs == most, bone=bone) + self.chips[seat]

    def pay(self, seat: int, count: int) -> None:
        """Chips go to the reserve; a negative count comes from it."""
        chips = list(self.chips)
        chips[seat] -= count
        self.chips = tuple(chips)
        if self.reserve is not None:
            self.reserve += count

    # Words

    def stand_in(self, seat: int, options: Sequence[Option]) -> int:  # noqa: ARG002
        """Bids lowest, so that everybody else goes first, and spends no chip."""
        return 1 if options[0][0] in ("claim", "pay") else 0

    @classmethod
    def say_face(cls, face: Face) -> str:
        """A card in words."""
        return say_card(face)

    @classmethod
    def say(cls, option: Option) -> str:
        """An option in words."""
        match option:
            case ("bid", contract):
                return f"promise {contract}" + (" for a chip" if contract == PLUS else "")
            case ("claim", 0):
                return "claim the cards with the bonus"
            case ("claim", cost):
                return f"claim the cards for {_chips(cost)}"
            case ("continue",):
                return "let the roll go"
            case ("keep", sides):
                return f"keep the d{sides}"
            case ("pick", *_):
                return "take " + ", ".join(map(cls.say_face, option[1:]))
            case ("top", face):
                return f"put {cls.say_face(face)} on top"
            case ("pay", cost):
                return f"keep the black sheep away for {_chips(cost)}"
        return "take the black sheep"


def _chips(count: int) -> str:
    return "a chip" if count == 1 else f"{count} chips"
