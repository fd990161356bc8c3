"""The default to every request, all that are due at once, with the Python kit."""

from __future__ import annotations

import os
import sys

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "sample_bots"))

from flock_bot import run  # type: ignore[import-not-found]

run(choose_many=lambda requests: [request["default"] for request in requests], tables=int(sys.argv[1]))
