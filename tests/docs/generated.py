"""What the pages take from the program itself, in Markdown."""

from __future__ import annotations

import ast
import inspect
import json
import typing
from collections.abc import Callable, Iterator
from dataclasses import fields
from pathlib import Path

import msgspec
import typer.main

from arena.cli.app import app
from arena.example import example_of, shown
from arena.game import Game
from arena.game_starter import filled
from arena.games import GAMES
from arena.table import Table
from arena.web.application import PAGES
from ladders.formats import FORMATS
from ladders.ladder_starter import described
from protocol.codec import CODECS
from protocol.framing import FRAMINGS
from protocol.messages import FROM_ARENA, FROM_BOT, Message
from protocol.session import TABLES, Direction, State
from protocol.vectors import SAMPLES
from tests.docs.pages import DOCS, ROOT

ROOKS = {"name": "rooks", "module": "rooks", "Class": "Rooks", "title": "Rooks"}
OWN = [game for game in GAMES.values() if game.__module__.startswith("arena.")]
HEX_SHOWN = 32


ORDER = ("quickstart", "write-a-bot", "thinking-bots", "protocol", "games", "add-a-game", "run-a-ladder")
ORDER += ("many-machines", "ratings", "security", "troubleshooting", "commands", "architecture", "contributing")


def pages() -> str:
    """The index: first what a newcomer needs first."""
    lines = ["| Page | |", "| --- | --- |"]
    there = sorted(path.stem for path in DOCS.glob("*.md") if path.stem != "index")
    for name in sorted(there, key=lambda name: (ORDER.index(name) if name in ORDER else len(ORDER), name)):
        title, sentence, *_ = (DOCS / f"{name}.md").read_text("utf-8").split("\n\n")
        lines.append(f"| [{title.removeprefix('# ')}]({name}.md) | {' '.join(sentence.split())} |")
    return "\n".join(lines)


# --- protocol ---------------------------------------------------------------------------------------------


def messages() -> str:
    """Every message in the order of a conversation, with its fields and its bytes."""
    lines: list[str] = []
    told = {**FROM_BOT, **FROM_ARENA}
    for tag in ("hello", "welcome", "prepare", "ready", "start", "ask", "answer", "forced", "end", "error", "bye"):
        kind = told[tag]
        by = (
            "either side"
            if tag in FROM_BOT and tag in FROM_ARENA
            else "the bot"
            if tag in FROM_BOT
            else "the arena"
        )
        lines += [f"### {tag}", "", f"Sent by {by}. {_sentence(kind)}", ""]
        lines += [*_fields(kind), ""]
        sample = next(sample for sample in SAMPLES.values() if type(sample) is kind)
        for codec in ("json", "msgpack"):
            lines += _sample(codec, sample)
    return "\n".join(lines)


def _sentence(kind: type) -> str:
    return " ".join((inspect.getdoc(kind) or "").split())


def _fields(kind: type) -> Iterator[str]:
    about = msgspec.structs.fields(kind)  # type: ignore[arg-type]
    if not about:
        return
    yield "| Field | | |"
    yield "| --- | --- | --- |"
    hints = typing.get_type_hints(kind, include_extras=True)
    for field in about:
        default = "needed" if field.required else f"default `{json.dumps(field.default)}`"
        yield f"| `{field.name}` | {_kind(hints[field.name])} | {default} |"


def _kind(hint: object) -> str:
    """A type in words that any language knows, with its limits."""
    if typing.get_origin(hint) is typing.Annotated:
        inner, meta = typing.get_args(hint)
        if meta.ge is not None:
            return f"{_kind(inner)}, {meta.ge} to {meta.le}"
        unit = "characters" if inner is str else "of them"
        least, most = meta.min_length or 0, meta.max_length
        between = most if least == most else f"{least} to {most}" if least else f"up to {most}"
        return f"{_kind(inner)}, {between} {unit}"
    origin, inside = typing.get_origin(hint), typing.get_args(hint)
    if origin is typing.Literal:
        return " or ".join(f'`"{word}"`' for word in inside)
    if origin in (tuple, list):
        return f"list of: {_kind(inside[0])}"
    if origin is dict:
        return "map"
    if type(None) in inside:
        return f"{_kind(next(part for part in inside if part is not type(None)))}, or absent"
    if isinstance(hint, type) and issubclass(hint, msgspec.Struct):
        parts = typing.get_type_hints(hint, include_extras=True)
        return "map: " + ", ".join(
            f"`{field.name}` ({_kind(parts[field.name])})" for field in msgspec.structs.fields(hint)
        )
    return {int: "whole number", str: "text", typing.Any: "anything"}.get(hint, str(hint))  # type: ignore[call-overload]


def _sample(codec: str, sample: Message) -> list[str]:
    frame = FRAMINGS[codec]().frame(CODECS[codec].encode(sample))
    if codec == "json":
        return ["```json", frame.decode().strip(), "```", ""]
    rows = [frame[at : at + HEX_SHOWN].hex(" ") for at in range(0, len(frame), HEX_SHOWN)]
    return ["```hex", *rows, "```", ""]


