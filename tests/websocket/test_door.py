"""Who is let in at the door, and what the others are told."""

import ssl
import statistics
import time
from contextlib import suppress
from pathlib import Path

import pytest
import trio
from trio_websocket import open_websocket_url

from arena.door import admission
from arena.door.admission import Admission
from arena.door.door import Door
from arena.door.terms import DoorError, DoorTerms
from arena.door.tokens import TokenError, Tokens
from arena.transports import Hub
from tests.websocket.doors import answer, open_door, request
from tests.websocket.peer import HungUp, Peer

CANARY = "arena-canary-canary-canary"


async def told(door, head: bytes, source: str = "127.0.0.1"):
    stream = await door.knock(head, source)
    with trio.fail_after(10):
        found = await answer(stream)
    await stream.aclose()
    return found


async def settled(door, condition) -> None:
    with trio.fail_after(10):
        while not condition():
            await trio.sleep(0.005)


async def test_c1_without_a_good_token_there_is_one_answer(tmp_path):
    async with open_door(tmp_path, "anna") as door:
        good = door.secrets["anna"]
        answers = [
            await told(door, request(door.port, token))
            for token in (None, "", "anna", good[:-1], good + "x", CANARY, "ä" * 40)
        ]
        basic = await told(door, request(door.port, None, Authorization=f"Basic {good}"))
        assert {status for status, _, _ in answers} == {401}
        assert len({(tuple(headers.items()), body) for _, headers, body in (*answers, basic)}) == 1
        assert answers[0][1]["www-authenticate"].startswith("Bearer")
        assert not door.door.guests
        await door.come_in("anna")


def test_c1_a_near_miss_takes_as_long_as_a_wild_guess(tmp_path):
    tokens = Tokens(tmp_path / "tokens.toml")
    secret = tokens.create("anna", "", "2026-01-01")
    wild, near = "x" * len(secret), secret[:-1] + ("x" if secret[-1] != "x" else "y")
    times: dict[str, list[int]] = {wild: [], near: []}
    for number in range(4000):
        for guess in sorted(times, reverse=number % 2 == 0):
            began = time.perf_counter_ns()
            assert tokens.bearer(guess) is None
            times[guess].append(time.perf_counter_ns() - began)
    slower = statistics.median(times[near]) / statistics.median(times[wild])
    assert 0.8 < slower < 1.25
    assert tokens.bearer(secret) is not None


async def test_c2_a_token_in_the_url_does_not_count_and_is_written_nowhere(tmp_path, caplog, capfd):
    caplog.set_level(0)
    async with open_door(tmp_path, "anna") as door:
        said: list[str] = []
        door.door._say = said.append
        secret = door.secrets["anna"]
        status, _, body = await told(door, request(door.port, None, f"?token={secret}"))
        assert (status, b"Never in the URL" in body) == (401, True)
        peer = await door.come_in("anna")
        await peer.send(b"{}")
        await peer.close()
    out, err = capfd.readouterr()
    everything = [*said, caplog.text, out, err, *(path.read_text() for path in tmp_path.iterdir())]
    assert "anna is at the door" in said
    assert not any(secret in text for text in everything)


@pytest.mark.parametrize(
    ("origin", "status"),
    [
        (None, 101),
        ("https://page.example", 101),
        ("https://evil.example", 403),
        ("null", 403),
        ("http://page.example", 403),
        ("https://page.example.evil.example", 403),
    ],
)
async def test_c3_a_foreign_page_is_not_a_bot(tmp_path, origin, status):
    async with open_door(tmp_path, "anna", origins=("https://page.example",)) as door:
        headers = {} if origin is None else {"Origin": origin}
        assert (await told(door, request(door.port, door.secrets["anna"], **headers)))[0] == status


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("127.0.0.1:1234", 101),
        ("localhost", 101),
        ("[::1]:80", 101),
        ("arena.example", 101),
        ("evil.example", 421),
        ("127.0.0.1.evil.example", 421),
        ("192.168.0.1", 421),
        ("[", 421),
    ],
)
async def test_c21_a_foreign_name_does_not_lead_here(tmp_path, host, status):
    async with open_door(tmp_path, "anna", names=("arena.example",)) as door:
        assert (await told(door, request(door.port, door.secrets["anna"], host=host)))[0] == status


