"""Rows H and D19: hostile text, hostile requests, and our own mistakes."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import pytest
from starlette.testclient import TestClient

from arena.web import broadcast, guard
from arena.web.application import make_app
from arena.web.library import Library
from tests.web import flock, walk

TAGS = {
    "a", "abbr", "body", "button", "caption", "circle", "code", "dd", "details", "div", "dl", "dt", "form", "h1",
    "h2", "head", "header", "html", "i", "input", "kbd", "label", "li", "link", "main", "meta", "nav", "ol",
    "option", "output", "p", "path", "pre", "script", "section", "select", "small", "span", "summary", "svg",
    "symbol", "table", "tbody", "td", "th", "thead", "title", "tr", "ul", "use",
}  # fmt: skip


class Elements(HTMLParser):
    """What a browser would make of a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.found.append((tag, dict(attrs)))


@pytest.fixture(scope="module")
def pages(answers):
    return {path: answer for path, answer in answers.items() if not path.startswith(("/api/", "/favicon"))}


def test_h1_hostile_names_titles_and_notes_are_text_on_every_page(pages):
    hostile = 0
    for path, answer in pages.items():
        hostile += "&lt;script&gt;alert" in answer.text
        if path in ("/metrics", "/healthz"):
            assert answer.headers["content-type"].startswith("text/plain")
            continue
        for tag, attributes in Elements(answer.text).found:
            assert tag in TAGS, f"{path}: <{tag}>"
            assert not any(name.startswith("on") or name == "style" for name in attributes), (
                f"{path}: {attributes}"
            )
            assert tag != "script" or (attributes.get("src") or "").startswith("/static/"), path
    assert hostile > 5


def test_h2_scripts_get_their_data_from_endpoints_never_from_script_text(pages):
    assert not any(re.search(r"<script[^>]*>[^<]", answer.text) for answer in pages.values())


def test_h4_nothing_can_be_changed_so_there_is_nothing_to_forge(client):
    """No route takes anything but a look; the day one does, it needs a token, and this test says so."""
    for route in walk.routes(client.app):
        assert route.methods == {"GET", "HEAD"}, route.path
        for method in ("POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE"):
            assert client.request(method, re.sub(r"{.*?}", "x", route.path)).status_code == 405


def test_h5_every_answer_is_sealed_off_from_other_sites(client, pages):
    others = [client.get("/nope"), client.get("/static/arena.css"), client.post("/"), client.get("/api/nope")]
    for answer in [*pages.values(), *others]:
        policy = answer.headers["content-security-policy"]
        assert "frame-ancestors 'none'" in policy and "unsafe" not in policy
        assert answer.headers["x-frame-options"] == "DENY"
        assert answer.headers["x-content-type-options"] == "nosniff"


def test_h9_there_is_no_cookie_to_steal(pages):
    assert not any("set-cookie" in answer.headers for answer in pages.values())


@pytest.mark.parametrize("key", ["ladder", "bot", "versus", "game", "code", "since", "sort", "page"])
@pytest.mark.parametrize(
    "value", ["' OR 1=1 --", "x'; DROP TABLE bots; --", "%", "_", "\\", "1e9", "-1", "a" * 5000]
)
def test_h6_filters_are_values_and_sorts_come_from_a_list(client, key, value):
    answer = client.get("/api/matches", params={key: value})
    assert answer.status_code in (200, 400, 414)
    assert answer.status_code != 200 or answer.json() == []


@pytest.mark.parametrize(
    "path",
    [
        "/static/../application.py", "/static/%2e%2e/application.py", "/static/..%2fapplication.py",
        "/static//etc/passwd", "/static/vendor/../../guard.py", "/static/%2e%2e%5cguard.py",
        "/m/..%2f..%2fetc%2fpasswd", "/m/%00",
    ],
)  # fmt: skip
def test_h7_no_path_leads_out(client, path):
    answer = client.get(path)
    assert answer.status_code == 404 and "import" not in answer.text


def test_h8_a_guessed_name_is_answered_like_any_unknown_one(client):
    one, other = client.get("/m/m-aaaaaaaaaaaa"), client.get("/m/m-zzzzzzzzzzzz")
    assert one.status_code == other.status_code == 404 and len(one.content) == len(other.content)


def test_a_foreign_name_for_this_server_is_refused(client):
    for host, status in {
        "evil.example": 421,
        "localhost:99": 200,
        "127.0.0.1:8080": 200,
        "[::1]:1": 200,
        "": 421,
    }.items():
        assert client.get("/healthz", headers={"host": host}).status_code == status, host


def test_h11_a_body_or_a_long_address_is_refused_unread(client):
    assert client.request("GET", "/", content=b"x" * 10).status_code == 413
    assert client.get("/matches?bot=" + "x" * 5000).status_code == 414


def test_h12_over_the_cap_the_answer_is_come_again(client, monkeypatch):
    monkeypatch.setattr(guard, "AT_ONCE", 0)
    assert client.get("/").status_code == 503
    monkeypatch.setattr(guard, "AT_ONCE", 9)
    monkeypatch.setattr(broadcast, "MOST_WATCHERS", 0)
    assert client.get("/l/spring/news").status_code == 503


class Broken(Library):
    """Whatever a page asks of it, our own code fails with somebody's hand in the message."""

    def __getattribute__(self, name: str):
        raise RuntimeError(f"hand of seat 1: {flock.CANARY}")


def test_d19_h13_our_own_mistakes_give_an_incident_number_and_nothing_else(store, caplog):
    app = make_app(store)
    app.state.library = object.__new__(Broken)
    broke = 0
    with TestClient(app, base_url="http://localhost", backend="trio") as client:
        for route in walk.routes(app):
            answer = client.get(re.sub(r"{.*?}", "sheepzzz", route.path))
            assert flock.CANARY not in answer.text and "Traceback" not in answer.text
            if answer.status_code == 500:
                number = re.search(r"incident (\w{8})", answer.text)
                assert number is not None and number[1] in caplog.text
                broke += 1
    assert broke == len(walk.routes(app)) - 10, (
        "all but those that read no store: games, one game, its page and its words, the icon; and here nothing is "
        "live and no seat is kept: a stream, two lists of tables, the seat and its data"
    )


def test_h15_pages_need_no_other_host(client, pages):
    for path, answer in pages.items():
        for tag, attributes in Elements(answer.text).found:
            for name in ("src", "href", "action", "hx-sse:connect"):
                link = attributes.get(name)
                assert link is None or (link[:1] in "/#?" and link[:2] != "//"), f"{path}: <{tag} {name}={link}>"
