"""Any game as a PettingZoo environment, and quick playouts without one.  Extra `rl`: pip install flock-arena[rl].

Everything is built from what the kernel knows of every rulebook: zones, public values, the question, its options.
`describe` prints how an observation of one game is laid out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from secrets import randbits
from typing import Any

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv  # type: ignore[import-untyped]

from arena.chance import FastChance
from arena.game import Game, Option, Outcome
from arena.games import GAMES
from arena.variants import Variant
from arena.zones import FACE_DOWN, OWN_HAND

Policy = Callable[[Game, int, Sequence[Option]], int]
"""Chooses for a seat: the game itself is handed over, so that an honest policy looks at `game.view(seat)` only."""

MOST_OPTIONS = 256
"""An action is the index of an option; no seat is ever asked to choose among more."""
REHEARSALS = 12
"""Random games that show how long public values get and which words appear; the same ones every time."""
LARGEST = 2**15 - 1


def playouts(
    game: type[Game],
    policy: Policy,
    count: int,
    *,
    seats: int | None = None,
    variant: Variant | None = None,
    seed: int = 0,
) -> Iterator[Outcome]:
    """Outcomes of games in which `policy` holds every seat."""
    for number in range(count):
        table = game(seats or game.seats_allowed[0], variant, FastChance(f"{seed} {number}"))
        while (question := table.question) is not None:
            table.answer(*[policy(table, seat, table.options(seat)) for seat in question.seats])
        assert table.outcome is not None
        yield table.outcome


class Layout:
    """Where everything lies in an observation of one game, variant and number of seats."""

    def __init__(self, game: type[Game], seats: int, variant: Variant | None) -> None:
        self.game, self.seats = game, seats
        self.faces: list[str] = list(dict.fromkeys(game.pack(seats, variant or game.variant_type())))
        self.place_of = {face: place for place, face in enumerate(self.faces)}
        self.words: dict[str, int] = dict.fromkeys(self.faces, 0)
        self.lengths: dict[str, int] = {}
        self.option_length = 1
        self._rehearse(variant)
        self.words = {word: number for number, word in enumerate(sorted(self.words), 1)}
        table = game(seats, variant, FastChance(0))
        self.parts: list[tuple[str, int, str]] = []
        for row in table._rows:
            for heap in row.heaps:
                ordered = heap.sight not in (FACE_DOWN, OWN_HAND)
                meaning = "cards of each face, unknown cards" + (", top card" if ordered else "")
                self.parts.append((heap.label, len(self.faces) + 1 + ordered, meaning))
        for name, length in self.lengths.items():
            self.parts.append((name, length, "numbers; a word by its place, nothing as -1"))
        self.size = sum(size for _, size, _ in self.parts)

    def _rehearse(self, variant: Variant | None) -> None:
        """Play at random and look what turns up."""
        chooser = FastChance("rehearsal")

        def by_chance(table: Game, seat: int, options: Sequence[Option]) -> int:
            self._look_at(table, seat, options)
            return chooser.pick(len(options), ())

        for _ in playouts(self.game, by_chance, REHEARSALS, seats=self.seats, variant=variant):
            pass

    def _look_at(self, table: Game, seat: int, options: Sequence[Option]) -> None:
        view = table.view(seat)
        for name, value in self._values_of(view):
            flat = list(_flat(value))
            self.lengths[name] = max(self.lengths.get(name, 0), len(flat))
            self.words.update({part: 0 for part in flat if isinstance(part, str)})
        for option in options:
            self.option_length = max(self.option_length, len(option))
            self.words.update({part: 0 for part in option if isinstance(part, str)})

    def _values_of(self, view: dict[str, Any]) -> list[tuple[str, Any]]:
        asked = view["question"] or {"options": None, "seats": (), "context": ()}
        return [
            ("seat", view["seat"]),
            ("question", asked["options"]),
            ("asked", asked["seats"]),
            ("context", asked["context"]),
            *[(name, view[name]) for name in self.game._publics],
        ]

    def encode(self, view: dict[str, Any]) -> np.ndarray[Any, np.dtype[np.int16]]:
        """A view as numbers."""
        numbers: list[int] = []
        for name, declared in self.game._zones.items():
            for faces in view[name] if declared.row else (view[name],):
                counts = [0] * (len(self.faces) + 1)
                for face in faces:
                    counts[-1 if face is None else self.place_of[face]] += 1
                numbers += counts
                if declared.sight not in (FACE_DOWN, OWN_HAND):
                    numbers.append(self.place_of[faces[-1]] if faces and faces[-1] is not None else -1)
        for name, value in self._values_of(view):
            flat = [self._number(part) for part in _flat(value)][: self.lengths[name]]
            numbers += flat + [-1] * (self.lengths[name] - len(flat))
        return np.array(numbers, np.int16)

    def encode_options(self, options: Sequence[Option]) -> np.ndarray[Any, np.dtype[np.int16]]:
        """Options as numbers, one in a row; rows without an option are -1."""
        rows = np.full((MOST_OPTIONS, self.option_length), -1, np.int16)
        for row, option in zip(rows, options, strict=False):
            row[: len(option)] = [self._number(part) for part in option][: self.option_length]
        return rows

    def _number(self, part: Any) -> int:
        if part is None:
            return -1
        if isinstance(part, str):
            return self.words.get(part, 0)
        return max(-LARGEST, min(LARGEST, int(part)))


@cache
def layout_of(game: type[Game], seats: int, variant: Variant | None) -> Layout:
    """The same layout for every environment of this kind."""
    return Layout(game, seats, variant)


def describe(game: type[Game], seats: int | None = None, variant: Variant | None = None) -> str:
    """How an observation of this game is laid out, line by line."""
    layout = Layout(game, seats or game.seats_allowed[0], variant)
    lines = [f"{game.title}, {layout.seats} seats", "", f"observation: {layout.size} numbers"]
    start = 0
    for name, size, meaning in layout.parts:
        lines.append(f"  {start:5} to {start + size - 1:5}  {name}: {meaning}")
        start += size
    lines += [
        "",
        f"options: {MOST_OPTIONS} rows of {layout.option_length} numbers, one for each option that stands open",
        f"action_mask: {MOST_OPTIONS} numbers, 1 where the row is an option; an action is the number of a row",
        "",
        "faces by place: " + " ".join(layout.faces),
        "words by number: " + " ".join(f"{number}={word}" for word, number in layout.words.items()),
    ]
    return "\n".join(lines)


class ArenaEnv(AECEnv[str, dict[str, Any], int]):  # type: ignore[misc]
    """A game as an environment: seats are agents, asked one after the other, also where a question is for several.

    The reward comes at the end: 1 for beating all others, -1 for being beaten by all, in between in proportion.
    """

    metadata: dict[str, Any] = {
        "name": "flock_arena_v0",
        "render_modes": ["ansi"],
        "is_parallelizable": False,
    }

    def __init__(
        self,
        game: str = "sheepzzz",
        seats: int | None = None,
        variant: dict[str, Any] | None = None,
        render_mode: str | None = None,
    ) -> None:
        super().__init__()
        self.game = GAMES[game]
        self.seats = seats or self.game.seats_allowed[0]
        self.variant = self.game.variant_type.read(variant or {})
        self.render_mode = render_mode
        self.metadata = {**ArenaEnv.metadata, "name": f"{game.replace('-', '_')}_v{self.game.rules_version}"}
        self.layout = layout_of(self.game, self.seats, self.variant)  # type: ignore[arg-type]  # a class has a hash
        self.possible_agents = [f"seat_{seat}" for seat in range(self.seats)]
        observed = spaces.Dict(
            {
                "observation": spaces.Box(-LARGEST, LARGEST, (self.layout.size,), np.int16),
                "options": spaces.Box(-LARGEST, LARGEST, (MOST_OPTIONS, self.layout.option_length), np.int16),
                "action_mask": spaces.Box(0, 1, (MOST_OPTIONS,), np.int8),
            }
        )
        self._observed = dict.fromkeys(self.possible_agents, observed)
        self._acted = {agent: spaces.Discrete(MOST_OPTIONS) for agent in self.possible_agents}

    def observation_space(self, agent: str) -> Any:
        """The same for all seats."""
        return self._observed[agent]

    def action_space(self, agent: str) -> Any:
        """Indices of options."""
        return self._acted[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:  # noqa: ARG002
        """A new deal; the seed settles all of its chance."""
        self.table = self.game(self.seats, self.variant, FastChance(randbits(64) if seed is None else seed))
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._choices: list[int] = []
        self._select()

    def _select(self) -> None:
        if self.table.question is not None:
            self.agent_selection = self.possible_agents[self.table.question.seats[len(self._choices)]]

    def observe(self, agent: str) -> dict[str, Any]:
        """What the seat may see; it has options only while it is asked."""
        seat = self.possible_agents.index(agent)
        asked = self.table.question is not None and agent == self.agent_selection
        offered = self.table.options(seat)[:MOST_OPTIONS] if asked else []
        mask = np.zeros(MOST_OPTIONS, np.int8)
        mask[: len(offered)] = 1
        return {
            "observation": self.layout.encode(self.table.view(seat)),
            "options": self.layout.encode_options(offered),
            "action_mask": mask,
        }

    def step(self, action: int | None) -> None:
        """The seat that is asked chooses; the game goes on once everybody asked has chosen."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        question = self.table.question
        assert question is not None and action is not None
        offered = len(self.table.options(self.possible_agents.index(agent)))
        if not 0 <= action < offered:
            raise ValueError(f"{agent} chose {action}; its action mask allows 0 to {offered - 1}")
        self._choices.append(int(action))
        if len(self._choices) == len(question.seats):
            choices, self._choices = self._choices, []
            self.table.answer(*choices)
        if self.table.outcome is not None:
            self._end(self.table.outcome)
        self._select()
        self._accumulate_rewards()

    def _end(self, outcome: Outcome) -> None:
        for agent, rank in zip(self.possible_agents, outcome.ranks, strict=True):
            better = sum(other < rank for other in outcome.ranks)
            worse = sum(other > rank for other in outcome.ranks)
            self.rewards[agent] = (worse - better) / (self.seats - 1)
        self.terminations = dict.fromkeys(self.agents, True)

    def render(self) -> str | None:
        """What everybody may see, and what is asked."""
        if self.render_mode is None:
            return None
        table, question = self.table, self.table.question
        if question is None:
            assert table.outcome is not None
            return f"{self.game.title} is over: ranks {table.outcome.ranks}, scores {table.outcome.scores}"
        seat = question.seats[len(self._choices)]
        offered = [f"{number}: {self.game.say(option)}" for number, option in enumerate(table.options(seat))]
        return "\n".join([f"{self.game.title}: seat {seat} is asked ({question.options})", *offered])

    def close(self) -> None:
        """Nothing is held open."""


def _flat(value: Any) -> Iterator[Any]:
    if isinstance(value, tuple):
        for part in value:
            yield from _flat(part)
    else:
        yield value
