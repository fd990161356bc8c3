"""`/b/LADDER/LABEL`: how a bot does, and what its author should look at first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from ipaddress import ip_address
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from arena.door.tokens import Token, TokenError, Tokens
from arena.portrait import Attention, portrait
from arena.store import Unknown
from arena.store.roster import Entry, Ladder
from arena.store.store import Store
from arena.web.library import Board
from arena.web.pages import library
from arena.web.rendering import page

NOT_YOURS = "there is no such bot, or its token is another one"
"""Said in all such cases alike: whoever guesses learns nothing."""


def bot(request: Request) -> Response:
    """The page; a bot's last words are not on it."""
    books = library(request)
    ladder, pulse = books.ladder(request.path_params["ladder"])
    entry, entries = _entered(books.store, ladder, request.path_params["label"])
    boards = [board for board in books.boards(ladder, pulse).boards if _row(board, entry.label)]
    return page(
        request,
        "bot.html",
        ladder=ladder,
        entry=entry,
        rows=[(board.division, _row(board, entry.label), board) for board in boards],
        versions=[other for other in entries if other.name == entry.name],
        seen=books.portrait(ladder, pulse, entry.label),
    )


def attention_data(request: Request) -> Response:
    """What went wrong, with all that the bot wrote to stderr, for who shows the owner's token."""
    store = library(request).store
    token = _shown_token(request)
    try:
        ladder = store.find_ladder(request.path_params["ladder"])
        entry, _ = _entered(store, ladder, request.path_params["label"])
    except Unknown:
        raise HTTPException(404, NOT_YOURS) from None
    if token is None or not owns(token, entry):
        raise HTTPException(404, NOT_YOURS)
    groups = portrait(store, [entry.label], ladder.name).attention
    return JSONResponse([asdict(group) | {"stderr": _stderr(store, group)} for group in groups])


def owns(token: Token, entry: Entry) -> bool:
    """A token belongs to the remote bot of its name, and to all bots of its owner."""
    if entry.manifest.get("remote") and entry.name == token.name:
        return True
    return bool(token.owner) and token.owner == entry.owner


def _shown_token(request: Request) -> Token | None:
    tokens: Tokens | None = request.app.state.tokens
    scheme, _, secret = request.headers.get("authorization", "").partition(" ")
    if tokens is None or scheme.lower() != "bearer":
        return None
    if request.url.scheme != "https" and not _is_near(request):
        raise HTTPException(403, "a token would travel in the clear: have a proxy on this machine speak TLS")
    try:
        return tokens.bearer(secret.strip())
    except TokenError:
        raise HTTPException(503, "tokens cannot be read just now") from None


def _is_near(request: Request) -> bool:
    """From this machine, or through a proxy on it."""
    try:
        return request.client is not None and ip_address(request.client.host).is_loopback
    except ValueError:
        return False


def _stderr(store: Store, group: Attention) -> str:
    return store.stderr_of(group.match, group.seat, None).decode("utf-8", "backslashreplace")


def _entered(store: Store, ladder: Ladder, label: str) -> tuple[Entry, Sequence[Entry]]:
    entries = store.bots_of(ladder)
    entry = next((entry for entry in entries if entry.label == label), None)
    if entry is None:
        raise Unknown(f'ladder {ladder.name} has no bot "{label}"')
    return entry, entries


def _row(board: Board, label: str) -> Any:
    return next((row for row in board.standings.rows if row.bot == label and row.games), None)
