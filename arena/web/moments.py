"""Who answered when, after how long, and what went wrong: the inputs of a record laid beside its questions."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from typing import Any

from arena.analyses import Remarks
from arena.record import Document
from arena.verdicts import Verdict

SLOW = 0.5
"""A decision is slow from this share of its limit on."""


@dataclass(frozen=True)
class Answer:
    """A seat's answer to the question before, by the number of its move; a seat that was forfeited has none."""

    seat: int
    move: int
    elapsed_us: int
    note: str


@dataclass(frozen=True)
class Mark:
    """Something to find on the timeline: a fault, a forfeit, a slow decision or one that lost something."""

    seat: int
    kind: str
    text: str


@dataclass
class Moment:
    """What belongs to one position."""

    answers: list[Answer] = field(default_factory=list)
    marks: list[Mark] = field(default_factory=list)

    def remarked(self, remarks: Remarks) -> Moment:
        """With what is said of the answers."""
        said = [(answer.seat, remarks.get((answer.seat, answer.move))) for answer in self.answers]
        return Moment(self.answers, [*self.marks, *[Mark(seat, "lost", text) for seat, text in said if text]])


def moments_of(document: Document) -> list[Moment]:
    """One per position: the questions in their order, and the end."""
    questions = [event[2] for event in document["events"] if event[1] == "ask"]
    walk = _Walk(document)
    moments = [Moment()]
    for seats in questions:
        moments.append(walk.answer(seats, moments[-1]))
    return moments


class _Walk:
    """Goes through the inputs as the referee did (`arena.match`), counting every seat's moves."""

    def __init__(self, document: Document) -> None:
        count = len(document["bots"])
        self._inputs = deque(document["inputs"])
        self._verdicts: list[deque[Verdict]] = [deque() for _ in range(count)]
        for told in document["verdicts"]:
            self._verdicts[told["seat"]].append(Verdict(**told))
        self._moves = [0] * count
        self._gone = [False] * count
        self._limit_us = document["clock"]["move_ms"] * 1000

    def answer(self, seats: list[int], before: Moment) -> Moment:
        """Everything up to the last answer to this question."""
        moment = Moment()
        pending = set()
        for seat in seats:
            if self._next_is(seat, "BANK"):
                self._judge(seat, before)
            if not self._gone[seat]:
                self._moves[seat] += 1
                pending.add(seat)
        while pending and self._inputs:
            seat, kind, *rest = self._inputs.popleft()
            if kind == "answer":
                self._take(seat, rest, moment)
            else:
                self._judge(seat, moment if seat in pending else before)
            pending.discard(seat)
        return moment

    def _take(self, seat: int, given: list[Any], moment: Moment) -> None:
        _, elapsed_us, note = given
        moment.answers.append(Answer(seat, self._moves[seat], elapsed_us, note))
        if elapsed_us > SLOW * self._limit_us:
            moment.marks.append(Mark(seat, "slow", f"seat {seat} took {elapsed_us // 1000} ms"))
        if self._next_is(seat, "ILLEGAL"):
            self._judge(seat, moment)

    def _next_is(self, seat: int, code: str) -> bool:
        waiting = self._verdicts[seat]
        return bool(waiting) and waiting[0].code == code and waiting[0].move == self._moves[seat]

    def _judge(self, seat: int, moment: Moment) -> None:
        if not self._verdicts[seat]:
            return
        verdict = self._verdicts[seat].popleft()
        self._gone[seat] = self._gone[seat] or verdict.forfeit
        moment.marks.append(Mark(seat, "forfeit" if verdict.forfeit else "strike", verdict.outline()))