def states() -> str:
    """What may be said when, seen from the bot."""
    lines = ["| When the bot is | it may send | it may hear |", "| --- | --- | --- |"]
    for state in State:
        moves = TABLES["bot"][state]
        cells = []
        for direction in (Direction.SENT, Direction.RECEIVED):
            said = [
                f"`{what}`" + (f" → {after}" if after is not state else "")
                for (who, what), after in moves.items()
                if who is direction and what not in ("bye", "error")
            ]
            cells.append(", ".join(said) or "nothing")
        lines.append(f"| {state} | {cells[0]} | {cells[1]} |")
    lines += ["", "`bye` may be said by either side in every state and leads to closed; `error` changes no state."]
    return "\n".join(lines)


# --- games ------------------------------------------------------------------------------------------------


def games() -> str:
    """What `arena games NAME` says of every game that comes with the arena."""
    return "\n".join(line for game in OWN for line in _game(game))


def _game(game: type[Game]) -> Iterator[str]:
    allowed = game.seats_allowed
    yield f"## {game.title}"
    yield ""
    yield f"`{game.name}`, {allowed[0]} to {allowed[-1]} seats, rules version {game.rules_version}. {game.summary}"
    yield f"{'Most' if game.high_score_wins else 'Fewest'} points win; equal scores share a rank."
    yield ""
    yield "| Option | Default | May be | |"
    yield "| --- | --- | --- | --- |"
    for option, default, may_be, why in game.variant_type.described():
        yield f"| `{option}` | `{json.dumps(default)}` | {may_be.replace('|', 'or')} | {why} |"
    example = example_of(game)
    yield ""
    yield f'A moment: seat {example["view"]["seat"]} is asked for "{example["question"]}" and is sent this view:'
    yield ""
    yield "```text"
    for key, value in example["view"].items():
        yield f"{key:<16}{shown(value)}"
    yield "```"
    yield ""
    yield "It answers with the index of an option:"
    yield ""
    yield "```text"
    for index, (option, words) in enumerate(zip(example["options"], example["words"], strict=True)):
        yield f"{index:>3}  {json.dumps(option):<28}{words}".rstrip()
    yield "```"
    yield ""


def _template(name: str, language: str, path: str) -> Callable[[], str]:
    def part() -> str:
        return f"```{language}\n# {path}\n{filled(name, ROOKS)}```"

    return part


def verbs() -> str:
    """The kernel's verbs, from their own first lines."""
    lines = ["| Verb | |", "| --- | --- |"]
    for name, verb in vars(Table).items():
        if callable(verb) and not name.startswith("_"):
            words = ", ".join(list(inspect.signature(verb).parameters)[1:])
            first = (inspect.getdoc(verb) or "").split("\n\n")[0].replace("\n", " ")
            lines.append(f"| `{name}({words})` | {first} |")
    return "\n".join(lines)


# --- ladders ----------------------------------------------------------------------------------------------


def ladder_keys() -> str:
    """Every key of a ladder file."""
    lines = []
    for table in ("", "schedule", "limits", "run", "rating", "publish"):
        lines += [f"### {f'[{table}]' if table else 'Above the first table'}", ""]
        lines += ["| Key | Default | May be |", "| --- | --- | --- |"]
        for key, default, says in described(table):
            lines.append(f"| `{key}` | {f'`{default}`' if default else ''} | {says.replace('|', 'or')} |")
        lines.append("")
    return "\n".join(lines)


def formats() -> str:
    """Every format, from its own description, with its options."""
    lines = ["| Format | | Options |", "| --- | --- | --- |"]
    for name, kind in FORMATS.items():
        options = ", ".join(
            f"`{field.name}`" + ("" if field.default in ((), 0, None) else f" ({json.dumps(field.default)})")
            for field in fields(kind.options_type)
        )
        lines.append(f"| `{name}` | {_sentence(kind)} | {options} |")
    return "\n".join(lines)


# --- command line and errors ------------------------------------------------------------------------------


def commands() -> str:
    """Every command with its arguments and options."""
    return "\n".join(_commands(typer.main.get_command(app), "arena"))


def addresses() -> str:
    """Every address of the pages, with what its handler says of itself."""
    lines = ["| Address | |", "| --- | --- |"]
    for address, handler in PAGES.items():
        told = (inspect.getdoc(handler) or "").partition("\n")[0]
        if told:
            lines.append(f"| `{address}` | {told} |")
    return "\n".join(lines)


