"""Ladders and series with remote bots, as an operator types them and with the kits as their authors run them."""

import json
import os
import signal
import socket
import subprocess
import time
from contextlib import contextmanager
from pathlib import Path

import pytest

from arena.door.tokens import Tokens
from tests.cli.shell import COMMAND, arena, matches_in, read_until
from tests.warm import Popen
from tests.websocket.kits import can_be_like_a_page, kit_command

LADDER = """
name = "spring"
game = "sheepzzz"
seats = 2
bots = {bots}
[schedule]
{schedule}
same_owner = true
[rating]
provisional_blocks = 2
"""


@pytest.fixture
def port():
    with socket.create_server(("127.0.0.1", 0)) as taken:
        return taken.getsockname()[1]


def token_for(folder: Path, name: str) -> str:
    return Tokens(folder / ".arena/tokens.toml").create(name, "", "2026-01-01")


@contextmanager
def remote(folder: Path, name: str, port: int, language: str = "python"):
    """A bot of that name, run by its author."""
    command = kit_command(folder, language, f"ws://127.0.0.1:{port}", token_for(folder, name))
    process = subprocess.Popen(command)
    try:
        yield
    finally:
        process.kill()
        process.wait()


@pytest.mark.parametrize("language", ["python", "javascript", "page"])
def test_a_kit_plays_a_series_over_websocket(tmp_path, port, language):
    if language == "page" and not can_be_like_a_page():
        pytest.skip("this Node has no websockets as a page has them; Node 20 can")
    with remote(tmp_path, "anna", port, language):
        words = ("play", "sheepzzz", "ws:anna", "first", "--deals", "2", "--bots-port", str(port), "--json")
        result = json.loads(arena(*words, cwd=tmp_path).stdout)
    assert (result["played"], result["planned"]) == (4, 4)
    found = matches_in(tmp_path)
    assert len({line.block for line in found}) == 4, "every match is a block of its own"
    assert sorted(line.seats[0].bot for line in found) == ["anna", "anna", "first", "first"]
    assert not any(seat.forfeited for line in found for seat in line.seats)
    arena("verify", found[0].match, cwd=tmp_path)
    assert "ws:anna" in arena("log", found[0].match, cwd=tmp_path).stdout, "it says how to play it again"


def test_a_remote_bot_is_checked_like_any_other(tmp_path, port):
    with remote(tmp_path, "anna", port):
        told = arena("check", "ws:anna", "--game", "sheepzzz", "--bots-port", str(port), cwd=tmp_path).stdout
    assert "12 of 12 passed. anna may enter ladders." in told


def test_a_mixed_ladder_is_killed_goes_on_when_the_bots_are_back_and_verifies(tmp_path, port):
    bots = ["first", "random", "ws:anna", "ws:berta"]
    text = LADDER.format(bots=json.dumps(bots), schedule="deals = 6")
    (tmp_path / "spring.toml").write_text(text)
    run = [*COMMAND, "ladder", "run", "spring.toml", "--bots-port", str(port)]
    with remote(tmp_path, "anna", port), remote(tmp_path, "berta", port, "javascript"):
        process = Popen(
            run, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, start_new_session=True
        )
        with process:
            for _ in range(3):
                read_until(process, "anna")
            os.killpg(process.pid, signal.SIGKILL)
            process.stdout.read()
        before = len(matches_in(tmp_path))
        arena("ladder", "resume", "spring", "--bots-port", str(port), cwd=tmp_path)
    found = matches_in(tmp_path)
    assert 0 < before < len(found)
    remotely = [line for line in found if {"anna", "berta"} & {seat.bot for seat in line.seats}]
    assert len(remotely) == len({line.block for line in remotely}) == 30, (
        "five pairs of six blocks, one match each"
    )
    assert not any(seat.forfeited for line in found for seat in line.seats)
    assert "holds" in arena("verify", "spring", cwd=tmp_path).stdout


