"""Partners for a bot that is being checked: they live in this process and play any legal option."""

from __future__ import annotations

from pathlib import Path

from arena.bots.manifest import Bot
from arena.transports import memory
from protocol.codec import CODECS
from protocol.messages import PROTOCOL_VERSION, Answer, Ask, Bye, Choice, Hello, Prepare, Ready
from protocol.session import Session

PARTNER = Bot("partner", "", "", (), (), "json", Path(), content="partner")
DESERTER = Bot("deserter", "", "", (), (), "json", Path(), content="deserter")


async def play_along(stream: memory.Stream) -> None:
    """Answer everything at once, until told to leave."""
    await _play(stream, decisions=None)


async def desert(stream: memory.Stream) -> None:
    """Answer once, and leave in the middle of the match."""
    await _play(stream, decisions=1)


SPARRING: dict[str, memory.Bot] = {PARTNER.name: play_along, DESERTER.name: desert}


async def _play(stream: memory.Stream, decisions: int | None) -> None:
    session = Session("bot", CODECS["json"])
    await stream.send(session.send(Hello((PROTOCOL_VERSION,), "partner")))
    while data := await stream.receive():
        for message in session.receive(data):
            match message:
                case Prepare():
                    await stream.send(session.send(Ready()))
                case Ask(requests):
                    if decisions == 0:
                        return
                    decisions = None if decisions is None else decisions - 1
                    # An id is drawn by chance: so is the option.
                    choices = [Choice(asked.id, int(asked.id, 16) % len(asked.options)) for asked in requests]
                    await stream.send(session.send(Answer(tuple(choices))))
                case Bye():
                    return
