"""What can be tried of docs/many-machines.md here: certificates are made, options exist, files can be read."""

from __future__ import annotations

import ast
import configparser
import re
import shlex
import subprocess
from pathlib import Path
from typing import Any

import distributed
import typer.main
import yaml
from distributed.cli import dask_scheduler, dask_worker

from arena.cli.app import app
from tests.docs.pages import DOCS

PAGE = (DOCS / "many-machines.md").read_text("utf-8")


def blocks(language: str) -> list[str]:
    found = re.findall(rf"^```{language}\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    assert found
    return found


def options_of(command: Any, *path: str) -> set[str]:
    for name in path:
        command = command.commands[name]
    return {spelled for param in command.params for spelled in (*param.opts, *param.secondary_opts)}


KNOWN = {
    "dask scheduler": options_of(dask_scheduler.main),
    "dask worker": options_of(dask_worker.main),
    "arena doctor": options_of(typer.main.get_command(app), "doctor"),
    "arena ladder run": options_of(typer.main.get_command(app), "ladder", "run"),
}


def test_every_option_is_one_the_programs_know() -> None:
    seen = set()
    for line in PAGE.replace("\\\n", " ").splitlines():
        for command, known in KNOWN.items():
            _, found, words = line.partition(f"{command} ")
            if found:
                options = set(re.findall(r"(?<!\S)--[a-z-]+", words))
                assert options <= known, (command, options - known)
                seen |= {command} if options else set()
    assert seen == set(KNOWN)


def test_the_certificates_are_made_as_the_page_says(tmp_path: Path) -> None:
    (commands,) = [block for block in blocks("sh") if block.startswith("openssl")]
    for line in commands.splitlines():
        subprocess.run(shlex.split(line), cwd=tmp_path, check=True, capture_output=True)
    words = ["openssl", "verify", "-CAfile", "ca.pem", "cert.pem"]
    assert subprocess.run(words, cwd=tmp_path, check=True, capture_output=True).stdout == b"cert.pem: OK\n"


def test_every_file_of_the_page_can_be_read() -> None:
    for script in blocks("sh"):
        subprocess.run(["bash", "-n"], input=script, text=True, check=True)
    for program in blocks("python"):
        ast.parse(program)
    for unit in blocks("ini"):
        read = configparser.ConfigParser()
        read.optionxform = str  # type: ignore[assignment,method-assign]
        read.read_string(unit)
        assert read["Service"]["ExecStart"]
    settings, manifest = map(yaml.safe_load, blocks("yaml"))
    assert set(settings) == {"distributed"} and manifest["kind"] == "DaskCluster"


def test_every_setting_is_one_that_dask_knows() -> None:
    known = yaml.safe_load((Path(distributed.__file__).parent / "distributed.yaml").read_text("utf-8"))
    for path in leaves(yaml.safe_load(blocks("yaml")[0])):
        at = known
        for key in path:
            assert key in at, path
            at = at[key]


def leaves(settings: Any, above: tuple[str, ...] = ()) -> list[tuple[str, ...]]:
    if not isinstance(settings, dict):
        return [above]
    return [path for key, value in settings.items() for path in leaves(value, (*above, key))]
