"""Settings for every test: the machine is noisy, so no example is timed; what CI tries is the same every time."""

from __future__ import annotations

import os

from hypothesis import settings

settings.register_profile("steady", deadline=None, derandomize="ARENA_SOAK" not in os.environ)
settings.load_profile("steady")
