"""The compiled form is the form that runs here, is made from these very sources, and plays as they do."""

from __future__ import annotations

import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

from hatch_build import ROOT, STAMP, modules, stamp

MODULES = [".".join(path.with_suffix("").parts).removesuffix(".__init__") for path in modules(ROOT)]

PLAYED = """
import hashlib, sys
from arena import record
from arena.chance import FastChance, derive
from arena.games import GAMES
from arena.match import Ask, Entrant, Match

for name, game in GAMES.items():
    for seats in game.seats_allowed:
        entrants = [Entrant("a", wants="view"), *[Entrant("b", wants="both")] * (seats - 1)]
        match = Match(game, entrants, deal=derive(bytes(32), name, seats), salt=bytes(32))
        sent, orders = hashlib.sha256(), match.begin()
        while orders:
            order = orders.pop(0)
            if isinstance(order, Ask):
                sent.update(order.packed)
                options = match.seats[order.seat].choices
                orders += match.answered(order.seat, order.packed[-1] % options, 10)
        worlds = [game.imagine(match.game.view(seat), FastChance(seat)).view(0) for seat in range(seats)]
        record_hash = hashlib.sha256(record.pack(record.document_of(match, "none"))).hexdigest()
        print(name, seats, sent.hexdigest(), record_hash, hashlib.sha256(repr(worlds).encode()).hexdigest())
print(sys.modules["arena.game"].__file__.rpartition(".")[2], file=sys.stderr)
"""

NOTHING_OF_THE_COMPILER = "import sys; sys.modules['mypy_extensions'] = None"

SOURCES_ALONE = """
import sys
from importlib.machinery import SOURCE_SUFFIXES, FileFinder, SourceFileLoader
here = sys.argv[1]
finder = FileFinder.path_hook((SourceFileLoader, SOURCE_SUFFIXES))
def sources_alone(path):
    if not path.startswith(here):
        raise ImportError
    return finder(path)
sys.path_hooks.insert(0, sources_alone)
sys.path_importer_cache.clear()
"""


@pytest.mark.parametrize("name", MODULES)
def test_what_should_be_compiled_is(name: str) -> None:
    assert str(import_module(name).__file__).endswith(".so")


def test_it_was_compiled_from_the_sources_beside_it() -> None:
    assert (ROOT / STAMP).read_text() == stamp(ROOT), "stale: run `make compiled` again"


def test_a_changed_source_changes_the_stamp(tmp_path: Path) -> None:
    for path in [*modules(ROOT), Path("hatch_build.py")]:
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_bytes((ROOT / path).read_bytes())
    before = stamp(tmp_path)
    (tmp_path / "arena" / "zones.py").write_text("# other\n")
    assert stamp(tmp_path) != before


def test_both_forms_send_record_and_imagine_the_same_bytes() -> None:
    compiled = output_of(NOTHING_OF_THE_COMPILER + PLAYED)
    plain = output_of(SOURCES_ALONE + PLAYED, str(ROOT))
    assert (compiled.stderr.strip(), plain.stderr.strip()) == ("so", "py")
    assert compiled.stdout == plain.stdout
    assert len(compiled.stdout.splitlines()) > 12


def output_of(script: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", script, *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=True, cwd=ROOT)