def _commands(command: typing.Any, path: str) -> Iterator[str]:
    inside = getattr(command, "commands", {})
    for name, below in inside.items():
        if getattr(below, "commands", None):
            yield from _commands(below, f"{path} {name}")
            continue
        arguments = [param for param in below.params if param.param_type_name == "argument"]
        options = [param for param in below.params if param.param_type_name == "option" and param.name != "help"]
        words = " ".join(
            f"[{param.name.upper()}]" if not param.required else param.name.upper() + "…" * (param.nargs == -1)
            for param in arguments
        )
        yield f"### {path} {name}"
        yield ""
        yield f"`{f'{path} {name} {words}'.strip()}`: {' '.join((below.help or '').split())}"
        yield ""
        rows = [(param.name.upper(), param.help or "", param) for param in arguments]
        rows += [(max(param.opts, key=len), param.help or "", param) for param in options]
        if rows:
            yield "| | |"
            yield "| --- | --- |"
        for spelled, help, param in rows:
            default = param.default
            told = "" if default in (None, False, ()) or callable(default) else f" Default: {default}."
            yield f"| `{spelled}` | {help.replace('|', 'or')}{told if param.param_type_name == 'option' else ''} |"
        yield ""


RAISED = {"Failure": 0, "BotError": 0, "StarterError": 0, "DoorError": 0, "TokenError": 0, "NoSandbox": 0}
RAISED |= {"Unknown": 0, "Held": 0, "Newer": 0, "Unavailable": 0, "Damaged": 0, "GameRefused": 0, "_Wrong": 1}
RAISED |= {
    "StoreError": 0,
    "RecordError": 0,
    "GameMissing": 0,
    "PortTaken": 0,
    "ClusterError": 0,
    "WorkersFail": 0,
}
RAISED |= {"FormatError": 0, "VariantError": 0, "StartError": 0, "Sealed": 0}
"""Which argument of an error is the sentence that somebody reads."""

UNREAD = {
    "LadderError": "it shows the line and the nearest key, which stand in the reference of the ladder file",
    "Wrong": "becomes a LadderError",
    "ProtocolError": "becomes a verdict",
    "LocalProtocolError": "a mistake of ours",
    "RemoteProtocolError": "becomes a verdict",
    "_Offence": "becomes a verdict",
    "_Failed": "becomes a step of the check that says FAILED",
    "Died": "becomes a verdict",
    "EditionMissing": "becomes a RecordError",
    "_Broken": "becomes damage that verify tells",
    "Lost": "the cluster asks again",
    "RulebookStuck": "becomes a void block",
    "NoFit": "no ladder file can set the prior to nothing",
    "Broken": "the contract speaks to whoever writes a rulebook, in a test",
}
"""Errors whose words reach nobody as they are, and why."""


def sentences() -> str:
    """Every sentence with which a command can end, as the sources have it; … stands for what differs."""
    found: dict[str, None] = {}
    for path in sorted(path for package in ("arena", "ladders") for path in (ROOT / package).rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in RAISED:
                at = RAISED[node.func.id]
                text = _spoken(node.args[at]) if len(node.args) > at else ""
                if len(text.replace("…", "").strip(" :;.")) > 8:
                    found[text] = None
    return "\n".join(f"- `{text}`" for text in sorted(found, key=lambda text: text.lstrip("… :").lower()))


def _spoken(node: ast.expr) -> str:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.JoinedStr):
        return "".join(_spoken(part) if isinstance(part, ast.Constant) else "…" for part in node.values)
    if isinstance(node, ast.BinOp):
        return _spoken(node.left) + _spoken(node.right)
    return "…"


FOLDER_HAS = ("__init__.py", "bot.toml")  # a package, or a bot that must not look like one


def folders() -> str:
    """Every package and module of the program with its first line."""
    lines = ["```text"]
    for path in _tree():
        told_in = path / "__init__.py" if path.is_dir() else path
        if not told_in.exists():
            told_in = path / "bot.py"
        module = ast.get_docstring(ast.parse(told_in.read_text("utf-8"))) or ""
        name = f"{path.relative_to(ROOT)}{'/' if path.is_dir() else ''}"
        lines.append(f"{name:<36}{module.partition(chr(10))[0]}")
    return "\n".join([*lines, "```"])


def _tree() -> Iterator[Path]:
    for package in ("arena", "protocol", "ladders", "sample_bots"):
        yield from sorted(path for path in (ROOT / package).glob("*.py") if path.name != "__init__.py")
        yield from sorted({path.parent for name in FOLDER_HAS for path in (ROOT / package).glob(f"*/{name}")})


PARTS: dict[str, Callable[[], str]] = {
    "pages": pages,
    "messages": messages,
    "states": states,
    "games": games,
    "rulebook": _template("game.py.in", "python", "rooks/rooks/__init__.py"),
    "rulebook-tests": _template("test_game.py.in", "python", "rooks/tests/test_rooks.py"),
    "rulebook-package": _template("pyproject.toml.in", "toml", "rooks/pyproject.toml"),
    "verbs": verbs,
    "ladder-keys": ladder_keys,
    "formats": formats,
    "commands": commands,
    "addresses": addresses,
    "sentences": sentences,
    "modules": folders,
}
