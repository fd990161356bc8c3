"""`arena submit` and `arena bot` as a stranger types them; rows G7 and G11 with a real ladder."""

from __future__ import annotations

import json
import shutil
import signal
import subprocess
import tarfile
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.arena.zoo import HOSTILE_BOTS
from tests.cli.shell import COMMAND, arena, ladder_file, matches_in, read_until, running
from tests.warm import Popen

MANIFEST = (
    'name = "{name}"\nversion = "{version}"\ngames = ["sheepzzz"]\nrun = ["python3", "-ESs", "{program}.py"]\n'
)


def folder_with(above: Path, program: str, name: str = "tiger", version: str = "0.1") -> Path:
    """A bot of the zoo in a folder of its own, open to everybody."""
    folder = above / name
    folder.mkdir(exist_ok=True)
    (folder / "bot.toml").write_text(MANIFEST.format(name=name, version=version, program=program))
    for file in (program, "wire"):
        shutil.copyfile(HOSTILE_BOTS / f"{file}.py", folder / f"{file}.py")
    folder.chmod(0o755)
    return folder


@pytest.fixture(scope="module")
def here() -> Iterator[Path]:
    """A place where tiger was submitted; bots that root starts must be able to get there."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)
        said = arena("submit", str(folder_with(folder, "quiet")), cwd=folder).stdout.splitlines()
        assert said[0].startswith("Checking tiger@0.1 (") and ", sandbox " in said[0]
        assert said[-2].startswith("tiger@0.1 is kept as ") and "arena bot show tiger" in said[-1]
        yield folder


def test_the_same_bot_twice_is_recognised(here: Path) -> None:
    said = arena("submit", "tiger", cwd=here).stdout
    assert said == "same content as tiger 0.1, submitted before: nothing to do.\n"
    with tarfile.open(here / "tiger.tar.gz", "w:gz") as packed:
        packed.add(here / "tiger", "tiger")
    told = json.loads(arena("submit", "tiger.tar.gz", "--json", cwd=here).stdout)
    assert told["known"] and told["label"] == "tiger@0.1" and told["steps"][0]["result"] == "ok"


def test_g7_g11_the_copy_is_played_whatever_becomes_of_the_original(here: Path) -> None:
    (here / "tiger" / "quiet.py").write_text("raise SystemExit('changed')\n")
    for text in ("tiger", "tiger@0.1"):
        played = arena("play", "sheepzzz", text, "random", "--deals", "1", "--json", cwd=here)
        told = json.loads(played.stdout)
        assert [bot["forfeits"] for bot in told["bots"]] == [0, 0] and told["played"] == 2
    assert (
        "tiger is the submitted tiger@0.1; for what lies here write ./tiger"
        in arena("duel", "random", "tiger", "--most-blocks", "16", "--elo1", "400", cwd=here).stderr
    )
    told = json.loads(arena("play", "sheepzzz", "./tiger", "random", "--deals", "1", "--json", cwd=here).stdout)
    assert {bot["bot"]: bot["forfeits"] for bot in told["bots"]} == {"random": 0, "tiger": 2}
    assert arena("submit", "tiger", cwd=here, code=2).stderr.startswith(
        "error: tiger@0.1 was submitted before with other content"
    )


def test_a_bot_is_listed_shown_and_retired(here: Path) -> None:
    lion = folder_with(here, "stumble", name="lion")
    refused = arena("submit", "lion", cwd=here, code=3).stdout
    assert "lion@0.1 may not enter ladders. Mend it and submit it again." in refused
    folder_with(here, "quiet", name="lion")
    arena("submit", "lion", cwd=here)
    shutil.rmtree(lion)
    rows = json.loads(arena("bot", "list", "--json", cwd=here).stdout)
    assert [(row["label"], row["status"]) for row in rows] == [("tiger@0.1", "ready"), ("lion@0.1", "ready")]
    assert "lion@0.1" in arena("bot", "list", cwd=here).stdout
    ladder_file(here, 2).write_text((here / "spring.toml").read_text().replace('"greedy"', '"lion"'))
    arena("ladder", "run", "spring.toml", cwd=here)
    assert "it leaves spring" in arena("bot", "retire", "lion", cwd=here).stdout
    assert (
        json.loads(arena("ladder", "status", "spring", "--json", cwd=here).stdout)["bots"]["lion@0.1"] == "removed"
    )
    said = arena("play", "sheepzzz", "lion@0.1", "random", cwd=here, code=1).stderr
    assert said == "error: lion@0.1 is retired; see: arena bot show lion\n"
    shown = arena("bot", "show", "lion", cwd=here).stdout
    assert "retired" in shown and "Score by opponent" in shown
    assert 'did you mean "lion"' in arena("bot", "show", "lino", cwd=here, code=2).stderr
    assert 'lion has no version "9.9"' in arena("bot", "show", "lion@9.9", cwd=here, code=2).stderr


def test_g11_a_ladder_plays_what_entered_while_the_folder_is_changed_and_deleted(tmp_path: Path) -> None:
    """Its process ends with every match, so that the folder would be read again and again."""
    tmp_path.chmod(0o755)
    folder = folder_with(tmp_path, "die_idle")
    text = ladder_file(tmp_path, 10_000).read_text().replace('"greedy"', '"./tiger"').replace('"first", ', "")
    (tmp_path / "spring.toml").write_text(text)
    with running(tmp_path, "--trust-bots") as ladder:
        read_until(ladder, "block ")
        (folder / "die_idle.py").write_text("raise SystemExit('changed')\n")
        for _ in range(20):
            read_until(ladder, "block ")
        shutil.rmtree(folder)
        for _ in range(20):
            read_until(ladder, "block ")
        ladder.send_signal(signal.SIGINT)
        ladder.communicate(timeout=60)
    before = matches_in(tmp_path)
    assert len(before) > 80 and not [seat for line in before for seat in line.seats if seat.code]
    command = [*COMMAND, "ladder", "resume", "spring", "--trust-bots"]
    with Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, text=True) as resumed:
        read_until(resumed, "block ")
        resumed.send_signal(signal.SIGINT)
        resumed.communicate(timeout=60)
    assert not [seat for line in matches_in(tmp_path) for seat in line.seats if seat.code]
