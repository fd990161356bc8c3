"""How a bot failed and what it costs, one word each, and the exact words shown.

A *fault* is what happened; the match turns it into a *verdict*: a strike, or the forfeit of the seat.
Texts are made from the offender's own doings and fixed words: they never name a card of anybody else.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

OUTRIGHT: Final = frozenset({"START", "BANK", "CRASH", "EXIT", "OUTPUT", "MEMORY", "DISCONNECT"})
"""Faults after which nothing more can be expected of the bot: the seat is forfeited at once."""


BUSY_SHARE: Final = 20
"""Who computed for a twentieth of the limit was busy: on a crowded machine nobody gets all of it."""


@dataclass(frozen=True)
class Fault:
    """What a bot did wrong.  `final` faults end the bot even where the word alone would be a strike."""

    code: str
    text: str
    final: bool = False

    @property
    def forfeits(self) -> bool:
        """Whether this costs the seat without any strike."""
        return self.final or self.code in OUTRIGHT


@dataclass(frozen=True)
class Verdict:
    """A fault and its price."""

    seat: int
    move: int
    code: str
    text: str
    strike: int
    forfeit: bool

    def outline(self) -> str:
        """As anybody may hear it: without the offender's options, and without its stderr."""
        price = "forfeits" if self.forfeit else f"strike {self.strike}"
        return f"{self.code}: seat {self.seat} at move {self.move}, {price}"


def _at(move: int) -> str:
    return f"at move {move}" if move else "before its first move"


def did_not_start(bot: str, reason: str) -> Fault:
    """The process never came to say hello and ready."""
    return Fault("START", f"{bot} did not start: {reason}")


def no_word_in_time(bot: str, word: str, limit_ms: int, last_words: str) -> Fault:
    """`hello` or `ready` did not come."""
    hint = "" if last_words else ". Does it flush its output?"
    return did_not_start(bot, f"no {word} within {limit_ms / 1000:.1f} s{last_words or hint}")


def too_late(bot: str, move: int, limit_us: int, cpu_us: int | None, lag_us: int, unread: bool) -> Fault:
    """The deadline passed: busy all along, or silent."""
    limit = f"limit {limit_us / 1000:g} ms"
    if cpu_us is None:
        return Fault("TIMEOUT", f"{bot} took too long {_at(move)}: {limit} (arena lag {lag_us // 1000} ms)")
    spent = f"CPU used {cpu_us // 1000} ms"
    if cpu_us * BUSY_SHARE >= limit_us:
        return Fault(
            "TIMEOUT", f"{bot} took too long {_at(move)}: {limit}, {spent} (arena lag {lag_us // 1000} ms)"
        )
    guess = "It does not read its input." if unread else "Is it waiting for input, or not flushing its output?"
    return Fault("IDLE", f"{bot} was silent {_at(move)}: {limit}, {spent}. {guess}")


def bank_used_up(bot: str, used_us: int, moves: int) -> Fault:
    """No thinking time is left in the match."""
    return Fault("BANK", f"{bot} used up its match time: {used_us / 1e6:.1f} s of thinking over {moves} moves")


def died(bot: str, move: int, signal: str, unfinished: int, last_words: str) -> Fault:
    """Killed by a signal."""
    return Fault("CRASH", f"{bot} died {_at(move)}: signal {signal}{_unfinished(unfinished)}{last_words}")


def out_of_memory(bot: str, move: int, limit_mb: int) -> Fault:
    """It died of its memory limit."""
    return Fault("MEMORY", f"{bot} exceeded its memory limit ({limit_mb} MiB) {_at(move)}")


def left(bot: str, move: int, how: str, unfinished: int = 0, last_words: str = "") -> Fault:
    """The process ended, closed its output or said bye before the match was over."""
    end = f"{how} before the match was over{_unfinished(unfinished)}{last_words}"
    return Fault("EXIT", f"{bot} left {_at(move)}: {end}")


def disconnected(bot: str, move: int, words: str) -> Fault:
    """A remote bot is away for too long."""
    return Fault("DISCONNECT", f"{bot} lost its connection {_at(move)} and {words}")


def _unfinished(count: int) -> str:
    return f", {count} bytes of an unfinished message" if count else ""


def broken_message(bot: str, move: int, code: str, reason: str, final: bool) -> Fault:
    """What the protocol refused; OUTPUT when it was too much to read at all."""
    did = "sent too much" if code == "OUTPUT" else "sent a broken message"
    return Fault(code, f"{bot} {did} {_at(move)}: {reason}", final)


def illegal_choice(bot: str, move: int, choice: int, options: int) -> Fault:
    """An index that is no option."""
    allowed = f"allowed: 0..{options - 1}"
    return Fault("ILLEGAL", f"{bot} played an illegal action {_at(move)}: choice {choice}, {allowed}")


def unknown_request(bot: str, move: int, id: str) -> Fault:
    """An id that was never given to this seat; ids cannot be guessed, so this is a bug or an attack."""
    return Fault("PROTOCOL", f"{bot} answered request {id} {_at(move)}, which it was never sent")


def too_many_answers(bot: str, move: int, count: int) -> Fault:
    """The first answer counts; a few more are dropped, many are a fault."""
    return Fault("PROTOCOL", f"{bot} answered again and again by move {move}: {count} answers beyond the first")


def noisy(bot: str, move: int, count: int) -> Fault:
    """It would not stop talking while nothing was asked of it."""
    return Fault("PROTOCOL", f"{bot} spoke out of turn before move {move}: {count} messages", final=True)
