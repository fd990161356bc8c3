"""`arena games`: what the rulebooks say about themselves."""

from __future__ import annotations

import json

from arena.cli.failure import unknown
from arena.example import example_of, shown
from arena.facts import facts_of
from arena.game import Game
from arena.games import GAMES


def game_called(name: str) -> type[Game]:
    """The rulebook of that name."""
    known = list(GAMES)  # two games of one name are told here, whichever is wanted
    if name not in known:
        raise unknown("game", name, known)
    return GAMES[name]


def show_games(as_json: bool) -> None:
    """One line per game; one that cannot be had is complained of when the others are listed."""
    if as_json:
        print(json.dumps([facts_of(game) for game in GAMES.values()]))
        return
    games, refused = GAMES.sound()
    for game in games:
        print(f"{game.name:<18}{_seats(game):<14}{game.summary}")
    print("\nOne in detail: arena games NAME")
    for why in refused:
        raise why


def show_game(name: str, as_json: bool) -> None:
    """All a bot author needs to know about one game, from the game itself."""
    game = game_called(name)
    if as_json:
        print(json.dumps(facts_of(game) | {"example": example_of(game)}))
        return
    print(f"{game.title} ({game.name}), {_seats(game)}\n{game.summary}")
    print(f"{'Most' if game.high_score_wins else 'Fewest'} points win; equal scores share a rank.\n")
    print("Options (--variant name=value):")
    for option, default, allowed, why in game.variant_type.described():
        print(f"  {option:<21}{_word(default):<18}{allowed}" + (f"  ({why})" if why else ""))
    example = example_of(game)
    print(f'\nAn example: seat {example["view"]["seat"]} is asked for "{example["question"]}" and sees')
    for key, value in example["view"].items():
        print(f"  {key:<16}{shown(value)}")
    print("\nIts options, answered by index:")
    for index, (option, words) in enumerate(zip(example["options"], example["words"], strict=True)):
        print(f"  {index:>3}  {json.dumps(option):<28}{words}")


def _seats(game: type[Game]) -> str:
    return f"{game.seats_allowed[0]} to {game.seats_allowed[-1]} seats"


def _word(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
