"""The seer plays any game by its rules alone, stops in time, and is better than what advises it.

How much better is measured by `bench/seer.py`; here its clock counts looks at it, so that a busy machine changes
nothing.
"""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from random import Random

import msgpack
import msgspec
import pytest
import trio

from arena.bots.manifest import find_bot
from arena.bots.starting import starter_at
from arena.chance import FastChance
from arena.game import Game
from arena.games import GAMES
from arena.games.wolfpack import Wolfpack
from arena.sandbox import Limits
from arena.transports import Hub
from sample_bots.seer.bot import Effort, thinking_ms
from sample_bots.seer.hunches import BLIND, KNOWN, hunch_for
from sample_bots.seer.search import Search, Thought, as_sent
from tests.contracts.tiny import Magpie
from tests.contracts.transport_contract import Recorder
from tests.games.wolfpack_table import WOLVES, position
from tests.sample_bots.conversation import BYE, PREPARE, ROOT, WELCOME, running, start


class Looks:
    """A clock that goes on by one whenever somebody looks at it."""

    def __init__(self) -> None:
        self.time = 0.0

    def __call__(self) -> float:
        self.time += 1
        return self.time


def seer_for(game: type[Game], clock: Looks) -> Search:
    hunch, advise = hunch_for(game.name)
    return Search(game, hunch, advise, clock=clock, seed=1)


def thought(game: Game, seat: int, looks: int) -> Thought:
    clock = Looks()
    return seer_for(type(game), clock).choose(*as_sent(game, seat), clock.time + looks)


@pytest.mark.parametrize("name", GAMES)
def test_it_plays_a_whole_game_at_a_full_table(name: str) -> None:
    clock, chooser = Looks(), Random(1)
    game = GAMES[name](GAMES[name].seats_allowed[-1], None, FastChance(3))
    seer = seer_for(GAMES[name], clock)
    while (question := game.question) is not None:
        choices = []
        for seat in question.seats:
            options = game.options(seat)
            if seat:
                choices.append(chooser.randrange(len(options)))
            else:
                choices.append(seer.choose(*as_sent(game, seat), clock.time + 12).choice)
                assert 0 <= choices[-1] < len(options)
        game.answer(*choices)


@pytest.mark.parametrize("seats", [2, 4])
def test_it_plays_a_game_of_which_nobody_told_it_anything(seats: int) -> None:
    clock = Looks()
    game = Magpie(seats, None, FastChance(3))
    seer = Search(Magpie, BLIND, None, clock=clock, seed=1)
    while (question := game.question) is not None:
        thoughts = [seer.choose(*as_sent(game, seat), clock.time + 20) for seat in question.seats]
        game.answer(*[each.choice for each in thoughts])


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("looks", [0, 1, 7, 60])
def test_it_stops_when_the_time_is_up(name: str, looks: int) -> None:
    clock = Looks()
    game = GAMES[name](3, None, FastChance(5))
    assert game.question is not None
    chosen = seer_for(GAMES[name], clock).choose(*as_sent(game, game.question.seats[0]), looks)
    assert chosen.playouts <= looks
    assert clock.time <= looks + 5, "after the time is up it only looks to see that it is"


def test_searching_changes_nothing_but_its_own_worlds() -> None:
    game = GAMES["wolfpack"](2, None, FastChance(5))
    before = [game.view(seat) for seat in range(2)]
    thought(game, 0, 50)
    assert [game.view(seat) for seat in range(2)] == before


def last_chance() -> Wolfpack:
    """One card is left in the piles: who draws it ends the game, and wolves still in hand are worth nothing."""
    return position("ABBBBS", "AS", actions=["WOLVES STEAL"], piles="S")


def test_it_sees_what_brings_points_while_there_is_time() -> None:
    game = last_chance()
    assert game.options(0)[thought(game, 0, 200).choice] == WOLVES


def test_it_leaves_bad_advice() -> None:
    """An adviser who never lays wolves is overruled."""
    game = last_chance()
    clock = Looks()
    hunch, _ = hunch_for("wolfpack")
    seer = Search(type(game), hunch._replace(prices=None), lambda _, options: 0, clock=clock, seed=1)
    view, options = as_sent(game, 0)
    assert options[0] == ["draw"]
    found = seer.choose(view, options, 300)
    assert tuple(options[found.choice]) == WOLVES
    assert found.lead > 0


def test_it_weighs_what_was_chosen_against_what_is_best() -> None:
    game = last_chance()
    view, options = as_sent(game, 0)
    clock = Looks()
    seer = seer_for(type(game), clock)
    draw, lay = options.index(["draw"]), options.index(list(WOLVES))
    blunder = seer.weigh(view, options, draw, clock.time + 300)
    assert blunder.best == lay and blunder.lost > 0.1
    assert seer.weigh(view, options, lay, clock.time + 300).lost == 0


def test_every_game_has_a_hunch_and_an_adviser() -> None:
    assert set(KNOWN) == set(GAMES)
    assert all(hunch_for(name)[1] is not None for name in GAMES)


