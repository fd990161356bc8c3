"""An event shows its hands when it is over, and not before."""

from __future__ import annotations

from pathlib import Path

from arena.store.lock import LadderLock
from tests.cli.shell import arena, ladder_file, matches_in, store_in


def test_hands_are_shown_when_the_whole_ladder_is_finished_and_no_longer_when_it_goes_on(tmp_path: Path) -> None:
    ladder_file(tmp_path, 1, more='[publish]\nopen_after = "ladder"\n')
    assert "spring is complete" in arena("ladder", "run", "spring.toml", cwd=tmp_path).stdout
    match = matches_in(tmp_path)[0].match
    assert "Result:" in arena("replay", match, cwd=tmp_path).stdout
    with store_in(tmp_path) as store, LadderLock(store, store.find_ladder("spring")):
        pass  # somebody went on, and was stopped
    for words in (("replay", match), ("analyse", match, "--seat", "0")):
        said = arena(*words, cwd=tmp_path, code=1).stderr
        assert f"match {match} opens when the whole ladder spring is finished" in said
    arena("ladder", "resume", "spring", cwd=tmp_path)
    assert "Result:" in arena("replay", match, cwd=tmp_path).stdout
