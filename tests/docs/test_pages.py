"""The pages hang together: links lead somewhere, generated parts are fresh, verdicts and codes are explained."""

from __future__ import annotations

import ast
import builtins
import re
from pathlib import Path

import pytest

from arena import verdicts
from arena.cli import failure
from arena.cli.help import _slug
from tests.docs.generated import PARTS, RAISED, UNREAD
from tests.docs.pages import DOCS, README, ROOT, all_pages, blocks_of, parts_in, with_parts

TROUBLE = (DOCS / "troubleshooting.md").read_text("utf-8")
_LINK = re.compile(r"\]\(([^)\s]+)\)")


def text_outside_blocks(path: Path) -> str:
    return re.sub(r"^```.*?^```$", "", path.read_text("utf-8"), flags=re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("path", all_pages(), ids=lambda path: path.name)
def test_every_link_leads_somewhere(path: Path) -> None:
    for link in _LINK.findall(text_outside_blocks(path)):
        assert not link.startswith("http"), f"{link}: pages need no network"
        name, _, heading = link.partition("#")
        target = path.parent / name if name else path
        assert target.exists(), link
        if heading:
            headings = re.findall(r"^#+ (.+)$", text_outside_blocks(target), re.MULTILINE)
            assert heading in map(_slug, headings), link


@pytest.mark.parametrize("path", all_pages(), ids=lambda path: path.name)
def test_what_a_page_takes_from_the_program_is_fresh(path: Path) -> None:
    """Made anew by `python -m tests.docs`."""
    text = path.read_text("utf-8")
    assert text == with_parts(text, {name: PARTS[name]() for name in parts_in(text)})


def test_every_generated_part_is_shown_somewhere() -> None:
    assert set().union(*(parts_in(path.read_text("utf-8")) for path in all_pages())) == set(PARTS)


@pytest.mark.parametrize("path", sorted(DOCS.glob("*.md")), ids=lambda path: path.name)
def test_a_page_begins_with_its_title_and_a_sentence(path: Path) -> None:
    title, sentence, *_ = path.read_text("utf-8").split("\n\n")
    assert title.startswith("# ") and "\n" not in title
    assert sentence.rstrip().endswith("."), "it is what `arena help` shows of the page"


def verdict_codes() -> set[str]:
    """Every code a fault can have: `Fault(CODE, …)` in the sources, and the codes of the protocol."""
    tree = ast.parse((ROOT / "arena/verdicts.py").read_text("utf-8"))
    made = {
        node.args[0].value
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "Fault"
        if isinstance(node.args[0], ast.Constant)
    }
    return {str(code) for code in made} | {"OK", "OUTPUT", "PROTOCOL"}


def test_every_verdict_has_an_entry_with_an_example() -> None:
    entries = dict(re.findall(r"^### ([A-Z]+)\n(.*?)(?=^##)", TROUBLE, re.MULTILINE | re.DOTALL))
    assert set(entries) == verdict_codes()
    for code, entry in entries.items():
        assert code == "OK" or ("`tiger " in entry and re.search(r"\*\*(Strike|Forfeit)", entry)), code


EXAMPLES = [
    verdicts.no_word_in_time("tiger", "hello", 10_000, ""),
    verdicts.too_late("tiger", 17, 1_000_000, 997_000, 2_000, unread=False),
    verdicts.too_late("tiger", 17, 1_000_000, 3_000, 2_000, unread=False),
    verdicts.bank_used_up("tiger", 30_000_000, 412),
    verdicts.died("tiger", 17, "SIGSEGV", 0, ""),
    verdicts.left("tiger", 17, "exit code 0"),
    verdicts.broken_message("tiger", 17, "PROTOCOL", 'duplicate key "choice" (byte 14 of 31)', final=False),
    verdicts.illegal_choice("tiger", 17, 4, 4),
    verdicts.broken_message("tiger", 17, "OUTPUT", "frame of 4294967295 bytes, the limit is 65536", final=True),
    verdicts.out_of_memory("tiger", 17, 512),
    verdicts.disconnected("tiger", 17, "did not come back within 10.0 s"),
]


def test_the_example_of_a_verdict_is_what_the_program_says() -> None:
    for fault in EXAMPLES:
        entry = TROUBLE.partition(f"### {fault.code}\n")[2].partition("\n###")[0]
        assert f"`{fault.text}`" in " ".join(entry.split()), fault.code
    assert {fault.code for fault in EXAMPLES} == verdict_codes() - {"OK"}


def test_every_exit_code_has_an_entry() -> None:
    codes = {value for name, value in vars(failure).items() if name.isupper() and isinstance(value, int)}
    told = {int(code) for code in re.findall(r"^\| (\d+) \|", TROUBLE, re.MULTILINE)}
    assert told == {0, *codes}
    summary = (DOCS / "commands.md").read_text("utf-8").partition("## Exit codes")[2].partition("##")[0]
    assert {int(code) for code in re.findall(r"\b(\d+) [a-z]", summary)} == told


def test_every_symptom_quotes_what_the_program_says() -> None:
    """A quotation that no source contains is an entry nobody will find."""
    sources = " ".join(_texts())
    table = TROUBLE[TROUBLE.index("## Symptoms") : TROUBLE.index("## Every sentence")]
    rows = re.findall(r"^\| (.+?) \|", table, re.MULTILINE)
    quoted = [words for row in rows for words in re.findall(r'"([^"]+)"', row)]
    assert len(quoted) > 15
    for quotation in quoted:
        for piece in re.split("…", quotation):
            assert re.sub(r"\d+|\.arena", "", piece).strip() in sources, quotation


def test_every_kind_of_error_is_among_the_sentences_or_reaches_nobody() -> None:
    """A new kind of error has to say which, or its sentences would be in no list."""
    modules = [path for package in ("arena", "ladders", "protocol") for path in (ROOT / package).rglob("*.py")]
    classes = [node for path in modules for node in ast.walk(ast.parse(path.read_text("utf-8")))]
    bases = {
        node.name: {ast.unparse(base).rpartition(".")[2] for base in node.bases}
        for node in classes
        if isinstance(node, ast.ClassDef)
    }
    errors = {name for name in dir(builtins) if name.endswith(("Error", "Exception"))}
    while more := {name for name, above in bases.items() if above & errors} - errors:
        errors |= more
    assert errors & set(bases) == RAISED.keys() | UNREAD.keys()


def _texts() -> list[str]:
    """All texts of the program, with nothing where something differs."""
    found = []
    for path in [path for package in ("arena", "ladders") for path in (ROOT / package).rglob("*.py")]:
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.JoinedStr):
                found.append("".join(str(part.value) for part in node.values if isinstance(part, ast.Constant)))
            elif isinstance(node, ast.Constant) and isinstance(node.value, str):
                found.append(node.value)
    return found


def test_every_path_the_readme_maps_exists() -> None:
    (tree,) = (block.text for block in blocks_of(README) if "arena/match.py" in block.text)
    named = [word.strip(",") for line in tree.splitlines() for word in line.split("  ")[0].split(", ")]
    for name in named:
        assert (ROOT / name).exists() or (ROOT / "arena" / name).exists(), name
