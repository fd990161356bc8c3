"""The checkout itself: nothing lies beside a source that would be imported in its place."""

from __future__ import annotations

from hatch_build import ROOT, modules


def test_no_compiled_module_hides_a_source() -> None:
    hiding = [path for package in ("arena", "protocol") for path in (ROOT / package).rglob("*.so")]
    assert not hiding, "delete these: they run instead of the sources beside them"


def test_what_is_compiled_exists() -> None:
    assert {"arena/game.py", "arena/games/sheepzzz.py", "arena/match.py"} <= {str(path) for path in modules(ROOT)}
