"""The import rules of the architecture, executed: the folder tree is the architecture."""

from __future__ import annotations

import ast
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PACKAGES = ("arena", "protocol", "ladders", "sample_bots")
STANDARD = set(sys.stdlib_module_names)

# Who may import what, the longest matching prefix counts.  "std" is the standard library.
MAY_IMPORT: dict[str, set[str]] = {
    "protocol": {"std", "msgpack", "msgspec", "protocol"},
    "ladders": {"std", "ladders", "numpy"},
    "sample_bots": {"std", "msgpack", "sample_bots", "flock_bot", "flock_remote"},
    "sample_bots.seer": {
        "std", "msgpack", "sample_bots", "flock_bot", "arena.chance", "arena.game", "arena.games", "arena.memory",
        "arena.zones",
    },
    "sample_bots.sage": {"std", "sample_bots.sage", "flock_bot", "arena.game", "arena.games"},
    "sample_bots.learner": {"std", "sample_bots.learner", "flock_bot"},
    "sample_bots.learner.train": {"std", "sample_bots.learner", "arena.game", "arena.games", "arena.rl"},
    "arena": {"std"},
    "arena.__main__": {"arena.cli"},
    "arena.chance": {"std"},
    "arena.variants": {"std"},
    "arena.zones": {"std"},
    "arena.table": {"std", "arena.chance", "arena.zones"},
    "arena.guessing": {"std", "arena.table", "arena.zones"},
    "arena.showing": {"std", "msgspec", "arena.guessing", "arena.zones"},
    "arena.game": {
        "std", "arena.chance", "arena.guessing", "arena.showing", "arena.table", "arena.variants", "arena.zones",
    },
    "arena.events": {"std", "arena.table", "arena.zones"},
    "arena.memory": {"std", "arena.chance", "arena.events", "arena.game", "arena.stories", "arena.zones"},
    "arena.stories": {"std", "arena.chance", "arena.guessing", "arena.zones"},
    "arena.telling": {"std", "arena.events", "arena.game", "arena.zones"},
    "arena.games": {"std", "arena.game", "arena.games", "arena.packaged_games", "arena.variants", "arena.zones"},
    "arena.packaged_games": {"std", "arena.game"},
    "arena.contract": {
        "std", "msgpack", "arena.chance", "arena.contract", "arena.events", "arena.game", "arena.table",
        "arena.variants", "arena.zones",
    },
    "arena.rl": {
        "std", "gymnasium", "numpy", "pettingzoo", "arena.chance", "arena.game", "arena.games", "arena.variants",
        "arena.zones",
    },
    "arena.clock": {"std"},
    "arena.verdicts": {"std"},
    "arena.match": {
        "std", "protocol", "arena.chance", "arena.clock", "arena.events", "arena.game", "arena.showing",
        "arena.variants", "arena.verdicts",
    },
    "arena.packing": {"std", "msgpack", "msgspec", "arena.match", "arena.packing"},
    "arena.packing.training": {
        "std", "msgpack", "arena.bots", "arena.chance", "arena.game", "arena.games", "arena.match",
        "arena.packing",
        "arena.record", "arena.verdicts",
    },
    "arena.record": {
        "std", "msgpack", "msgspec", "arena.clock", "arena.events", "arena.game", "arena.games", "arena.match",
        "arena.packing", "arena.verdicts",
    },
    "arena.transports": {"std", "trio", "arena.transports"},
    "arena.sandbox": {"std", "arena.sandbox", "arena.transports"},
    "arena.sandbox.keeper": {"std"},
    "arena.bots": {
        "std", "protocol", "sample_bots", "arena", "arena.bots", "arena.clock", "arena.match", "arena.transports",
        "arena.verdicts",
    },
    "arena.gallery": {"std", "trio"},
    "arena.example": {"std", "arena.chance", "arena.game"},
    "arena.facts": {"std", "arena.game"},
    "arena.bots.starters": {"std", "arena.bots", "arena.example", "arena.game"},
    "arena.bots.build": {"std", "trio", "protocol", "arena.bots", "arena.sandbox", "arena.transports"},
    "arena.bots.submission": {"std", "trio", "arena.bots", "arena.sandbox", "arena.store", "arena.transports"},
    "arena.bots.starting": {"std", "arena.bots", "arena.referee", "arena.sandbox", "arena.transports"},
    "arena.bots.analysis": {
        "std", "msgpack", "sample_bots.seer", "arena", "arena.analyses", "arena.events", "arena.game",
        "arena.match", "arena.memory", "arena.record",
    },
    "arena.bots.rerun": {
        "std", "trio", "protocol", "arena.bots", "arena.clock", "arena.game", "arena.match", "arena.record",
        "arena.referee", "arena.transports", "arena.verdicts",
    },
    "arena.bots.check": {
        "std", "protocol", "arena.bots", "arena.clock", "arena.game", "arena.games", "arena.match",
        "arena.referee",
        "arena.transports", "arena.verdicts",
    },
    "arena.referee": {
        "std", "trio", "protocol", "arena.bots", "arena.clock", "arena.game", "arena.match", "arena.transports",
        "arena.variants", "arena.verdicts",
    },
    "arena.analyses": {"std", "msgspec", "arena.game"},
    "arena.boards": {"std", "ladders", "arena.store"},
    "arena.portrait": {"std", "protocol", "arena.record", "arena.store", "ladders"},
    "arena.runner": {
        "std", "trio", "ladders", "arena.bots", "arena.chance", "arena.clock", "arena.door", "arena.events",
        "arena.gallery", "arena.games", "arena.match", "arena.zones",
        "arena.privacy", "arena.record", "arena.referee", "arena.runner", "arena.sandbox", "arena.store",
        "arena.transports", "arena.verdicts",
    },
    "arena.cluster": {
        "std", "trio", "distributed", "arena.bots", "arena.cluster", "arena.match", "arena.runner",
        "arena.sandbox",
    },
    "arena.door": {"std", "trio", "trio_websocket", "arena.bots", "arena.door", "arena.transports"},
    "arena.store": {
        "std", "trio", "msgpack", "sqlalchemy", "alembic", "arena.record", "arena.store", "ladders.results",
    },
    "arena.web": {
        "std", "anyio", "jinja2", "markupsafe", "msgpack", "prometheus_client", "starlette", "ladders",
        "arena.analyses", "arena.chance", "arena.facts",
        "arena.clock", "arena.door.tokens", "arena.events", "arena.example", "arena.gallery", "arena.game",
        "arena.games", "arena.match", "arena.packaged_games", "arena.portrait",
        "arena.record",
        "arena.store", "arena.telling", "arena.variants", "arena.verdicts", "arena.web", "arena.zones",
    },
    "arena.web.queries": {"std", "sqlalchemy", "arena.store"},
    "arena.web.serving": {"std", "trio", "anycorn", "starlette", "arena.web"},
    "arena.cli": {"std", "trio", "typer", "rich", "arena", "ladders", "protocol"},
    "arena.cli.human_text": {"std", "trio", "arena", "sample_bots.flock_remote"},
}  # fmt: skip

