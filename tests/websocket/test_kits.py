"""The kits over websocket: what they say when they are not let in, and how they come in by TLS."""

import os
from contextlib import asynccontextmanager
from functools import partial

import pytest
import trio

from arena.door.tokens import Tokens
from tests.websocket.doors import open_door
from tests.websocket.kits import kit_command

LANGUAGES = ("python", "javascript")
pytestmark = pytest.mark.parametrize("language", LANGUAGES)


async def last_words(folder, language, url, token, **environment) -> str:
    """What a bot says before it gives up, which it does by itself."""
    command = kit_command(folder, language, url, token)
    with trio.fail_after(30):
        ran = await trio.run_process(command, capture_stderr=True, check=False, env={**os.environ, **environment})
    told = ran.stderr.decode()
    assert ran.returncode == 1, told
    assert told.startswith("flock_bot: ") and told.count("\n") == 1, told
    return told


@asynccontextmanager
async def living(folder, language, url, token, **environment):
    """A bot that goes on, and what it says meanwhile."""
    command = kit_command(folder, language, url, token)
    env = {**os.environ, **environment}
    async with trio.open_nursery() as nursery:
        process = await nursery.start(partial(trio.run_process, command, stderr=-1, check=False, env=env))
        yield process
        process.kill()
        process.stderr.close()


async def test_what_is_no_address(tmp_path, language):
    told = await last_words(tmp_path, language, "127.0.0.1:8765", "token")
    assert '"127.0.0.1:8765" is no address of an arena; it looks like ws://127.0.0.1:8765' in told


async def test_nobody_at_the_address(tmp_path, language):
    async with living(tmp_path, language, "ws://127.0.0.1:9", "token") as process:
        with trio.fail_after(30):
            told = await process.stderr.receive_some()
    assert b"cannot reach the arena, and goes on trying: " in told
    assert b"refused" in told.lower()


async def test_c1_a_wrong_token(tmp_path, language):
    async with open_door(tmp_path, "anna") as door:
        told = await last_words(tmp_path, language, f"ws://127.0.0.1:{door.port}", "arena-guessed")
        assert "the arena refuses (401). Send the bot's token in the header" in told


async def test_c20_a_token_that_is_revoked(tmp_path, language, monkeypatch):
    monkeypatch.setattr("arena.door.door.LOOK_S", 0.05)
    async with open_door(tmp_path, "anna") as door, trio.open_nursery() as nursery:

        async def revoke():
            await door.door.until(lambda: door.door.here("anna") is not None)
            Tokens(tmp_path / "tokens.toml").revoke("anna")

        nursery.start_soon(revoke)
        told = await last_words(tmp_path, language, f"ws://127.0.0.1:{door.port}", door.secrets["anna"])
        assert "the arena closed with 4401: the token was revoked" in told


async def test_c4_a_second_one_with_the_same_token(tmp_path, language):
    async with open_door(tmp_path, "anna") as door:
        await door.come_in("anna")
        told = await last_words(tmp_path, language, f"ws://127.0.0.1:{door.port}", door.secrets["anna"])
        assert "the arena closed with 4409: already connected" in told


async def test_tls_where_none_is_spoken(tmp_path, language):
    async with open_door(tmp_path, "anna") as door:
        told = await last_words(tmp_path, language, f"wss://127.0.0.1:{door.port}", door.secrets["anna"])
        assert f"127.0.0.1:{door.port} speaks no TLS; write ws:// instead of wss://" in told


async def test_tls_with_a_certificate_of_the_arena_s_own(tmp_path, language, certificate):
    variable = "SSL_CERT_FILE" if language == "python" else "NODE_EXTRA_CA_CERTS"
    file, key = certificate
    async with open_door(tmp_path, "anna", certificate=file, key=key) as door:
        url, token = f"wss://localhost:{door.port}", door.secrets["anna"]
        told = await last_words(tmp_path, language, url, token)
        assert "the certificate of localhost is not trusted" in told
        assert f"say where it is: {variable}=certificate.pem" in told
        async with living(tmp_path, language, f"ws://localhost:{door.port}", token) as process:
            with trio.fail_after(30):
                told = await process.stderr.receive_some()
        assert b"goes on trying: it hung up without an answer; if it has a certificate, write wss://" in told
        async with living(tmp_path, language, url, token, **{variable: str(file)}):
            with trio.fail_after(30):
                while not door.heard("anna"):
                    await trio.sleep(0.01)
