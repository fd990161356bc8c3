"""The file of tokens is changed by one command after the other, however many are typed at once."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from arena.door.tokens import Tokens
from tests.cli.shell import arena

COMMANDS, EACH = 4, 10

CREATE = """
import sys
from pathlib import Path
from arena.door.tokens import Tokens

path, first, each = Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
print("ready", flush=True)
sys.stdin.read()
for number in range(first, first + each):
    print(Tokens(path).create(f"bot{number}", "", ""))
"""


def test_tokens_that_are_made_at_the_same_moment_are_all_kept(tmp_path: Path) -> None:
    path = tmp_path / "tokens.toml"
    running = [
        subprocess.Popen(
            [sys.executable, "-c", CREATE, str(path), str(20 + number * EACH), str(EACH)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for number in range(COMMANDS)
    ]
    for process in running:
        assert process.stdout is not None and process.stdout.readline() == "ready\n"
    for process in running:  # all wait for the end of their input, and all get it now
        assert process.stdin is not None
        process.stdin.close()
    secrets = [process.stdout.read().split() for process in running if process.stdout is not None]
    assert [process.wait(timeout=60) for process in running] == [0] * COMMANDS
    for process in running:
        assert process.stdout is not None
        process.stdout.close()
    tokens = Tokens(path)
    assert len(tokens.known()) == COMMANDS * EACH
    assert all(tokens.bearer(secret) for each in secrets for secret in each)


def test_a_refused_token_leaves_nothing_behind(tmp_path: Path) -> None:
    for words in (("create", "Not A Name"), ("create", "greedy"), ("revoke", "lion")):
        arena("token", *words, cwd=tmp_path, code=2)
    assert not any(tmp_path.iterdir())
