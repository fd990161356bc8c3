"""Every command and every file of the README and of the pages is tried, in the order in which it stands there."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path

import pytest

from ladders.ladder_file import read_ladder
from protocol.codec import CODECS
from protocol.framing import FRAMINGS
from tests.docs.pages import README, ROOT, all_pages, blocks_of
from tests.docs.shell import Shell

SHOWN = {"text", "hex", "json"}
TYPED = {"console", "python", "toml", "javascript", "c", "sh"}

NOT_RUN = {
    "README.md": 2,
    "add-a-game.md": 1,
    "commands.md": 1,
    "contributing.md": 2,
    "run-a-ladder.md": 3,
    "write-a-bot.md": 2,
}
"""How many blocks of a page cannot be tried here; each says why."""


def tried_elsewhere(page: Path) -> list[Path]:
    """Tests that execute a page of their own: each names it."""
    others = [Path(__file__).parent / "test_ten_minutes.py", *(ROOT / "tests").rglob("test_*_page.py")]
    return [path for path in others if f'"{page.name}"' in path.read_text("utf-8")]


OURS = [path for path in all_pages() if not tried_elsewhere(path)]
TRIED = [path for path in OURS if any(block.commands for block in blocks_of(path))]


@pytest.mark.parametrize("path", TRIED, ids=lambda path: path.name)
def test_what_a_page_shows_works_as_it_stands(path: Path, tmp_path: Path) -> None:
    here = tmp_path / "here"
    here.mkdir()
    shell = Shell(here)
    for block in blocks_of(path):
        if block.not_run or block.language in SHOWN:
            continue
        if block.file is not None:
            written = shell.write(block)
            if written.name == "pyproject.toml":
                shell.install(written.parent)
            elif written.suffix == ".toml" and written.name != "bot.toml":
                read_ladder(block.text, written.name)
        for command in block.commands:
            said = shell.type(command)
            assert "forfeits}" not in said, said


def test_every_block_is_a_language_we_try_or_says_why_not() -> None:
    counted: dict[str, int] = {}
    for path in OURS:
        for block in blocks_of(path):
            assert block.language in SHOWN | TYPED, f"{path.name}: a block of {block.language or 'no language'}"
            if block.not_run:
                counted[path.name] = counted.get(path.name, 0) + 1
            elif block.language in TYPED:
                assert block.commands or block.file, f"{path.name}: {block.text}"
    assert counted == NOT_RUN


def test_every_json_of_a_page_is_json_and_every_hex_the_same_message() -> None:
    seen = 0
    for path in all_pages():
        blocks = blocks_of(path)
        for block, following in pairwise([*blocks, None]):
            if block is None or block.language != "json":
                continue
            told = json.loads(block.text)
            if following is None or following.language != "hex":
                continue
            (payload,) = FRAMINGS["msgpack"]().feed(bytes.fromhex(following.text))
            codec = CODECS["msgpack"]
            decode = (
                codec.decode_from_bot if told["type"] in ("hello", "ready", "answer") else codec.decode_from_arena
            )
            again = CODECS["json"].encode(decode(payload))
            assert json.loads(again) == told
            seen += 1
    assert seen == 11


def test_the_bot_of_the_readme_has_fifteen_lines() -> None:
    (program,) = [block for block in blocks_of(README) if block.file == "lamb/bot.py"]
    assert len(program.text.splitlines()) <= 15
