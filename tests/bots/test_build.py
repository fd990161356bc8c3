"""Builds that hang, flood, fork, call out or cheat, inside the walls: row G8."""

from __future__ import annotations

import os
import socket
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
import trio

from arena.bots.build import Workshop, bring_back, build_in_place
from arena.bots.intake import Bounds
from arena.bots.manifest import Bot, BotError, read_bot
from arena.sandbox import SANDBOXES, why_not
from tests.arena.zoo import children_of, descriptors_before, open_descriptors
from tests.sandbox.cells import nothing_left_outside

LEVELS = [level for level, sandbox in SANDBOXES.items() if why_not(sandbox) is None]
WALLS = [level for level in LEVELS if level != "none"]


@pytest.fixture
def tmp_path() -> Iterator[Path]:
    """One that everybody may enter: bots that root starts run as nobody."""
    with tempfile.TemporaryDirectory() as name:
        os.chmod(name, 0o755)
        yield Path(name)


def bot_built_by(tmp_path: Path, script: str) -> Bot:
    folder = tmp_path / "tiger"
    folder.mkdir()
    (folder / "bot.toml").write_text('name = "tiger"\nrun = ["./bot"]\nbuild = ["sh", "build.sh"]\n')
    (folder / "build.sh").write_text(script)
    folder.chmod(0o755)
    return read_bot(folder)


async def built(tmp_path: Path, level: str, script: str, most_s: float = 20.0, size_mb: int = 4) -> Bot:
    """Built by a script; and nothing is left of the building."""
    bot = bot_built_by(tmp_path, script)
    before = sorted(path.name for path in bot.folder.iterdir())
    children, descriptors = children_of(os.getpid()), descriptors_before()
    above = tmp_path / "above"
    above.mkdir()
    above.chmod(0o755)
    try:
        with nothing_left_outside(), trio.fail_after(30):
            return await Workshop(level, above, Bounds(size_mb=size_mb), most_s).build(bot)
    finally:
        assert sorted(path.name for path in bot.folder.iterdir()) == before, "the folder itself is not touched"
        assert children_of(os.getpid()) == children
        assert open_descriptors() <= descriptors


@pytest.mark.parametrize("level", LEVELS)
async def test_g8_what_was_made_is_in_a_folder_of_its_own(level: str, tmp_path: Path) -> None:
    bot = await built(tmp_path, level, "mkdir out && echo hi >out/file && echo '#!/bin/sh' >bot")
    assert (bot.folder / "out" / "file").read_text() == "hi\n"
    assert os.access(bot.folder / "bot", os.X_OK) and bot.build == ()
    bring_back(bot.folder, tmp_path / "tiger")
    assert (tmp_path / "tiger" / "out" / "file").read_text() == "hi\n"


FAILING = {
    "error": ("echo oh; echo dear >&2; exit 3", r"(?s)was not built: sh build.sh ended with 3\n  oh\n  dear$"),
    "signal": ("kill -SEGV $$", "ended with 139|died of SIGSEGV"),
    "escapes": ("printf '\\033[2J' >&2; exit 1", r"\\x1b\[2J"),
    "flood": ("yes | head -c 30000000; exit 1", r"(?s)ended with 1(\n  y){8}$"),
    "too much": ("head -c 9000000 /dev/urandom >large", "larger than 4 MiB|made more than"),
    "far too much": ("head -c 60000000 /dev/urandom >large", "larger than 4 MiB|made more than"),
    "link": ("ln -s /etc/passwd x", "refused at './x': it is a link"),
    "no program": ("no-such-compiler bot.c", "(?s)ended with 127.*no-such-compiler"),
}


@pytest.mark.parametrize("kind", FAILING)
async def test_g8_a_build_that_fails_is_quoted(kind: str, tmp_path: Path) -> None:
    script, words = FAILING[kind]
    with pytest.raises(BotError, match=words) as error:
        await built(tmp_path, WALLS[0] if WALLS else "none", script)
    assert all(line.isprintable() for line in str(error.value).splitlines())
    assert len(str(error.value)) < 2000


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("script", ["sleep 60", "setsid sleep 60 & sleep 60", "yes >/dev/null"])
async def test_g8_a_build_that_hangs_is_ended_with_all_it_started(level: str, script: str, tmp_path: Path) -> None:
    with pytest.raises(BotError, match=r"was not built within 0\.6 s: sh build\.sh"):
        await built(tmp_path, level, script, most_s=0.6)


