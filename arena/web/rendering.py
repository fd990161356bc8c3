"""Templates and the words in them: numbers, times, links.  Everything a template prints is escaped."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from arena.store import Division
from arena.store.matches import Line
from arena.web import charts

HERE = Path(__file__).parent
THIN_SPACE = "\u2009"


def page(request: Request, template: str, *, status: int = 200, **known: Any) -> Response:
    """A whole page."""
    return HTMLResponse(_templates.get_template(template).render(request=request, status=status, **known), status)


def fragment(template: str, **known: Any) -> str:
    """A part of a page, for a reader who has the rest."""
    return _templates.get_template(template).render(**known)


def number(value: float | None, spelling: str = ",.0f") -> str:
    """With thin spaces between thousands; nothing that is not known is made up."""
    return "–" if value is None else format(value, spelling).replace(",", THIN_SPACE).replace("-", "−")


def percent(value: float | None, digits: int = 1) -> str:
    """A share."""
    return "–" if value is None else f"{100 * value:.{digits}f}{THIN_SPACE}%"


def moment(text: str | None) -> str:
    """A time as stored, to the second and with its zone."""
    return "" if not text else f"{text[:10]} {text[11:19]} UTC"


def named(division: Division) -> str:
    """A division in words."""
    changes = "" if division.variant == "{}" else f" {division.variant}"
    return f"{division.game}{changes}, {division.seats} seats"


def to_bot(ladder: str, label: str) -> str:
    """Where a bot's page is."""
    return f"/b/{quote(ladder, safe='')}/{quote(label, safe='')}"


def to_ladder(ladder: str, part: str = "") -> str:
    """Where a ladder's board is, or another page of it."""
    return f"/l/{quote(ladder, safe='')}" + (f"/{part}" if part else "")


def to_matches(**filters: str | None) -> str:
    """Where such matches are listed."""
    given = {key: value for key, value in filters.items() if value}
    return "/matches" + (f"?{urlencode(given)}" if given else "")


def standing(line: Line) -> list[tuple[int, Any]]:
    """The seats of a match with their numbers, the winner first."""
    return sorted(enumerate(line.seats), key=lambda entry: (entry[1].place, entry[0]))


_templates = Environment(
    loader=FileSystemLoader(HERE / "templates"),
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
    auto_reload=False,
)
_templates.filters |= {
    "number": number,
    "percent": percent,
    "moment": moment,
    "named": named,
    "plain": lambda value: json.dumps(value, ensure_ascii=False),
}
_templates.globals |= {
    "to_bot": to_bot,
    "to_ladder": to_ladder,
    "to_matches": to_matches,
    "standing": standing,
    "charts": charts,
}
