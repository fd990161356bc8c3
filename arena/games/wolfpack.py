"""Wolfpack (Tobias Angelo Kaufmann and Erich Brechbühl, Game Division): bring sheep home, round up foreign wolves.

Sections (§) are those of the rules page.  Where the leaflet is silent or can be read in two ways,
the choice is an option of the variant or is said where it is made.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

from arena.game import Game, Lesson, Option, Outcome, Question, public
from arena.variants import Variant, choice, flag, number, seat_or_random
from arena.zones import FACE_DOWN, FACE_UP, OWN_HAND, Card, Face, Zone, zone, zones

# §1 Components
PACKS: Final = "ABCDE"  # the wolves' colours: seat 0 leads pack A
LAMB: Final[Face] = "S"
SHEEP: Final[Face] = "SHEEP"
WOLVES: Final[Face] = "WOLVES"
STEAL: Final[Face] = "STEAL"
SWAP: Final[Face] = "SWAP"
KINDS: Final = (SHEEP, WOLVES, STEAL, SWAP)
WOLVES_EACH: Final = 10
ACTIONS_EACH: Final = 14
SHEEP_POINTS: Final = 1
WOLF_POINTS: Final = 3

PILES: Final = 6
HAND_SIZE: Final = 3
ACTION_LIMIT: Final = 2
IDLE_TURNS_EACH: Final = 10
ACTION_BACK: Final = "action"  # play cards and action cards can be told apart from behind

NO_PACK: Final = -1

DRAW: Final[Option] = ("draw",)
DRAWS: Final[tuple[Option, ...]] = tuple(("draw", k) for k in range(PILES))
TAKE: Final[Option] = ("take",)
KEEP: Final[Option] = ("keep",)
USE: Final[dict[Face, Option]] = {kind: ("use", kind) for kind in KINDS}
EXCHANGE: Final[Option] = ("exchange",)
STEALS: Final[dict[str, tuple[Option, ...]]] = {
    kind: tuple(("steal", victim, kind) for victim in range(len(PACKS))) for kind in ("play", "action")
}
LEFT: Final[Option] = ("pass", "left")
RIGHT: Final[Option] = ("pass", "right")


@dataclass(frozen=True)
class WolfpackVariant(Variant):
    """§0 Options."""

    sheep_per_player: int = number(14, 14, 28, "14 is the short game, 28 the long one")
    pile_choice: bool = flag(False, "who draws names the pile, though all are alike")
    take_with_two: str = choice("forbidden", "must_use", why="may a third action card be taken?")
    reveal_on_sheep: str = choice("play_cards", "none", "all_cards", why="what a successful SHEEP shows")
    hand_sheep_criterion: str = choice("wolves_in_hand", "wolves_laid", why="who claims the sheep left in a hand")
    own_wolves_count: bool = flag(True, "own wolves in hand may claim its sheep")
    end_when_one_left: bool = flag(True, "or only when one player laid all foreign wolves")
    idle_limit: int = number(0, 0, 100, "turns without progress that end the game; 0 is ten per player")
    start_seat: str = seat_or_random("who begins")


class Wolfpack(Game):
    """One game of Wolfpack."""

    name = "wolfpack"
    title = "Wolfpack"
    summary = "Bring your sheep home under the guard of your own wolves and round up everybody else's."
    seats_allowed = range(2, 6)
    layout = (("play_hands", "action_hands", "taken"), ("piles",), ("action_deck", "action_discard"), ("laid",))
    variant_type = WolfpackVariant

    piles: list[Zone] = zones(FACE_DOWN, PILES)
    action_deck: Zone = zone(FACE_DOWN, back=ACTION_BACK)
    action_discard: Zone = zone(FACE_DOWN, back=ACTION_BACK)  # used cards come in open, exchanged ones do not
    play_hands: list[Zone] = zones(OWN_HAND)
    action_hands: list[Zone] = zones(OWN_HAND, back=ACTION_BACK)
    taken: list[Zone] = zones(OWN_HAND, back=ACTION_BACK)  # an action card between taking and keeping or using it
    laid: list[Zone] = zones(FACE_UP)

    out: tuple[bool, ...] = public(())
    idle: int = public(0)
    turn: int = public(0)
    reshuffles: int = public(0)

    @classmethod
    def pack(cls, seats: int, variant: Variant) -> tuple[Face, ...]:
        """Wolves of the packs at the table, sheep by their number, and all action cards."""
        assert isinstance(variant, WolfpackVariant)
        wolves = [pack for pack in PACKS[:seats] for _ in range(WOLVES_EACH)]
        sheep = [LAMB] * (seats * variant.sheep_per_player)
        return (*wolves, *sheep, *[kind for kind in KINDS for _ in range(ACTIONS_EACH)])

    @classmethod
    def back(cls, face: Face) -> str:
        """Two kinds of backs."""
        return ACTION_BACK if face in USE else ""

    def prepare(self) -> None:
        """The pack of every card, and what the variant says in numbers."""
        assert isinstance(self.variant, WolfpackVariant)
        self.rules = self.variant
        self.pack_of = _pack_by_card(self.faces)
        self.play_cards = len(self.faces) - ACTIONS_EACH * len(KINDS)
        self.idle_limit = self.rules.idle_limit or IDLE_TURNS_EACH * self.seats
        self.third_allowed = self.rules.take_with_two == "must_use"

    # §2 Setup

    def set_up(self) -> Question | Outcome:
        """Six piles of play cards, a deck of action cards, three play cards each."""
        self.fill(self.piles[0], range(self.play_cards))
        self.shuffle(self.piles[0], "play cards")
        self.cut(self.piles[0], self.piles)
        self.fill(self.action_deck, range(self.play_cards, len(self.faces)))
        self.shuffle(self.action_deck, "action cards")
        for hand in self.play_hands:
            for _ in range(HAND_SIZE):
                self.draw(self.fullest_pile(), hand)
        self.out = (False,) * self.seats
        first = self.rules.start_seat
        return self.take_turn(self.pick(self.seats, "start") if first == "random" else int(first) % self.seats)

    def fullest_pile(self) -> Zone:
        """The piles are alike, so that nobody is asked for one; the first of the highest serves."""
        return max(self.piles, key=len)

    # §3.1 TURN

    def take_turn(self, seat: int) -> Question:
        """Exactly one of drawing, taking, using and exchanging."""
        return self.ask(seat, self.moves, self.play)

    def moves(self, seat: int) -> list[Option]:
        """Drawing is always possible; the rest depends on the action cards held."""
        faces = self.faces
        held = tuple([faces[card] for card in self.action_hands[seat].cards])
        if not self.rules.pile_choice:
            return [DRAW, *_moves_holding(held, self.third_allowed)]
        draws = [DRAWS[k] for k, pile in enumerate(self.piles) if pile.cards]
        return [*draws, *_moves_holding(held, self.third_allowed)]

    def play(self, seat: int, move: Option) -> Question | Outcome:
        """Carry out the chosen move."""
        word = move[0]
        if word == "draw":
            return self.draw_play_card(seat, self.piles[move[1]] if len(move) == 2 else self.fullest_pile())
        if word == "take":
            return self.take_action_card(seat)
        if word == "use":
            return self.use(seat, move[1], self.action_hands[seat])
        return self.exchange(seat)

    def draw_play_card(self, seat: int, pile: Zone) -> Question | Outcome:
        """One more for the hand, of any size; the last one ends the game at once (§5.1, 1)."""
        self.draw(pile, self.play_hands[seat])
        for other in self.piles:
            if other.cards:
                return self.end_turn(seat, progress=True)
        return self.end()

    def take_action_card(self, seat: int) -> Question:
        """It lies apart until it is kept or used: others must not learn which of the cards in hand is new."""
        self.draw_action_card(self.taken[seat])
        return self.ask(seat, self.keep_or_use, self.kept_or_used)

    def keep_or_use(self, seat: int) -> list[Option]:
        """KEEP_OR_USE; a third card cannot be kept (`take_with_two`)."""
        use = USE[self.faces[self.taken[seat].cards[0]]]
        return [KEEP, use] if len(self.action_hands[seat].cards) < ACTION_LIMIT else [use]

    def kept_or_used(self, seat: int, fate: Option) -> Question | Outcome:
        """Keeping ends the turn."""
        if fate != KEEP:
            return self.use(seat, fate[1], self.taken[seat])
        self.draw(self.taken[seat], self.action_hands[seat])
        return self.end_turn(seat)

    def exchange(self, seat: int) -> Question | Outcome:
        """Put both back face down, then draw: a reshuffle would include them (§5.4, 12)."""
        hand = self.action_hands[seat]
        self.pour(hand, self.action_discard)  # whole, so that who remembers the hand knows what lies there now
        self.draw_action_card(hand)
        return self.end_turn(seat)

    def draw_action_card(self, target: Zone) -> None:
        """The discard becomes the new deck when a card is needed and none is left."""
        if not self.action_deck.cards:
            self.reshuffles += 1
            self.pour(self.action_discard, self.action_deck)
            self.shuffle(self.action_deck, "reshuffle", self.reshuffles)
        self.draw(self.action_deck, target)

    # §3.2 Resolving action cards

    def use(self, seat: int, kind: Face, source: Zone) -> Question | Outcome:
        """The card leaves the hand first; using it without effect is legal."""
        self.move(self.find(source, kind), source, self.action_discard)
        if kind == SHEEP:
            return self.bring_sheep_home(seat)
        if kind == WOLVES:
            return self.round_up_wolves(seat)
        if kind == STEAL:
            return self.steal_from(seat, self.others_in(seat))
        return self.ask(seat, self.swap_direction, self.swap)

    def bring_sheep_home(self, seat: int) -> Question | Outcome:
        """SHEEP: all sheep of the hand, if own wolves outnumber all others there; a tie does not do."""
        hand = self.play_hands[seat]
        self.judge(hand)
        packs = [self.pack_of[card] for card in hand.cards]
        sheep, own = packs.count(NO_PACK), packs.count(seat)
        if not sheep or own <= len(packs) - sheep - own:
            return self.end_turn(seat)
        self.lay(seat, [card for card in hand.cards if self.pack_of[card] == NO_PACK])
        self.reveal(seat)
        return self.end_turn(seat, progress=True)

    def reveal(self, seat: int) -> None:
        """§4 Others may ask to see the hand after a successful SHEEP; asking is free, so it is always shown."""
        if self.rules.reveal_on_sheep != "none":
            self.show(self.play_hands[seat])
        if self.rules.reveal_on_sheep == "all_cards":
            self.show(self.action_hands[seat])

    def round_up_wolves(self, seat: int) -> Question | Outcome:
        """WOLVES: all foreign wolves of the hand; a pack that lies there whole is out with its leader (§5.2)."""
        hand = self.play_hands[seat]
        self.judge(hand)
        foreign = [card for card in hand.cards if self.pack_of[card] not in (seat, NO_PACK)]
        if not foreign:
            return self.end_turn(seat)
        self.lay(seat, foreign)
        lying = [self.pack_of[card] for heap in self.laid for card in heap.cards]
        self.out = tuple(lying.count(pack) == WOLVES_EACH for pack in range(self.seats))
        return self.end() if self.wolves_are_settled(seat) else self.end_turn(seat, progress=True)

    def lay(self, seat: int, cards: list[Card]) -> None:
        """All or nothing, openly; sorted, since places in a hand tell nothing."""
        for card in sorted(cards):
            self.move(card, self.play_hands[seat], self.laid[seat])

    def steal_from(self, seat: int, victims: tuple[int, ...]) -> Question | Outcome:
        """STEAL: one card from each of the others in turn, skipping who has none that could be taken."""
        while victims and not self.steal_kind(seat, victims):
            victims = victims[1:]
        if victims:
            return self.ask(seat, self.steal_kind, self.steal, victims)
        return self.end_turn(seat)

    def steal_kind(self, seat: int, victims: tuple[int, ...]) -> list[Option]:
        """STEAL_KIND: a kind the next victim holds; an action card only below the limit."""
        victim = victims[0]
        options = [STEALS["play"][victim]] if self.play_hands[victim].cards else []
        if self.action_hands[victim].cards and len(self.action_hands[seat].cards) < ACTION_LIMIT:
            options.append(STEALS["action"][victim])
        return options

    def steal(self, seat: int, theft: Option, victims: tuple[int, ...]) -> Question | Outcome:
        """Which card of that kind is chance; thief and victim know it, the others lose track of that hand."""
        _, victim, kind = theft
        hands = self.play_hands if kind == "play" else self.action_hands
        held = hands[victim].cards
        self.slip(held[self.pick(len(held), "steal", self.turn, victim)], hands[victim], hands[seat])
        return self.steal_from(seat, victims[1:])

    def swap_direction(self, seat: int) -> list[Option]:  # noqa: ARG002
        """SWAP_DIRECTION: left is clockwise; between two players both are the same."""
        return [LEFT, RIGHT] if self.out.count(False) > 2 else [LEFT]

    def swap(self, seat: int, direction: Option) -> Question | Outcome:
        """SWAP: everybody still in passes both kinds of cards on to the next who is."""
        players = [player for player in range(self.seats) if not self.out[player]]
        step = 1 if direction[1] == "left" else -1
        self.pass_on([self.play_hands[player] for player in players], step=step)
        self.pass_on([self.action_hands[player] for player in players], step=step)
        return self.end_turn(seat)

    # §3.3 Next

    def end_turn(self, seat: int, progress: bool = False) -> Question | Outcome:
        """CHECK: too many turns without a card drawn from the piles or laid end the game (§5.1, 3)."""
        self.turn += 1
        self.idle = 0 if progress else self.idle + 1
        if self.idle >= self.idle_limit:
            return self.end()
        following = (seat + 1) % self.seats
        while self.out[following]:
            following = (following + 1) % self.seats
        return self.take_turn(following)

    def others_in(self, seat: int) -> tuple[int, ...]:
        """The other players still in the game, clockwise."""
        others = [(seat + step) % self.seats for step in range(1, self.seats)]
        return tuple([other for other in others if not self.out[other]])

    # §5.1 End of the game (1 and 3 stand where they happen: `draw_play_card`, `end_turn`)

    def wolves_are_settled(self, seat: int) -> bool:
        """2: only one player is still in; read literally, one player laid all foreign wolves."""
        if self.rules.end_when_one_left:
            return self.out.count(False) == 1
        laid = self.laid[seat].cards
        return sum(self.pack_of[card] != NO_PACK for card in laid) == WOLVES_EACH * (self.seats - 1)

    # §5.3 Score

    def end(self) -> Outcome:
        """What was laid, and the sheep left in hands, which fall to the strongest pack there."""
        for hand in self.play_hands:
            self.show(hand)
        scores = [self.base(seat) for seat in range(self.seats)]
        for seat, hand in enumerate(self.play_hands):
            strongest = self.strongest_packs(seat)
            sheep = sum(self.pack_of[card] == NO_PACK for card in hand.cards)
            for leader in strongest:
                scores[leader] += sheep // len(strongest)  # the remainder is lost
        return self.finish(scores)

    def base(self, seat: int) -> int:
        """Points for cards laid."""
        packs = [self.pack_of[card] for card in self.laid[seat].cards]
        sheep = packs.count(NO_PACK)
        return SHEEP_POINTS * sheep + WOLF_POINTS * (len(packs) - sheep)

    def strongest_packs(self, seat: int) -> list[int]:
        """The packs with most wolves in this hand (or laid by this player); none without a wolf."""
        in_hand = self.rules.hand_sheep_criterion == "wolves_in_hand"
        packs = [self.pack_of[card] for card in (self.play_hands if in_hand else self.laid)[seat].cards]
        counted = [pack for pack in range(self.seats) if pack != seat or self.rules.own_wolves_count]
        most = max(map(packs.count, counted))
        return [pack for pack in counted if packs.count(pack) == most] if most else []

    def lessons(self, step: Sequence[Sequence[Any]]) -> list[Lesson]:
        """After WOLVES no foreign wolf is left; after SHEEP in vain there are no sheep, or too few own wolves."""
        verb, seat, option = step[0][:3]
        if verb != "answer" or option[0] != "use" or option[1] not in (WOLVES, SHEEP):
            return []
        kinds = {LAMB: "sheep", **dict.fromkeys(PACKS, "foreign"), PACKS[seat]: "own"}
        laid = any(event[2] == f"laid.{seat}" for event in step[1:-1])
        return [Lesson(f"play_hands.{seat}", kinds, FITS[option[1], laid])]

    # Words

    @classmethod
    def say_face(cls, face: Face) -> str:
        """A card in words."""
        if face in USE:
            return f"action {face}"
        return "a sheep" if face == LAMB else f"a wolf of pack {face} (seat {PACKS.index(face)})"

    @classmethod
    def say(cls, option: Option) -> str:
        """An option in words."""
        match option:
            case ("draw",):
                return "draw a play card"
            case ("draw", k):
                return f"draw a play card from pile {k}"
            case ("take",):
                return "take an action card"
            case ("keep",):
                return "keep the action card"
            case ("use", kind):
                return EFFECTS[kind]
            case ("exchange",):
                return "put both action cards back face down and draw one"
            case ("steal", victim, kind):
                return f"steal {'a play card' if kind == 'play' else 'an action card'} from seat {victim}"
        return f"pass all hands to the {option[1]}"


FITS: Final[dict[tuple[str, bool], Callable[[Mapping[str, int]], bool]]] = {
    (WOLVES, True): lambda hand: not hand["foreign"],
    (WOLVES, False): lambda hand: not hand["foreign"],
    (SHEEP, True): lambda hand: not hand["sheep"] and hand["own"] > hand["foreign"],
    (SHEEP, False): lambda hand: not hand["sheep"] or hand["own"] <= hand["foreign"],
}
EFFECTS = {
    SHEEP: "use SHEEP: bring the sheep in hand home",
    WOLVES: "use WOLVES: round up the foreign wolves in hand",
    STEAL: "use STEAL: take a card from everybody",
    SWAP: "use SWAP: all hands are passed on",
}


@cache
def _moves_holding(held: tuple[Face, ...], third_allowed: bool) -> tuple[Option, ...]:
    take = [TAKE] if len(held) < ACTION_LIMIT or third_allowed else []
    uses = [USE[kind] for kind in KINDS if kind in held]
    return (*take, *uses, *([EXCHANGE] if len(held) == ACTION_LIMIT else []))


@cache
def _pack_by_card(faces: tuple[Face, ...]) -> tuple[int, ...]:
    return tuple(PACKS.find(face) if len(face) == 1 else NO_PACK for face in faces)
