"""`arena human` without a browser: a terminal as a seat, and a door that opens for one page and one token."""

from __future__ import annotations

import json
import signal
from urllib.parse import urlsplit
from urllib.request import urlopen

import pytest
import trio

from arena.cli import human
from arena.cli.human_page import HumanPage
from arena.cli.human_text import meant, table_in_words
from arena.cli.place import Place
from arena.games import GAMES
from arena.record import differences, unpack
from tests.cli.shell import arena, matches_in, store_in
from tests.web import flock
from tests.web.sitting import sitting
from tests.websocket.doors import answer, request


@pytest.mark.parametrize("game", GAMES)
def test_a_whole_game_is_played_in_a_terminal(tmp_path, game):
    ran = arena("human", game, "random", "--text", "--seat", "1", cwd=tmp_path, typed="1\n" * 2000)
    assert "Your turn" in ran.stdout and "The match is over: you are number" in ran.stdout
    (line,) = matches_in(tmp_path)
    assert [seat.bot for seat in line.seats][1] == "you" and not any(seat.code for seat in line.seats)
    assert f"arena verify {line.match}" in ran.stdout
    with store_in(tmp_path) as store:
        assert differences(unpack(store.record_of(line.match))) == ""


def test_who_closes_the_input_leaves_and_nothing_counts(tmp_path):
    ran = arena("human", "wolfpack", "first", "--text", cwd=tmp_path, code=1, typed="1\n1\n")
    assert "you left" in ran.stderr
    assert matches_in(tmp_path) == []


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["sheepzzz", "first", "--seat", "2"], "seats at this table are 0 to 1"),
        (["sheepzzz", "first", "--seats", "99"], "is for 2 to"),
        (["nonsense", "first"], "nonsense"),
        (["sheepzzz", "nobody-here"], "nobody-here"),
    ],
)
def test_a_table_that_cannot_be_set_is_a_sentence(tmp_path, words, told):
    ran = arena("human", *words, "--text", cwd=tmp_path, code=2)
    assert told in ran.stderr


async def test_d23_a_seat_opens_for_its_own_page_and_its_own_token_alone(tmp_path):
    """A foreign page, a wrong token and a second use are refused; when the table is gone, so is the token."""
    with sitting(tmp_path, "sheepzzz", "first") as (address, process):
        page, token = urlsplit(address), urlsplit(address).fragment
        assert token.startswith("arena-") and page.hostname == "127.0.0.1"
        with await trio.to_thread.run_sync(lambda: urlopen(f"http://{page.netloc}/seat", timeout=20)) as shown:
            text, policy = shown.read().decode(), shown.headers["content-security-policy"]
        assert token not in text and "no-store" in shown.headers["cache-control"]
        port = int(policy.partition("ws://127.0.0.1:")[2].partition(";")[0])

        async def status(secret: str, origin: str) -> int:
            stream = await trio.open_tcp_stream("127.0.0.1", port)
            async with stream:
                head = request(port, secret).replace(b"\r\n\r\n", f"\r\nOrigin: {origin}\r\n\r\n".encode())
                await stream.send_all(head)
                return (await answer(stream))[0]

        with trio.fail_after(120):
            assert await status(token, "http://evil.example") == 403
            assert await status(token, f"http://{page.hostname}:1") == 403
            assert await status("arena-guessed", f"http://{page.netloc}") == 401
            assert await status(token, f"http://{page.netloc}") == 101
        process.send_signal(signal.SIGINT)
        _, said = await trio.to_thread.run_sync(lambda: process.communicate(timeout=120))
        assert process.returncode == 1 and "you left" in said and "Traceback" not in said


def test_who_stops_it_while_the_last_match_is_stored_is_not_kept_waiting(tmp_path, monkeypatch):
    stayed = []

    def play(event, screen) -> bool:
        screen.voice.say("played")
        event.stopped = True
        return True

    monkeypatch.setattr(human, "play", play)
    monkeypatch.setattr(HumanPage, "stay", stayed.append)
    sitting = human.Sitting("sheepzzz", ["first"], 0, None, 1, [], None)
    human.seat_a_human(sitting, Place(tmp_path / ".arena"), True, [], 0)
    assert stayed == []


def test_there_is_no_seat_where_none_is_kept(client):
    for path in ("/seat", "/api/seat"):
        told = client.get(path)
        assert told.status_code == 404 and "arena human" in told.text


@pytest.mark.parametrize("game", GAMES)
def test_options_are_said_as_the_rulebook_says_them(client, game):
    rules = GAMES[game]
    match = next(flock.play(rules, flock.BOTS[: flock.SEATS[game]], bytes(32), bytes(32)))
    asked = match.game.question.seats[0]
    options = match.game.options(asked)
    path = f"/api/games/{game}/words"
    told = client.get(path, params={"option": [json.dumps(option) for option in options]}).json()
    assert told == [rules.say(option) for option in options]
    for wrong in ("", "{", "7", "null", '"play"', "[[[[", '["play"]' * 2, "[" * 2000):
        assert client.get(path, params={"option": wrong}).status_code in (200, 400, 414)
    assert client.get("/api/games/nope/words?option=[]").status_code == 404


def test_an_option_is_meant_by_number_by_words_or_by_enough_of_them():
    options = ["play sheep 3 on pile 0", "play sheep 3 on pile 1", "take pile 1"]
    assert meant("2", options) == [1] and meant(" TAKE PILE 1 ", options) == [2] and meant("take", options) == [2]
    assert (
        meant("sheep", options) == [0, 1]
        and meant("9", options) == meant("", options) == meant("x", options) == []
    )


@pytest.mark.parametrize("game", GAMES)
def test_d1_the_table_in_words_names_no_card_that_the_view_hides(game):
    rules = GAMES[game]
    for match in flock.play(rules, flock.BOTS[: flock.SEATS[game]], bytes(32), bytes(32)):
        view = match.game.view(0)
        told = "\n".join(table_in_words(rules, view, 0))
        known = {
            rules.say_face(face)
            for name, declared in rules._zones.items()
            for heap in (view[name] if declared.row else [view[name]])
            for face in heap
            if face is not None
        }
        hidden = {rules.say_face(face) for face in match.game.faces} - known
        assert not any(f"{card}," in told or told.endswith(card) for card in hidden)
