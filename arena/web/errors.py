"""What can go wrong with a request, as a status and a sentence; anything else is ours and gets an incident number.

The reader never sees a trace: what a page was working on may be somebody's hand.
"""

from __future__ import annotations

import logging
import secrets

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from arena.gallery import Gallery
from arena.packaged_games import GameRefused
from arena.record import GameMissing, RecordError
from arena.store.errors import Damaged, StoreError, Unavailable, Unknown
from arena.web.library import Sealed
from arena.web.rendering import page

log = logging.getLogger("arena.web")

TITLES = {
    400: "This cannot be asked",
    403: "Not like this",
    404: "Not here",
    405: "Nothing can be changed here",
    409: "Not open yet",
    413: "Too much was sent",
    421: "Not this host",
    500: "Something broke",
    503: "Not now",
}


def tell(request: Request, error: Exception) -> Response:
    """The answer to a request that failed."""
    match error:
        case HTTPException():
            told = error.detail if error.detail not in ("Not Found", "Method Not Allowed") else ""
            return _answer(request, error.status_code, told)
        case Sealed():
            return _answer(request, 409, str(error), _live(request))
        case Unknown():
            return _answer(request, 404, str(error))
        case Unavailable():
            return _answer(request, 503, "the database cannot be read just now; try again in a moment")
        case GameRefused():
            log.error("%s: %s", request.url.path, error)
            return _answer(
                request, 503, "the package of this game is broken; the operator can say more: arena games"
            )
        case GameMissing():
            return _answer(request, 503, f"this is {error}; the operator can install the package that brings it")
        case Damaged() | RecordError():
            return _answer(request, 500, "what is stored is damaged; the operator can say more: arena verify")
        case StoreError():
            return _answer(request, 400, str(error))
    return _incident(request, error)


def _incident(request: Request, error: Exception) -> Response:
    number = secrets.token_hex(4)
    log.error("incident %s at %s", number, request.url.path, exc_info=error)
    return _answer(request, 500, f"it is our fault; the operator finds it as incident {number}")


def _live(request: Request) -> str:
    """Where a closed match can be watched instead, if it is being played here."""
    gallery: Gallery | None = request.app.state.gallery
    match = request.path_params.get("match", "")
    return f"/m/{match}/live" if gallery and any(one.match == match for one in gallery.playing) else ""


def _answer(request: Request, status: int, text: str, live: str = "") -> Response:
    text = text or {404: "there is no such page", 405: "pages are only read"}.get(status, "")
    if request.url.path.startswith("/api/"):
        return JSONResponse({"error": text, "code": status}, status)
    title = TITLES.get(status, "This did not work")
    return page(request, "problem.html", status=status, title=title, text=text, live=live)
