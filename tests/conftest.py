"""Settings for every test, and one browser for all that need it.

The machine is noisy, so no example is timed; what CI tries is the same every time.
"""

from __future__ import annotations

import os

import pytest
from hypothesis import settings

settings.register_profile("steady", deadline=None, derandomize="ARENA_SOAK" not in os.environ)
settings.load_profile("steady")


@pytest.fixture(scope="session")
def browser():
    from tests.web.chromium import chromium  # not everybody has one

    with chromium() as opened:
        yield opened


@pytest.fixture
def page(browser):
    """A page that remembers complaints."""
    from tests.web.chromium import watched

    context = browser.new_context(viewport={"width": 1200, "height": 900})
    yield watched(context.new_page())
    context.close()
