"""The arena in a browser: boards, matches, replays as each seat saw them.

Pages only read the store: nothing here can change a result, and nothing here knows a deal before its whole block
is finished.  `application` joins the pages to one app, `serving` puts it on a port.
"""

from __future__ import annotations