@pytest.mark.parametrize("level", WALLS)
async def test_g8_a_build_reaches_neither_network_nor_anything_outside(level: str, tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(0.1)
        port = server.getsockname()[1]
        (tmp_path / "secret").write_text("canary")
        script = f"""
            python3 -c 'import socket; socket.create_connection(("127.0.0.1", {port}))' 2>/dev/null && touch called
            cat {tmp_path}/secret /etc/shadow >read 2>/dev/null
            touch {tmp_path}/mark 2>/dev/null
            sh -c 'i=0; while [ $i -lt 400 ]; do sleep 5 & i=$((i+1)); done' 2>/dev/null
            true
        """
        bot = await built(tmp_path, level, script)
        with pytest.raises(TimeoutError):
            server.accept()
    assert not (bot.folder / "called").exists() and (bot.folder / "read").read_text() == ""
    assert not (tmp_path / "mark").exists()


async def test_g8_a_build_cannot_change_the_manifest(tmp_path: Path) -> None:
    bot = await built(tmp_path, LEVELS[0], "echo 'name = \"lion\"' >bot.toml")
    assert 'name = "tiger"' in (bot.folder / "bot.toml").read_text()


async def test_a_trusted_bot_is_built_where_it_lies(tmp_path: Path) -> None:
    bot = bot_built_by(tmp_path, "echo done >made")
    assert await build_in_place(bot) == bot
    assert (bot.folder / "made").read_text() == "done\n"


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("how", ["dots", "absolute"])
async def test_g8_a_build_changes_no_mode_outside_its_folder(level: str, how, tmp_path: Path) -> None:
    secret = tmp_path / "tokens.toml"
    secret.write_text("secret")
    secret.chmod(0o600)
    folder = tmp_path / "tiger"
    folder.mkdir()
    run = "../" * 16 + str(secret)[1:] if how == "dots" else str(secret)
    (folder / "bot.toml").write_text(f'name = "tiger"\nrun = ["{run}"]\nbuild = ["true"]\n')
    folder.chmod(0o755)
    above = tmp_path / "above"
    above.mkdir()
    above.chmod(0o755)
    await Workshop(level, above).build(read_bot(folder))
    assert secret.stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("level", LEVELS)
async def test_a_build_that_makes_a_folder_of_the_manifest_is_told(level: str, tmp_path: Path) -> None:
    bot = bot_built_by(tmp_path, "rm -f bot.toml; mkdir bot.toml; echo >bot")
    above = tmp_path / "above"
    above.mkdir()
    above.chmod(0o755)
    with pytest.raises(BotError, match="made a folder of bot"):
        await Workshop(level, above).build(bot)


@pytest.mark.parametrize("level", LEVELS)
async def test_g8_what_a_build_brings_back_is_not_written_through_links(level: str, tmp_path: Path) -> None:
    (tmp_path / "home").mkdir()
    victim = tmp_path / "home" / "profile"
    victim.write_text("mine")
    script = "rm -r link folder new && echo evil >link && echo evil >new"
    script += " && mkdir folder && echo evil >folder/profile && echo >bot"
    bot = bot_built_by(tmp_path, script)
    (bot.folder / "link").symlink_to(victim)
    (bot.folder / "new").symlink_to(tmp_path / "home" / "new")
    (bot.folder / "folder").symlink_to(tmp_path / "home")
    above = tmp_path / "above"
    above.mkdir()
    above.chmod(0o755)
    built = await Workshop(level, above).build(bot)
    bring_back(built.folder, bot.folder)
    assert victim.read_text() == "mine"
    assert [path.name for path in (tmp_path / "home").iterdir()] == ["profile"]
    assert (bot.folder / "link").read_text() == "evil\n"