PURE = (
    "arena.chance",
    "arena.game",
    "arena.games",
    "arena.guessing",
    "arena.table",
    "arena.match",
    "arena.clock",
    "protocol",
    "ladders",
)
NO_INPUT_OUTPUT = {
    "socket",
    "subprocess",
    "os",
    "time",
    "select",
    "threading",
    "asyncio",
    "trio",
    "pathlib",
    "datetime",
}
FORBIDDEN_NAMES = {"utils", "util", "common", "helpers", "base", "types", "misc"}


def modules() -> list[tuple[str, Path]]:
    found = []
    for package in PACKAGES:
        for path in sorted((ROOT / package).rglob("*.py")):
            parts = path.relative_to(ROOT).with_suffix("").parts
            found.append((".".join(parts[:-1] if parts[-1] == "__init__" else parts), path))
    return found


MODULES = modules()


def imports_of(path: Path) -> set[str]:
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: imports are written out in full"
            module = node.module or ""
            inside = {f"{module}.{alias.name}" for alias in node.names}
            names |= {name for name in inside if name in ALL_NAMES} or {module}
    return names


ALL_NAMES = {name for name, _ in MODULES}


def longest(name: str, table: set[str] | dict[str, set[str]]) -> str | None:
    while name:
        if name in table:
            return name
        name = name.rpartition(".")[0]
    return None


@pytest.mark.parametrize(("name", "path"), MODULES, ids=[name for name, _ in MODULES])
def test_a_module_imports_only_what_its_place_allows(name: str, path: Path) -> None:
    rule = longest(name, MAY_IMPORT)
    assert rule is not None
    allowed = MAY_IMPORT[rule]
    for imported in imports_of(path):
        if imported.partition(".")[0] in STANDARD:
            assert "std" in allowed
            continue
        if imported == "arena":  # the package itself holds nothing but the version
            continue
        assert longest(imported, allowed), f"{name} may not import {imported}"


@pytest.mark.parametrize(("name", "path"), MODULES, ids=[name for name, _ in MODULES])
def test_the_pure_core_knows_no_clock_file_socket_or_task(name: str, path: Path) -> None:
    if longest(name, set(PURE)) is None or name == "protocol.vectors.__main__":
        return
    touched = {imported.partition(".")[0] for imported in imports_of(path)} & NO_INPUT_OUTPUT
    if name.startswith("protocol.vectors"):
        touched -= {"pathlib"}  # the vectors are files
    assert not touched, f"{name} imports {touched}"
    tree = ast.parse(path.read_text("utf-8"))
    assert not any(isinstance(node, (ast.AsyncFunctionDef, ast.Await)) for node in ast.walk(tree))


def test_random_never_deals_a_card() -> None:
    users = {name for name, path in MODULES if "random" in imports_of(path)}
    assert users - {name for name, _ in MODULES if name.startswith("sample_bots")} == {"arena.chance"}


def test_files_have_one_noun_each() -> None:
    for name, path in MODULES:
        assert path.stem not in FORBIDDEN_NAMES, f"{name}: name the noun"
    for path in [*ROOT.glob("tests/**/*.py"), *ROOT.glob("bench/**/*.py"), *(path for _, path in MODULES)]:
        lines = path.read_text("utf-8").count("\n")
        assert lines <= 400, f"{path.relative_to(ROOT)} has {lines} lines: look for the second noun in it"


@pytest.mark.parametrize(("name", "path"), MODULES, ids=[name for name, _ in MODULES])
def test_nothing_is_raised_in_except_star(name: str, path: Path) -> None:
    """Python 3.11.2, which is Debian 12's, wraps it in a group, and then nobody's `except` fits."""
    for star in [node for node in ast.walk(ast.parse(path.read_text("utf-8"))) if isinstance(node, ast.TryStar)]:
        for node in [inner for handler in star.handlers for inner in ast.walk(handler)]:
            leaves = isinstance(node, ast.Raise) or ast.unparse(node) == "sys.exit"
            assert not leaves, f"{name}, line {star.lineno}: keep the trouble, and raise it below"


def test_a_view_has_no_default_viewer() -> None:
    import inspect

    from arena.events import seen_by
    from arena.game import Game

    assert inspect.signature(Game.view).parameters["viewer"].default is inspect.Parameter.empty
    assert inspect.signature(seen_by).parameters["viewer"].default is inspect.Parameter.empty