@pytest.mark.parametrize(
    "head",
    [
        pytest.param(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n", id="a browser that is lost"),
        pytest.param(b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\n\r\nx", id="post"),
        pytest.param(b"\x16\x03\x01\x02\x00\x01\x00\r\n\r\n", id="tls where none is spoken"),
        pytest.param(b"\r\n" * 2000, id="nothing but ends of lines"),
        pytest.param(b"GET / HTTP/1.1\r\n" + b"X: y\r\n" * 4000, id="a head without end"),
        pytest.param(request(1, None, Host="\xff\xfe"), id="a host that is no name: wsproto lets the error out"),
        pytest.param(request(1, None, Connection="Upgrade, \xff"), id="a header that is no ASCII: the same"),
    ],
)
async def test_c10_garbage_harms_nobody_else(tmp_path, head):
    async with open_door(tmp_path, "anna") as door:
        waiting = await door.come_in("anna")
        stream = await door.knock(head)
        with trio.fail_after(5):
            with suppress(trio.BrokenResourceError):
                assert (await answer(stream))[0] in (0, 400)
        await stream.aclose()
        await settled(door, lambda: door.door._admission.strangers == 0)
        await waiting.send(b"{}")
        assert (await told(door, request(door.port, None)))[0] == 401


async def test_c4_the_one_who_is_here_stays_and_a_second_is_told(tmp_path):
    async with open_door(tmp_path, "anna") as door:
        first = await door.come_in("anna")
        second = await door.come_in("anna")
        with pytest.raises(HungUp) as refused:
            await second.receive()
        assert (refused.value.code, refused.value.reason) == (4409, "already connected")
        await first.send(b"{}")
        await settled(door, lambda: door.heard("anna") == 1)


async def test_c4_one_that_is_silent_makes_room(tmp_path, monkeypatch):
    monkeypatch.setattr("arena.door.door._SILENT_NS", 0)
    async with open_door(tmp_path, "anna") as door:
        first = await door.come_in("anna")
        second = await door.come_in("anna")
        with pytest.raises(HungUp):
            await first.receive()
        await second.send(b"{}")
        await settled(door, lambda: door.heard("anna") == 1)


async def test_c8_who_comes_in_too_often_is_told_when_to_try_again(tmp_path):
    async with open_door(tmp_path, "anna", "berta") as door:
        for _ in range(5):
            await (await door.come_in("anna")).close()
        for _ in range(3):
            status, headers, _ = await told(door, request(door.port, door.secrets["anna"]))
            assert status == 429
            assert 55 <= int(headers["retry-after"]) <= 60
        await door.come_in("berta")


def test_c8_only_accepted_tries_count_and_being_sent_out_does_not():
    door = Admission()
    for moment in range(5):
        assert door.seconds_to_wait("anna", moment) == 0
        door.enters("anna", moment)
    assert door.seconds_to_wait("anna", 10) == 50
    assert door.seconds_to_wait("anna", 59.5) == 1
    assert door.seconds_to_wait("anna", 60) == 0
    door.was_sent_out("anna")
    assert door.seconds_to_wait("anna", 10) == 0


async def test_c10_silent_visitors_are_few_and_are_sent_away(tmp_path, monkeypatch):
    monkeypatch.setattr("arena.door.door.KNOCKING_S", 0.5)
    async with open_door(tmp_path, "anna") as door:
        silent = [await door.connect("127.0.0.2") for _ in range(60)]
        await settled(door, lambda: door.door._admission.strangers == admission.STRANGERS_AN_ADDRESS)
        slow = await door.knock(b"GET / HT", "127.0.0.3")
        told_at_once = 0
        with trio.fail_after(10):
            for stream in silent[admission.STRANGERS_AN_ADDRESS :]:
                status, headers, _ = await answer(stream)
                told_at_once += status == 503 and 1 <= int(headers["retry-after"]) <= 3
            await door.come_in("anna")
            assert told_at_once == 60 - admission.STRANGERS_AN_ADDRESS
            for stream in (slow, *silent[: admission.STRANGERS_AN_ADDRESS]):
                assert await stream.receive_some(1) == b""
        assert door.door._admission.strangers == 0


def test_c10_in_all_they_are_no_more_than_256():
    door = Admission()
    let_in = [
        f"10.0.{host // 250}.{host % 250}" for host in range(400) if door.may_stand_here(f"host {host % 100}")
    ]
    assert len(let_in) == admission.STRANGERS == door.strangers
    door.steps_aside("host 0")
    assert door.may_stand_here("host 99")


async def test_c15_compression_is_not_agreed_on(tmp_path):
    async with open_door(tmp_path, "anna") as door:
        offer = {"Sec-WebSocket-Extensions": "permessage-deflate; client_max_window_bits"}
        stream = await door.knock(request(door.port, door.secrets["anna"], **offer))
        status, headers, _ = await answer(stream)
        assert status == 101
        assert "sec-websocket-extensions" not in headers


@pytest.mark.parametrize(
    ("offered", "chosen"), [("flock.msgpack", "msgpack"), ("flock.json", "json"), ("", "json")]
)
async def test_the_subprotocol_says_how_messages_are_written(tmp_path, offered, chosen):
    async with open_door(tmp_path, "anna") as door:
        headers = {"Sec-WebSocket-Protocol": offered} if offered else {}
        _, answered, _ = await answer(await door.knock(request(door.port, door.secrets["anna"], **headers)))
        assert answered.get("sec-websocket-protocol", "") == offered
        await settled(door, lambda: "anna" in door.door.guests)
        assert door.door.guests["anna"].encoding == chosen


async def test_a_browser_shows_its_token_as_a_subprotocol_and_does_not_see_it_again(tmp_path):
    async with open_door(tmp_path, "anna") as door:
        offer = {"Sec-WebSocket-Protocol": f"flock.json, bearer.{door.secrets['anna']}"}
        status, headers, _ = await answer(await door.knock(request(door.port, None, **offer)))
        assert (status, headers["sec-websocket-protocol"]) == (101, "flock.json")


async def test_the_client_of_trio_websocket_is_understood(tmp_path):
    async with open_door(tmp_path, "anna") as door:
        url, header = f"ws://127.0.0.1:{door.port}", b"Bearer " + door.secrets["anna"].encode()
        async with open_websocket_url(url, extra_headers=[(b"Authorization", header)]) as socket:
            await socket.send_message("{}")
            await settled(door, lambda: door.heard("anna") == 1)
            await settled(door, lambda: door.door.guests["anna"].link.round_trip_ns > 0)
            door.door.guests["anna"].link.send("schön".encode())
            assert await socket.get_message() == "schön"


async def test_the_client_of_trio_websocket_speaks_tls(tmp_path, certificate):
    file, key = certificate
    async with open_door(tmp_path, "anna", certificate=file, key=key) as door:
        context = ssl.create_default_context(cafile=str(file))
        header = (b"Authorization", b"Bearer " + door.secrets["anna"].encode())
        url = f"wss://localhost:{door.port}"
        async with open_websocket_url(url, ssl_context=context, extra_headers=[header]) as line:
            await line.send_message("{}")
            with trio.fail_after(10):
                while door.heard("anna") < 1:
                    await trio.sleep(0.01)
                link = door.door.guests["anna"].link
                link.send(b"x" * 100_000)
                assert await line.get_message() == "x" * 100_000


@pytest.mark.parametrize(
    ("host", "tls", "token", "missing"),
    [
        ("127.0.0.1", False, False, ()),
        ("localhost", False, False, ()),
        ("::1", False, False, ()),
        ("0.0.0.0", False, True, ("--tls-cert",)),
        ("0.0.0.0", True, False, ("--token-file",)),
        ("192.168.1.1", False, False, ("--tls-cert", "--token-file")),
        ("arena.example", False, False, ("--tls-cert", "--token-file")),
        ("0.0.0.0", True, True, ()),
    ],
)
def test_c19_a_public_door_needs_tls_and_tokens(tmp_path, host, tls, token, missing):
    tokens = Tokens(tmp_path / "tokens.toml")
    if token:
        tokens.create("anna", "", "2026-01-01")
    terms = DoorTerms(1, host, tokens.path, *([tmp_path / "c", tmp_path / "k"] if tls else [None, None]))
    if not missing:
        terms.check()
        return
    with pytest.raises(DoorError) as refused:
        terms.check()
    assert all(option in str(refused.value) for option in missing)


async def test_c20_a_revoked_token_leads_nowhere(tmp_path, monkeypatch):
    monkeypatch.setattr("arena.door.door.LOOK_S", 0.05)
    async with open_door(tmp_path, "anna", "berta") as door:
        waiting = await door.come_in("anna")
        Tokens(tmp_path / "tokens.toml").revoke("anna")
        with trio.fail_after(5), pytest.raises(HungUp) as sent_away:
            await waiting.receive()
        assert sent_away.value.code == 4401
        assert (await told(door, request(door.port, door.secrets["anna"])))[0] == 401
        await door.come_in("berta")


async def test_c22_a_port_that_is_taken_is_named(tmp_path):
    async with open_door(tmp_path) as door:
        other = Door(Hub(), DoorTerms(door.port, token_file=tmp_path / "tokens.toml"))
        with pytest.raises(DoorError, match=rf"port {door.port} is in use \(try --bots-port 0\)"):
            await other.run()


def test_tokens_are_kept_as_hashes_that_only_their_owner_reads(tmp_path):
    tokens = Tokens(tmp_path / "new" / "tokens.toml")
    secret = tokens.create("anna", "Anna A.", "2026-01-01")
    assert secret not in tokens.path.read_text()
    assert tokens.path.stat().st_mode & 0o777 == 0o600
    found = Tokens(tokens.path).bearer(secret)
    assert found is not None and (found.name, found.owner) == ("anna", "Anna A.")
    for wrong in ("anna", "greedy", "Anna", "4nn@", "arena"):
        with pytest.raises(TokenError):
            tokens.create(wrong, "", "2026-01-01")
    with pytest.raises(TokenError, match="there are: anna"):
        tokens.revoke("berta")
    tokens.path.write_text("[anna]\nsha = 3\n")
    with pytest.raises(TokenError, match="move it away"):
        Tokens(tokens.path).known()


def test_a_token_file_that_cannot_be_is_a_sentence(tmp_path):
    (tmp_path / "file").touch()
    with pytest.raises(TokenError, match="cannot be read: Not a directory"):
        Tokens(tmp_path / "file" / "tokens.toml").known()
    with pytest.raises(TokenError, match="cannot be written: No such file"):
        Tokens(Path("/proc/nowhere/tokens.toml")).create("anna", "", "2026-01-01")


async def test_who_waits_may_say_hello_and_nothing_else(tmp_path):
    async with open_door(tmp_path, "anna") as door:
        peer: Peer = await door.come_in("anna")
        await peer.send(b"{}")
        await peer.send(b"{}")
        with pytest.raises(HungUp) as sent_away:
            await peer.receive()
        assert sent_away.value.code == 1008
        await settled(door, lambda: "anna" not in door.door.guests)


@pytest.mark.parametrize("target", ["//[", "//[?session=a", "//]"])
async def test_c10_a_path_that_is_no_url_harms_nobody_else(tmp_path, target):
    async with open_door(tmp_path, "anna", "berta") as door:
        await door.come_in("berta")
        head = request(door.port, door.secrets["anna"]).replace(b"GET / ", f"GET {target} ".encode(), 1)
        assert target.encode() in head
        stream = await door.knock(head)
        with trio.fail_after(5):
            await answer(stream)
        await stream.aclose()
        await door.come_in("anna")


async def test_c8_who_is_shown_out_at_once_has_not_come_in(tmp_path):
    """A second copy that knocks again and again does not lock out the first when its line breaks."""
    async with open_door(tmp_path, "anna") as door:
        first = await door.come_in("anna", "?session=first")
        for _ in range(4):
            twin = await door.come_in("anna", "?session=twin")
            with pytest.raises(HungUp) as refused:
                await twin.receive()
            assert refused.value.code == 4409
        await trio.aclose_forcefully(first.stream)
        with trio.fail_after(5):
            while door.door.guests["anna"].link.connected:
                await trio.sleep(0.005)
        await door.come_in("anna", "?session=first")
