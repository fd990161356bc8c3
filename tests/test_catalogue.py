"""Every fault of the catalogue that this version answers for has a test under its id."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent

BOTS = [*range(1, 17), 19, 22, 31, 32, 33]
MESSAGES = range(1, 19)
IDS = [*(f"a{number}" for number in BOTS), *(f"b{number}" for number in MESSAGES)]


def names_of_tests() -> set[str]:
    found: set[str] = set()
    for path in ROOT.rglob("test_*.py"):
        found |= set(re.findall(r"def (test_\w+)", path.read_text("utf-8")))
    return found


NAMES = names_of_tests()


@pytest.mark.parametrize("row", IDS)
def test_the_fault_is_tested(row: str) -> None:
    assert any(row in name.split("_") for name in NAMES), f"no test names {row}"
