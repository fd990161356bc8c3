"""The pages, one noun per file.  Handlers are plain functions: Starlette runs them in threads, beside the loop."""

from __future__ import annotations

from starlette.requests import Request

from arena.web.library import Library


def library(request: Request) -> Library:
    """What this app reads."""
    found = request.app.state.library
    assert isinstance(found, Library)
    return found