def test_whoever_comes_through_an_open_door_takes_part(tmp_path, port):
    text = LADDER.format(bots='["first", "random"]', schedule='format = "open"\nopen_door = true')
    (tmp_path / "spring.toml").write_text(text)
    run = [*COMMAND, "ladder", "run", "spring.toml", "--jobs", "1", "--bots-port", str(port)]
    process = Popen(run, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    with process:
        with remote(tmp_path, "carla", port):
            read_until(process, "carla joins")
            until(lambda: any(seat.bot == "carla" for line in matches_in(tmp_path) for seat in line.seats))
        read_until(process, "carla is away")
        process.send_signal(signal.SIGINT)
        read_until(process, "press Ctrl-C again")
        process.send_signal(signal.SIGINT)
        process.stdout.read()
    assert process.returncode == 130
    standings = arena("ladder", "show", "spring", "--json", cwd=tmp_path).stdout
    assert '"carla"' in standings
    assert "holds" in arena("verify", "spring", cwd=tmp_path).stdout


def until(condition) -> None:
    ends = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < ends
        time.sleep(0.1)


def test_what_cannot_be_is_said_in_a_sentence(tmp_path, port):
    told = arena("play", "sheepzzz", "ws:anna", "first", cwd=tmp_path, code=2).stderr
    assert "ws:anna has to come in somewhere: add --bots-port 8765" in told
    with_port = ("--bots-port", str(port))
    told = arena("play", "sheepzzz", "ws:anna", "first", *with_port, cwd=tmp_path, code=4).stderr
    assert "anna has no token; make one: arena token create anna" in told
    token_for(tmp_path, "anna")
    told = arena("play", "sheepzzz", "ws:anna", "ws:anna", *with_port, cwd=tmp_path, code=2).stderr
    assert "it cannot sit at a table twice" in told
    duel = ("duel", "ws:anna", "first", "--game", "sheepzzz", "--seats", "3", *with_port)
    assert "it cannot sit at a table twice" in arena(*duel, cwd=tmp_path, code=2).stderr
    told = arena(
        "play", "sheepzzz", "ws:anna", "first", "--bots-name", "arena.example", cwd=tmp_path, code=2
    ).stderr
    assert "say also where: --bots-port 8765" in told


def test_c16_descriptors_for_all_who_may_come_in_are_there_before_the_first_match(tmp_path, port):
    entries = "".join(f'[bot-{number}]\nsha256 = "{number:064x}"\ncreated = ""\n' for number in range(1000))
    (tmp_path / "tokens.toml").write_text(entries)
    words = ("play", "sheepzzz", "first", "random", "--deals", "1", "--token-file", "tokens.toml")
    limited = ["prlimit", "--nofile=2000:2000", *COMMAND, *words, "--bots-port", str(port)]
    ran = subprocess.run(limited, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert ran.returncode == 5
    assert "8 matches at once and 1256 bots at the door need 2,704 descriptors, the limit is 2,000" in ran.stderr
    limited[1] = "--nofile=2000:3000"
    subprocess.run(limited, cwd=tmp_path, capture_output=True, check=True)


def test_c19_a_public_door_without_tls_or_token_stays_shut(tmp_path, port):
    public = ("play", "sheepzzz", "first", "random", "--bots-host", "0.0.0.0", "--bots-port", str(port))
    told = arena(*public, cwd=tmp_path, code=2).stderr
    assert "--tls-cert FILE --tls-key FILE and --token-file FILE" in told
    assert "--bots-host 127.0.0.1" in told


def test_c22_a_port_that_is_taken_is_exit_code_5(tmp_path, port):
    token_for(tmp_path, "anna")
    with socket.create_server(("127.0.0.1", port)):
        for words in (("play", "sheepzzz", "ws:anna", "first"), ("check", "ws:anna")):
            told = arena(*words, "--bots-port", str(port), cwd=tmp_path, code=5).stderr
            assert f"port {port} is in use (try --bots-port 0)" in told


def test_pages_and_a_door_are_open_beside_each_other(tmp_path, port):
    arena("play", "sheepzzz", "first", "random", "--deals", "1", cwd=tmp_path)
    words = [*COMMAND, "serve", "--port", "0", "--bots-port", str(port)]
    with Popen(words, cwd=tmp_path, stdout=subprocess.PIPE, text=True) as process:
        read_until(process, "http://127.0.0.1:")
        read_until(process, f"the door is open at ws://127.0.0.1:{port}")
        with remote(tmp_path, "anna", port):
            read_until(process, "anna is at the door")
        told = arena("serve", "--port", "0", "--bots-port", str(port), cwd=tmp_path, code=5).stderr
        assert f"port {port} is in use (try --bots-port 0)" in told
        process.send_signal(signal.SIGINT)
        process.stdout.read()
    assert process.returncode == 0


def test_tokens_by_hand(tmp_path):
    secret = json.loads(arena("token", "create", "anna", "--json", cwd=tmp_path).stdout)["token"]
    assert arena("token", "list", cwd=tmp_path).stdout.startswith("anna ")
    assert secret not in (tmp_path / ".arena/tokens.toml").read_text()
    assert "arena token revoke anna" in arena("token", "create", "anna", cwd=tmp_path, code=2).stderr
    arena("token", "revoke", "anna", cwd=tmp_path)
    assert arena("token", "list", "--json", cwd=tmp_path).stdout == "[]\n"