@pytest.mark.parametrize("name", GAMES)
def test_hunches_choose_and_judge_everywhere(name: str) -> None:
    hunch, _ = hunch_for(name)
    for seats in GAMES[name].seats_allowed:
        game = GAMES[name](seats, None, FastChance(seats))
        while (question := game.question) is not None:
            assert len(hunch.judge(game)) == seats
            game.answer(*[hunch.guess(game, seat, game.options(seat)) for seat in question.seats])


@pytest.mark.parametrize("name", [name for name in GAMES if hunch_for(name)[0].prices is not None])
def test_rules_of_thumb_have_a_price_for_every_option(name: str) -> None:
    prices, chooser = hunch_for(name)[0].prices, Random(1)
    assert prices is not None
    for seats in GAMES[name].seats_allowed:
        game = GAMES[name](seats, None, FastChance(seats))
        while (question := game.question) is not None:
            for seat in question.seats:
                view, options = as_sent(game, seat)
                assert len(prices(view, options)) == len(options)
            game.answer(*[chooser.randrange(len(game.options(seat))) for seat in question.seats])


def test_in_wolfpack_it_would_rather_take_an_action_card_than_draw() -> None:
    """What the others draw can be taken from them."""
    prices = hunch_for("wolfpack")[0].prices
    assert prices is not None
    view, options = as_sent(position("AS", "BS", piles="SSSS"), 0)
    assert options[min(range(len(options)), key=prices(view, options).__getitem__)] == ["take"]


@pytest.mark.parametrize(("seats", "heeded"), [(2, False), (3, True)])
def test_in_wolfpack_prices_count_among_several_and_not_between_two(seats: int, heeded: bool) -> None:
    game = GAMES["wolfpack"](seats, None, FastChance(1))
    hunch, advise = hunch_for("wolfpack")
    seer = Search(type(game), hunch, advise, clock=Looks(), seed=1)
    assert game.question is not None
    view, options = as_sent(game, game.question.seats[0])
    seer.choose(view, options, 100)
    assert bool(seer.prices) == heeded


def test_an_open_breed_counts_for_who_may_win_it() -> None:
    """In Herr der Ziegen hardly anything is won before the middle of the game, yet positions differ."""
    game = GAMES["herr-der-ziegen"](4, None, FastChance(1))
    judge = hunch_for("herr-der-ziegen")[0].judge
    assert len({*judge(game)}) > 1


def test_it_keeps_a_reserve_and_shares_out_a_bank() -> None:
    assert thinking_ms(60, 0) == pytest.approx(51)
    assert thinking_ms(1_000, 0) == pytest.approx(850)
    assert thinking_ms(5, 0) < 0, "then the first advice is taken at once"
    assert thinking_ms(1_000, 4_000) == pytest.approx(85)


def test_it_can_be_told_to_spend_little_of_its_own_time() -> None:
    effort = Effort()
    assert effort() <= effort() < 1e6
    effort.deadline = 0
    assert effort() > 1e6, "the real time counts first"


@pytest.mark.parametrize(
    "words", [["bot.py"], ["bot.py", "--think-ms", "5"], ["-m", "sample_bots.seer.bot", "--think-ms", "5"]]
)
def test_it_answers_over_the_wire_and_says_how_much_it_thought(
    words: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT / "sample_bots" / "seer")
    monkeypatch.delenv("PYTHONPATH", raising=False)
    game = GAMES["sheepzzz"](2, None, FastChance(2))
    game.answer(0)
    assert game.question is not None
    view, options = as_sent(game, game.question.seats[0])
    asked = {"match": "m1", "id": "0" * 16, "move": 1, "question": "moves", "default": 0, "time_ms": 200}
    with running([sys.executable, *words], "msgpack") as bot:
        assert bot.hear()["name"] == "seer"
        bot.send(WELCOME, PREPARE)
        assert bot.hear() == {"type": "ready"}
        bot.send(start(), {"type": "ask", "requests": [{**asked, "view": view, "options": options, "events": []}]})
        (answer,) = bot.hear()["answers"]
        assert 0 <= answer["choice"] < len(options)
        assert "playouts" in answer["note"]
        bot.send(BYE)
        assert bot.leave() == (0, "")


async def test_it_finds_rules_and_advisers_inside_a_sandbox(nursery: trio.Nursery) -> None:
    """Where it has its own folder alone, unless it is shown more."""
    hub = Hub()
    await nursery.start(hub.run)
    owner = Recorder()
    installed = str(Path(msgspec.__file__).parent.parent)  # in most virtual environments this is shown anyway
    link = starter_at("full", Limits(), hub)(replace(find_bot("seer"), needs=(installed,)), owner)
    await owner.until(lambda: b"hello" in owner.data or bool(owner.endings))
    link.send(in_frames(WELCOME, {**PREPARE, "game": "herr-der-ziegen"}))
    await owner.until(lambda: b"ready" in owner.data or bool(owner.endings))
    assert b"ready" in owner.data, link.stderr_tail()
    link.stop()
    await owner.ends(link)
    nursery.cancel_scope.cancel()


def in_frames(*messages: dict[str, object]) -> bytes:
    packed = [msgpack.packb(message) for message in messages]
    return b"".join(len(payload).to_bytes(4, "big") + payload for payload in packed)
