"""Rulebooks with one mistake each, for `test_planted_mistakes`: what the contract must catch."""

from __future__ import annotations

from typing import Any

from arena.game import Option, Outcome, Question, public
from arena.games.sheepzzz import SheepZzz
from arena.zones import EVERYONE, Card, Zone
from tests.contracts.tiny import TRICKS, Magpie


class PublicFromHands(Magpie):
    """Everybody is told the best stone in any hand."""

    best: str = public("")

    def blow(self) -> Question:
        self.best = max(self.faces[card] for hand in self.hands for card in hand.cards)
        return super().blow()


class OptionsFromDeck(SheepZzz):
    """Taking a pile is offered only when a sheep lies on top of the deck."""

    def moves(self, seat: int, imposed: int | None) -> list[Option]:
        options = super().moves(seat, imposed)
        wolf_on_top = bool(self.deck.cards) and self.numbers[self.deck.cards[-1]] == 0
        plays = [option for option in options if option[0] == "play"]
        return plays if wolf_on_top and plays else options


class SecretInContext(Magpie):
    """The question carries what lies in the first hand."""

    def blow(self) -> Question:
        question = super().blow()
        secret = min((self.faces[card] for card in self.hands[0].cards), default="")
        return Question(
            question.seats, question.options, question.then, (*question.context, secret), together=True
        )

    def reveal(self, choices: tuple[Option, ...], holders: tuple[int, ...], *_: object) -> Question | Outcome:
        return super().reveal(choices, holders)


class MovedWithoutVerb(SheepZzz):
    """The draw at the end of a turn is done by hand."""

    def end_turn(self, seat: int, named: int | None = None, imposed: int | None = None) -> Question | Outcome:
        if len(self.deck) > 1:
            self.hands[seat].cards.append(self.deck.cards.pop())
        return super().end_turn(seat, named, imposed)


class KnownWithoutVerb(SheepZzz):
    """A rulebook that decides by itself who knows a card."""

    def choose_flock(self, seat: int, face: Option) -> Question:
        self.knowers[self.deck.cards[-1]] |= EVERYONE
        return super().choose_flock(seat, face)


class MutablePublic(Magpie):
    """Public values are a list, shared with every copy."""

    history: Any = public()

    def set_up(self) -> Question:
        self.history = []
        return super().set_up()

    def blow(self) -> Question:
        self.history.append(self.round)
        return super().blow()


class DroppedCard(Magpie):
    """A verb that loses the card it should bury."""

    def tuck(self, card: Card, source: Zone, target: Zone) -> None:
        super().tuck(card, source, target)
        target.cards.remove(card)


class FieldLeftOut(SheepZzz):
    """Whether the flock has turned is kept where no view shows it."""

    turned = False

    def play_wolf(self, seat: int, k: int) -> Question | Outcome:
        self.turned = not self.turned
        return super().play_wolf(seat, k)

    def flocks(self, seat: int) -> list[Option]:
        return super().flocks(seat)[:: -1 if self.turned else 1]


class LoudDraw(SheepZzz):
    """Everybody is told the card that only the drawer sees."""

    def draw(self, source: Zone, target: Zone) -> Card:
        card = super().draw(source, target)
        if self.events is not None:
            self.events[-1] = (EVERYONE, *self.events[-1][1:])
        return card


class KeyUsedTwice(SheepZzz):
    """Every wolf of a round draws with the same chance."""

    def pick(self, size: int, *key: str | int) -> int:
        return super().pick(size, *key[:2])


class LoudWhisper(Magpie):
    """The stone given unseen is named in an answer that all hear."""

    def grant(self, seat: int, favour: Option) -> Question | Outcome:
        if favour == ("whisper",):
            return self.ask(seat, self.whispers, self.heard_by_all)
        return super().grant(seat, favour)

    def heard_by_all(self, seat: int, choice: Option) -> Question | Outcome:
        return self.heard((choice,), seat)


class AskedByHolding(SheepZzz):
    """Who holds no wolf is not asked whether to use a power: being asked tells."""

    def power_of(self, seat: int, n: int) -> Question | Outcome:
        holds = any(self.numbers[card] == 0 for card in self.hands[seat].cards)
        return super().power_of(seat, n) if holds else self.end_turn(seat)


class TellingStandIn(SheepZzz):
    """The default told with a request looks at the deck."""

    def stand_in(self, seat: int, options: Any) -> int:
        return self.deck.cards[-1] % len(options) if self.deck.cards else 0


class NothingToDo(Magpie):
    """Asked without an option."""

    def favours(self, seat: int) -> list[Option]:
        return super().favours(seat) if self.trick < TRICKS else []


class EqualOptions(Magpie):
    """One option per card instead of one per face."""

    def stones(self, seat: int, *_: object) -> list[Option]:
        return [("play", self.faces[card]) for card in sorted(self.hands[seat].cards)]


class OrderFromSet(Magpie):
    """The order of options follows a set of words, which differs from process to process."""

    def stones(self, seat: int, *_: object) -> list[Option]:
        return list(set(super().stones(seat)))


class UnfairRanks(Magpie):
    """The first seat wins ties."""

    def finish(self, scores: Any) -> Outcome:
        outcome = super().finish(scores)
        return outcome._replace(ranks=tuple(sorted(outcome.ranks)))


class Endless(Magpie):
    """Nobody ever wins."""

    def next_trick(self) -> Question | Outcome:
        self.round = min(self.round, 1)
        return self.ask(0, self.again, self.go_on, self.trick)

    def again(self, seat: int, trick: int) -> list[Option]:
        return [("again",)]

    def go_on(self, seat: int, option: Option, trick: int) -> Question | Outcome:
        return self.next_trick()


class OrderOfArrival(Magpie):
    """Options in the order in which the cards came to the hand: a place tells when a card was drawn."""

    def distinct(self, seat: int) -> list[str]:
        return list(dict.fromkeys(self.faces[card] for card in self.hands[seat].cards))
