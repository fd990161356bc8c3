"""A hunch for SheepZzz: the prices of the sample bot `shepherd`, without counting cards."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from random import random

from arena.game import Option
from arena.games.sheepzzz import NAME_POWERS, POWERS, SheepZzz
from arena.games.sheepzzz_cards import WOLF, WOLF_PILLOWS, fitting, sheep_of
from sample_bots.seer.hunches import Hunch
from sample_bots.shepherd.bot import prices

COPIES = [4, 1, 1, 1, 2, 2, 3, 3, 3, 4, 4, 4, 3, 3, 3, 2, 2, 1, 1, 1]  # of the wolf, then of 1 to 19
FITTING = {
    ascending: [0, *[1 + sum(1 << n for n in fitting(ascending, top)) for top in range(1, 20)]]
    for ascending in (True, False)
}
"""The numbers that fit on a top, as bits; the wolf, 0, always does."""
UNSEEN_PILLOWS = 1.5
OVER = 100.0  # a game won or lost
WORTH_TAKING = 2  # pillows, though a card fits somewhere


@cache
def _read(face: str) -> tuple[int, int]:
    return (0, WOLF_PILLOWS) if face == WOLF else sheep_of(face)


@cache
def _share(numbers: int) -> float:
    return sum(count for n, count in enumerate(COPIES) if numbers >> n & 1) / sum(COPIES)


@cache
def prices_with(deck: int, seats: int) -> Prices:
    """Few different ones, and often asked for."""
    return Prices(deck, seats)


class Prices:
    """In pillows; they change as the deck runs out."""

    def __init__(self, deck: int, seats: int) -> None:
        late = 1 / (1 + deck / seats)
        others = seats - 1
        kept = 0.6 + 0.4 / others
        namer, reverser = (-6.5 + 3.5 * late) * kept, (-4.0 + 2.0 * late) * kept
        self.pillow = 0.3 + 0.9 * late
        self.wolf = (-4.5 + 2.5 * late) * kept
        self.power = {n: namer if n in NAME_POWERS else reverser for n in POWERS}
        self.way = -0.8 - 0.2 * late
        self.reach = (-1.2 + 0.3 * late) / 19
        self.room = -0.2 + 2.4 * late
        self.trap = -1.0 / others


def guess(game: SheepZzz, seat: int, options: Sequence[Option]) -> int:
    """By the question asked."""
    if len(options) == 1:
        return 0
    assert game.question is not None
    asked = game.question.options
    prices = prices_with(len(game.deck.cards), game.seats)
    piles = [pile.cards for pile in game.piles if pile.cards]
    tops = [game.numbers[pile[-1]] for pile in piles]
    sheep = [n for card in game.hands[seat].cards if (n := game.numbers[card])]
    if asked == "flocks":
        costs = [_price_of_flock(prices, tops, sheep, option[0] == "ascending") for option in options]
    else:
        heaps = [sum([game.pillows[card] for card in pile]) for pile in piles]
        held = len(game.hands[(seat + game.direction) % game.seats].cards)
        if asked == "powers":
            costs = _prices_of_powers(game, options, tops, heaps, held)
        else:
            costs = _prices_of_moves(game, seat, options, prices, sheep, piles, tops, heaps, held)
    return costs.index(min(costs))


def _price_of_flock(prices: Prices, tops: list[int], sheep: list[int], ascending: bool) -> float:
    anywhere = 0
    for top in tops:
        anywhere |= FITTING[ascending][top]
    ways = min(2, sum([anywhere >> n & 1 for n in sheep]))
    return prices.way * ways + prices.reach * sum([n if ascending else 20 - n for n in sheep])


def _trap(numbers: int, held: int, at_stake: int) -> float:
    """What somebody will lose on average if only these numbers rescue him."""
    hopeless: float = (1 - _share(numbers)) ** held
    return hopeless * (1 + at_stake)


def _prices_of_powers(
    game: SheepZzz, options: Sequence[Option], tops: list[int], heaps: list[int], held: int
) -> list[float]:
    fit = FITTING[bool(game.ascending)]
    anywhere = 0
    for top in tops:
        anywhere |= fit[top]
    unbound = -_trap(anywhere, held, min(heaps))
    costs = []
    for option in options:
        k = option[-1]
        costs.append(0.01 * random() - _trap(fit[tops[k]], held, heaps[k]) if type(k) is int else unbound - 0.05)
    return costs


def _prices_of_moves(
    game: SheepZzz,
    seat: int,
    options: Sequence[Option],
    prices: Prices,
    sheep: list[int],
    piles: list[list[int]],
    tops: list[int],
    heaps: list[int],
    held: int,
) -> list[float]:
    ascending = bool(game.ascending)
    fit = FITTING[ascending]
    fits = [fit[top] for top in tops]
    lowest = min(heaps)
    fair = heaps.index(lowest) if lowest <= WORTH_TAKING or options[0][0] != "play" else None
    hand = 0
    for n in sheep:
        hand |= 1 << n
    costs = []
    for option in options:
        playing = option[0] == "play"
        if not playing and len(option) == 2:
            costs.append(_price_of_ending(game, seat, heaps[option[1]]))
            continue
        if not playing and option[1] != fair:
            costs.append(OVER)
            continue
        face, k = (option[1], option[2]) if playing else (option[2], option[1])
        n, pillows = _read(face)
        stakes = heaps[:]
        if n:
            after = fits[:]
            after[k] = fit[n]
            stakes[k] = pillows + (heaps[k] if playing else 0)
            cost = (0 if playing else heaps[k]) - prices.pillow * pillows
            cost -= prices.reach * (n if ascending else 20 - n) + prices.power.get(n, 0.0)
        else:
            pile, turned = piles[k], FITTING[not ascending]
            wolves = 1 + sum([not game.numbers[card] for card in pile])
            after = [turned[top] for top in tops]
            after[k] = turned[game.numbers[pile[int(random() * len(pile))]]]
            stakes[k] += pillows
            cost = stakes[k] * wolves / (len(pile) + 1) - prices.wolf - prices.pillow * pillows
            cost += prices.reach * sum([20 - 2 * m if ascending else 2 * m - 20 for m in sheep])
        # Ways out for the rest of the hand, room for all, and the trap for who comes next.
        anywhere, room, trap = _outlook(tuple(after), held)
        ways = (anywhere & hand & ~(1 << n)).bit_count()
        trap *= 1 + min(stakes)
        if n in POWERS:
            trap = max(trap, *[_trap(numbers, held, at) for numbers, at in zip(after, stakes, strict=True)])
        costs.append(cost + prices.way * min(2, ways) + prices.room * room + prices.trap * trap + 0.02 * random())
    return costs


@cache
def _outlook(fits: tuple[int, ...], held: int) -> tuple[int, float, float]:
    """All numbers that fit somewhere, the room on the piles, and how likely none of so many cards fits."""
    anywhere = 0
    for numbers in fits:
        anywhere |= numbers
    return anywhere, sum(map(_share, fits)), _trap(anywhere, held, 0)


def _price_of_ending(game: SheepZzz, seat: int, taken: int) -> float:
    pillows = game.pillows
    hands = [sum([pillows[card] for card in hand.cards]) for hand in game.hands]
    totals = [
        total + hand + sum([pillows[card] for card in heap.cards])
        for total, hand, heap in zip(game.totals, hands, game.taken, strict=True)
    ]
    totals[seat] += taken
    unseen = sum([len(hand.cards) for hand in game.hands]) - len(game.hands[seat].cards)
    price = taken + hands[seat] - UNSEEN_PILLOWS * unseen / (game.seats - 1)
    if max(totals) < game.rules.target:
        return price
    return price + (OVER if totals[seat] > min(totals) else -OVER)


def judge(game: SheepZzz) -> Sequence[float]:
    """What each seat paid, and what its hand will probably cost; between rounds the totals alone."""
    assert game.question is not None
    if game.question.options == HUNCH.pause:
        return game.totals
    prices, ascending = prices_with(len(game.deck.cards), game.seats), bool(game.ascending)
    numbers, pillows = game.numbers, game.pillows
    anywhere = 0
    for pile in game.piles:
        if pile.cards:
            anywhere |= FITTING[ascending][numbers[pile.cards[-1]]]
    scores = []
    for total, heap, hand in zip(game.totals, game.taken, game.hands, strict=True):
        score = float(total + sum([pillows[card] for card in heap.cards]))
        ways = 0
        for card in hand.cards:
            n = numbers[card]
            score += prices.pillow * pillows[card] + (prices.power.get(n, 0.0) if n else prices.wolf)
            if n:
                ways += anywhere >> n & 1
                score += prices.reach * (n if ascending else 20 - n)
        scores.append(score + prices.way * min(2, ways))
    return scores


HUNCH = Hunch(guess, judge, horizon=5, turn="moves", pause="flocks", searched_after=60, prices=prices)
