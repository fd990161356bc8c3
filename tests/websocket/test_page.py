"""A web page as a bot, in a real Chromium: the JavaScript kit as it is, and an origin that the arena allows.

Set ARENA_E2E=1 and a missing browser is a failure.
"""

import json
import threading
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer

import pytest

from tests.cli.shell import arena, matches_in
from tests.websocket.kits import KITS
from tests.websocket.test_events import port, token_for  # noqa: F401

pytestmark = pytest.mark.e2e

PAGE = """<!doctype html>
<title>A bot</title>
<script type="module">
    import {{ run }} from "./flock_bot.mjs";
    run((view, options) => options.length - 1, {{ url: {url}, token: {token} }});
</script>
"""


class Quiet(SimpleHTTPRequestHandler):
    extensions_map = {".mjs": "text/javascript", ".html": "text/html"}

    def log_message(self, format, *arguments):
        pass


@contextmanager
def serving(folder):
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=folder)) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


def test_c3_a_page_is_a_bot_if_its_origin_is_allowed(tmp_path, page, port):  # noqa: F811
    site = tmp_path / "site"
    site.mkdir()
    (site / "flock_bot.mjs").write_bytes((KITS / "flock_bot.mjs").read_bytes())
    words = {"url": f"ws://127.0.0.1:{port}", "token": token_for(tmp_path, "anna")}
    (site / "bot.html").write_text(PAGE.format(**{key: json.dumps(word) for key, word in words.items()}))
    with serving(site) as origin:
        page.goto(f"{origin}/bot.html")
        words = ("play", "sheepzzz", "ws:anna", "first", "--deals", "1", "--bots-port", str(port))
        arena(*words, "--bots-origin", origin, cwd=tmp_path)
    found = matches_in(tmp_path)
    assert len(found) == 2
    assert not any(seat.forfeited for line in found for seat in line.seats)
