"""A match is played at a real door, slowly, while everybody looks everywhere: no card reaches who may not know it.

Every card is marked.  Whatever was sent to anybody is kept, byte for byte, and looked through at the end.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import pytest
import trio
from starlette.routing import Route

from arena.chance import commitment
from arena.door.tokens import Tokens
from arena.gallery import Gallery
from arena.games import GAMES
from arena.record import events_for, unpack
from arena.runner.orders import BlockOrder
from arena.store import Division, Planned, open_store
from arena.web import serving as server
from arena.web.application import make_app
from arena.web.furniture import furniture_of
from arena.web.seat import Seat
from arena.zones import PUBLIC
from tests.web import flock
from tests.web.canary import Canary, marks_in
from tests.websocket.players import block, open_house

SEATS = ("ws:anna", "ws:bert", "ws:you")


@dataclass
class Table:
    """A match under way, and all that was sent meanwhile."""

    port: int
    match: str
    watching: list[bytes] = field(default_factory=list)
    """Streams of spectators."""

    looked: list[tuple[str, bytes]] = field(default_factory=list)
    """Addresses, and what they answered."""

    heard: dict[str, list[bytes]] = field(default_factory=dict)
    """What each seat was sent."""

    record: bytes = b""


@asynccontextmanager
async def served(app):
    with server.listen("127.0.0.1", 0) as opened:
        async with trio.open_nursery() as nursery:
            await nursery.start(server.serve, app, opened)
            yield opened.getsockname()[1]
            nursery.cancel_scope.cancel()


async def get(port: int, path: str) -> bytes:
    """All that is sent for one request, headers and all."""
    stream = await trio.open_tcp_stream("127.0.0.1", port)
    async with stream:
        await stream.send_all(f"GET {path} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n".encode())
        return b"".join([part async for part in stream])


async def watch(table: Table, path: str) -> None:
    stream = await trio.open_tcp_stream("127.0.0.1", table.port)
    async with stream:
        await stream.send_all(f"GET {path} HTTP/1.1\r\nhost: localhost\r\n\r\n".encode())
        async for part in stream:
            table.watching.append(part)


async def look_everywhere(table: Table, app) -> None:
    """Every route there is, again and again, as long as the match lasts."""
    values = {"name": "canaries", "ladder": "canaries", "label": "anna", "match": table.match}
    games = {**values, "name": "canary"}
    while True:
        for route in app.routes:
            if not isinstance(route, Route) or route.path.endswith("/news"):
                continue
            path = route.path.replace(":path", "").format(
                **(games if "/g/" in route.path or "games" in route.path else values)
            )
            for query in ("", "?seat=2", "?seat=all", "?seat=public"):
                table.looked.append((path + query, await get(table.port, path + query)))
        await trio.sleep(0.2)


async def play(folder) -> Table:
    order: BlockOrder = block(0, *SEATS, game="canary")
    running = order.tables()[0]
    with open_store(folder / "arena.db") as store:
        ladder = flock.begin(store, "canaries", bots=("anna", "bert", "you"))
        plan = Planned(
            0,
            Division.of("canary", {}, 3),
            ("anna", "bert", "you"),
            ((running.match, commitment(order.deals[0], order.salts[0])),),
        )
        store.plan_blocks(ladder, [plan])
        gallery = Gallery("canaries")
        async with open_house(folder, "anna", "bert", "you", gallery=gallery) as opened:
            seat = Seat("canary", {}, ("anna", "bert", "you"), 2, False, opened.house.door.url)
            app = make_app(store, gallery=gallery, seat=seat, tokens=Tokens(folder / "tokens.toml"))
            async with served(app) as port:
                table = Table(port, running.match)
                opened.invite("anna", "bert", "you")
                for player in opened.players.values():
                    player.thinking_s = 0.08
                async with trio.open_nursery() as audience:
                    audience.start_soon(watch, table, f"/m/{running.match}/live/news")
                    audience.start_soon(watch, table, "/l/canaries/live/news")
                    audience.start_soon(look_everywhere, table, app)
                    (report,) = await opened.play(order)
                    table.looked.append(("export", await export(folder)))
                    await trio.sleep(0.6)  # so long until the streams have told the end
                    audience.cancel_scope.cancel()
        table.record = report.matches[0].record
        table.heard = {name: player.heard for name, player in opened.players.items()}
    return table


async def export(folder) -> bytes:
    """What the commands print of a match that is not finished."""
    said = b""
    for words in (["export", "canaries"], ["match", "list", "--json"], ["ladder", "show", "canaries", "--json"]):
        command = [sys.executable, "-m", "arena", *words, "--dir", str(folder)]
        ran = await trio.run_process(command, check=False, capture_stdout=True, stderr=subprocess.STDOUT)
        said += ran.stdout
    return said


@pytest.fixture(scope="module")
def table(tmp_path_factory):
    async def limited() -> Table:
        with trio.fail_after(240):
            return await play(tmp_path_factory.mktemp("canary"))

    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(GAMES, Canary.name, Canary)
        yield trio.run(limited)


def test_d3_d4_d23_d24_d25_no_byte_sent_to_anybody_names_a_card_that_is_hidden_from_them(table):
    document = unpack(table.record)
    known = {viewer: marks_in(repr(events_for(document, viewer)).encode()) for viewer in (0, 1, 2, PUBLIC)}
    everything = set(Canary.pack(3, Canary.variant_type()))
    hidden = {viewer: everything - seen for viewer, seen in known.items()}
    assert all(len(cards) > 3 for cards in hidden.values()), "there was something to find"

    stream = b"".join(table.watching)
    assert b'"zones"' in stream and b'"state": "over"' in stream, "spectators saw the match, to its end"
    assert marks_in(stream) and not marks_in(stream) & hidden[PUBLIC]

    for path, data in table.looked:
        if not tells_of_the_box(path, data):
            assert not marks_in(data), f"{path} names a card of a running match"

    for seat, name in enumerate(("anna", "bert", "you")):
        wire = b"".join(table.heard[name])
        assert marks_in(wire) and not marks_in(wire) & hidden[seat], f"{name} was told of another's card"


def test_d23_what_is_told_beforehand_is_what_the_box_holds_whatever_was_dealt(table):
    box = json.loads(json.dumps(furniture_of(Canary, 3, {})))
    tables = [json.loads(data.partition(b"\r\n\r\n")[2]) for _, data in table.looked if b'"looks"' in data]
    assert {told["game"] for told in tables} == {"canary"} and len(tables) > 4
    assert all({key: told[key] for key in box} == box for told in tables)
    pages = {path: set() for path, data in table.looked if tells_of_the_box(path, data)}
    for path, data in table.looked:
        if path in pages:
            pages[path].add(re.sub(rb"date: .*", b"", data))
    assert all(len(versions) == 1 for versions in pages.values()), (
        "the same before the first card and after the last"
    )


def test_d23_the_page_of_a_human_is_never_kept_by_a_browser(table):
    answers = [data for path, data in table.looked if path in ("/seat", "/api/seat")]
    pages = [data.partition(b"\r\n\r\n")[0].lower() for data in answers]
    assert len(pages) >= 2 and all(b"no-store" in head for head in pages)
    assert any(b"connect-src 'self' ws://127.0.0.1:" in head and b"default-src 'none'" in head for head in pages)


def tells_of_the_box(path: str, data: bytes) -> bool:
    """All cards of a game are no secret: a game's page lists them, and so does the description of a table."""
    return path.startswith(("/g/", "/api/games")) or b'"looks"' in data
