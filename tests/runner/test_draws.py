"""What is played next, when something came to nothing or the arena stopped."""

from __future__ import annotations

from collections import Counter

import pytest

from arena.runner.draws import Rows, SeriesDraw
from ladders.results import Block, Result


def finished(number: int, rows: Rows) -> Block:
    places = tuple(range(1, 1 + len(rows[0])))
    nobody = (False,) * len(places)
    return Block(number, tuple(Result(f"{number}", row, places, places, nobody) for row in rows))


def seats_taken(blocks: list[Block]) -> set[int]:
    return set(Counter((bot, seat) for block in blocks for seat, bot in enumerate(block.matches[0].bots)).values())


@pytest.mark.parametrize("bots", ["ab", "abc", "abcd"])
@pytest.mark.parametrize("lost", range(6))
def test_fresh_deals_give_everybody_every_seat_equally_often_whichever_came_to_nothing(
    bots: str, lost: int
) -> None:
    draw = SeriesDraw(list(bots), 3, fresh=True)
    blocks, number = [], 0
    while rows := draw.next_rows(number):
        if number == lost:
            draw.dropped(number, rows)
        else:
            blocks.append(finished(number, rows))
            draw.played(blocks[-1])
        number += 1
    assert draw.over and number == draw.planned + 1 and seats_taken(blocks) == {3}


@pytest.mark.parametrize("lost", range(4))
def test_fresh_deals_stay_balanced_when_the_arena_stopped_with_a_hole(lost: int) -> None:
    draw = SeriesDraw(["a", "b"], 3, fresh=True)
    handed_out = [draw.next_rows(number) for number in range(4)]
    blocks = [finished(number, rows) for number, rows in enumerate(handed_out) if rows and number != lost]
    draw = SeriesDraw(["a", "b"], 3, fresh=True)
    for block in blocks:
        draw.played(block)
    number = 4
    while rows := draw.next_rows(number):
        blocks.append(finished(number, rows))
        draw.played(blocks[-1])
        number += 1
    assert draw.over and len(blocks) == 6 and seats_taken(blocks) == {3}
