"""Stories: the ways in which hidden cards may lie, in pools of cards that cannot be told apart from behind.

A story says what lies where as far as it goes: a card by its face, or its back and the pool it comes from.  When
a face turns up, stories in which it cannot be end here.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import combinations_with_replacement, product
from math import factorial, prod
from typing import Any, NamedTuple

from arena.chance import Chance
from arena.guessing import Lesson
from arena.zones import Face


class Back(NamedTuple):
    """A card seen from behind: it is one of a pool, and one of these faces if any are named."""

    pool: int
    faces: frozenset[Face] | None = None

    def among(self, faces: frozenset[Face] | None) -> Back:
        """The same card when it is known to be one of these."""
        if faces is None:
            return self
        return Back(self.pool, faces if self.faces is None else self.faces & faces)


Item = Face | Back
Items = tuple[Item, ...]
Pools = tuple[Counter[Item], ...]


class Story(NamedTuple):
    """One way it may have gone: what lies where, and what the backs of each pool are between them."""

    heaps: dict[str, Items]
    pools: Pools

    def with_heap(self, label: str, items: Items) -> Story:
        """The same with this heap there."""
        return Story({**self.heaps, label: items}, self.pools)

    def added(self, label: str, item: Item) -> Story:
        """The same with one more card on that heap."""
        return self.with_heap(label, (*self.heaps.get(label, ()), item))

    def without(
        self, label: str, place: int | None, face: Face | None, *, turned: bool = False
    ) -> Iterator[tuple[Story, Item, float]]:
        """Every way to take a card away, from a place or from anywhere; seen if `face` is given.

        With `turned` it must be one that was not known before.
        """
        items = self.heaps[label]
        places = [place] if place is not None else [items.index(item) for item in dict.fromkeys(items)]
        for at in places:
            item = items[at]
            if turned and isinstance(item, str):
                continue
            rest = (*items[:at], *items[at + 1 :])
            odds = 1.0 if place is not None else items.count(item) / len(items)
            if face is None:
                yield self.with_heap(label, rest), item, odds
                continue
            for pools, likely in ways_to_be(self.pools, item, face):
                yield Story({**self.heaps, label: rest}, pools), face, odds * likely

    def poured(self, label: str, before: Items, faces: Counter[Item]) -> Story:
        """The same with cards from the box on a heap."""
        at, pools = with_pool(self.pools, faces)
        return Story({**self.heaps, label: (*before, *(Back(at),) * faces.total())}, pools)

    def mixed(self, label: str) -> Story:
        """The same after a heap was shuffled: its cards are a pool of their own."""
        items = self.heaps.get(label, ())
        if not items or (not isinstance(items[0], str) and items.count(items[0]) == len(items)):
            return self
        content, pools = Counter(items), list(self.pools)
        for item in list(content):
            # All cards of a pool are here: they need no pool besides this one.
            if not isinstance(item, str) and item.faces is None and content[item] == pools[item.pool].total():
                del content[item]
                content += pools[item.pool]
                pools[item.pool] = Counter()
        at, after = with_pool(tuple(pools), content)
        return Story({**self.heaps, label: (Back(at),) * len(items)}, after)

    def key(self, hands: Collection[str]) -> Any:
        """Equal for stories that say the same; in hands the order says nothing."""
        heaps = [
            (label, tuple(sorted(items, key=str)) if label in hands else items)
            for label, items in sorted(self.heaps.items())
            if items
        ]
        return tuple(heaps), tuple([frozenset(pool.items()) for pool in self.pools])

    @property
    def single(self) -> bool:
        """Whether no pool holds cards of another."""
        return all(isinstance(item, str) for pool in self.pools for item in pool)

    def says_no_more_than(self, known: Mapping[str, Sequence[Face | None]], back_of: Mapping[str, str]) -> bool:
        """Whether one who knows these faces, and all cards of the game, knows as much.

        So it is where the hidden cards that look alike are all of one pool.
        """
        pool_of: dict[str, int] = {}
        for label, items in self.heaps.items():
            backs = [item for item in items if not isinstance(item, str)]
            if len(backs) != list(known.get(label, ())).count(None):
                return False
            if any(back.faces or pool_of.setdefault(back_of[label], back.pool) != back.pool for back in backs):
                return False
        return True


def with_pool(pools: Pools, content: Counter[Item]) -> tuple[int, Pools]:
    """The pools with one more, where an empty one was or at the end."""
    for at, pool in enumerate(pools):
        if not pool:
            return at, (*pools[:at], content, *pools[at + 1 :])
    return len(pools), (*pools, content)


def ways_to_be(pools: Pools, item: Item, face: Face) -> Iterator[tuple[Pools, float]]:
    """What the pools are like if this card has that face, and how likely it has."""
    if isinstance(item, str):
        if item == face:
            yield pools, 1.0
        return
    if item.faces is not None and face not in item.faces:
        return
    pool = pools[item.pool]
    total = pool.total()
    for content, count in pool.items():
        if content == face or not isinstance(content, str):
            less = pool.copy()
            less[content] -= 1
            after = (*pools[: item.pool], +less, *pools[item.pool + 1 :])
            for deeper, likely in ways_to_be(after, content, face):
                yield deeper, likely * count / total


# --- What a step taught ------------------------------------------------------------------------------

Share = Counter[str]
"""How many cards of each kind."""


def learnt(story: Story, lesson: Lesson) -> Iterator[tuple[Story, float]]:
    """The stories that follow when the cards of a heap, sorted into kinds, are known to fit."""
    items = story.heaps.get(lesson.label, ())
    seen: Items = tuple([item for item in items if isinstance(item, str)])
    known = Counter([lesson.kinds[item] for item in items if isinstance(item, str)])
    backs = Counter([item for item in items if not isinstance(item, str)])
    every = list(product(*[_shares(story.pools, back, count, lesson.kinds) for back, count in backs.items()]))
    fitting = [shares for shares in every if lesson.fits(sum(shares, known))]
    if len(fitting) == len(every):
        yield story, 1.0
        return
    within = [set().union(*column) for column in zip(*fitting, strict=True)]
    if len(fitting) == sum(all(map(set.issuperset, within, shares)) for shares in every):
        # Whatever is of these kinds fits: there is no need to tell how many are of which.
        after = [_of_kinds(back, kinds, lesson) for back, kinds in zip(backs, within, strict=True)]
        again = [(back,) * count for back, count in zip(after, backs.values(), strict=True)]
        yield story.with_heap(lesson.label, sum(again, seen)), 1.0
        return
    for shares in fitting:
        cards = seen
        odds = 1.0
        for back, share in zip(backs, shares, strict=True):
            odds *= factorial(share.total()) / prod(map(factorial, share.values()))
            for kind, count in share.items():
                cards += (_of_kinds(back, {kind}, lesson),) * count
                odds *= _likelihood(story.pools[back.pool], kind, lesson.kinds) ** count
        yield story.with_heap(lesson.label, cards), odds


def _shares(pools: Pools, back: Back, count: int, kinds: Mapping[Face, str]) -> list[Share]:
    """How many of so many cards may be of which kind."""
    possible = dict.fromkeys([kind for face, kind in kinds.items() if any(ways_to_be(pools, back, face))])
    return [Counter(chosen) for chosen in combinations_with_replacement(possible, count)]


def _of_kinds(back: Back, kinds: Collection[str], lesson: Lesson) -> Back:
    return back.among(frozenset([face for face, kind in lesson.kinds.items() if kind in kinds]))


def _likelihood(pool: Counter[Item], kind: str, kinds: Mapping[Face, str]) -> float:
    """The share of a kind among the cards of a pool, as far as they are told apart."""
    counts = [count for item, count in pool.items() if not isinstance(item, str) or kinds[item] == kind]
    return sum(counts) / pool.total()


# --- A world of a story ------------------------------------------------------------------------------

Wanted = frozenset[Face] | None


class Token(NamedTuple):
    """A card to be turned up: where it lies, and which faces it may have."""

    label: str
    place: int
    faces: Wanted


def heaps_settled(story: Story, chance: Chance) -> dict[str, list[Face]] | None:
    """All cards with faces, drawn from their pools; None if that did not work out."""
    heaps: dict[str, list[Any]] = {label: list(items) for label, items in story.heaps.items()}
    drawing: dict[int, list[Token]] = {}
    for label, items in story.heaps.items():
        for place, item in enumerate(items):
            if not isinstance(item, str):
                drawing.setdefault(item.pool, []).append(Token(label, place, item.faces))
    for at in _outermost_first(story.pools):
        tokens = drawing.pop(at, [])
        drawn = _drawn(tokens, list(story.pools[at].elements()), at, chance)
        if drawn is None:
            return None
        for token, item in drawn:
            if isinstance(item, str):
                heaps[token.label][token.place] = item
            else:
                wanted = item.among(token.faces)
                drawing.setdefault(item.pool, []).append(Token(token.label, token.place, wanted.faces))
    return heaps


def _outermost_first(pools: Pools) -> list[int]:
    """A pool comes before those whose cards it holds."""
    inside = [{item.pool for item in pool if not isinstance(item, str)} for pool in pools]
    order: list[int] = []
    rest = [at for at, pool in enumerate(pools) if pool]
    while rest:
        at = next(at for at in rest if not any(at in inside[other] for other in rest))
        order.append(at)
        rest.remove(at)
    return order


def _drawn(tokens: list[Token], content: list[Item], key: int, chance: Chance) -> list[tuple[Token, Item]] | None:
    """Give each token a card it may be; those that may be few things come first, and make room for each other."""
    mixed = [content[place] for place in chance.order(len(content), ("pool", key))]
    picky = [token for token in tokens if token.faces is not None]
    taken: dict[int, Token] = {}

    def place(token: Token, tried: set[int]) -> bool:
        for index, item in enumerate(mixed):
            if index not in tried and _suits(token.faces, item):
                tried.add(index)
                if index not in taken or place(taken[index], tried):
                    taken[index] = token
                    return True
        return False

    for token in picky:
        if not place(token, set()):
            return None
    rest = iter([item for index, item in enumerate(mixed) if index not in taken])
    drawn = [(token, mixed[index]) for index, token in taken.items()]
    return drawn + [(token, next(rest)) for token in tokens if token.faces is None]


def _suits(faces: Wanted, item: Item) -> bool:
    if faces is None or isinstance(item, str):
        return faces is None or item in faces
    return item.faces is None or not faces.isdisjoint(item.faces)
