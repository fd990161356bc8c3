"""Every fault of the catalogue that this version answers for has a test under its id."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent

GROUPS = {
    "a": range(1, 34),  # bot processes
    "b": range(1, 19),  # messages
    "c": range(1, 23),  # bots over the network
    "d": (3, 4, 5, 11, 15, 16, 17, 18, 19, 21, 22, 23, 24, 25),  # what may not be found out
    "e": (1, 3, 4, 6, 7, 9, 10, 11, 12),  # fairness and identity
    "f": (1, 2, 3, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 21, 22, 24, 25, 26, 27, 28, 29),  # storage
    "g": range(1, 12),  # submissions
    "h": (1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 12, 13, 15),  # visitors of the pages
    "i": (1, 2, 3, 5, 6, 7),  # operator and terminal
}
IDS = [f"{group}{number}" for group, numbers in GROUPS.items() for number in numbers]


def names_of_tests() -> set[str]:
    found: set[str] = set()
    for path in ROOT.rglob("*.py"):
        found |= set(re.findall(r"def (test_\w+)", path.read_text("utf-8")))
    return found


NAMES = names_of_tests()


@pytest.mark.parametrize("row", IDS)
def test_the_fault_is_tested(row: str) -> None:
    assert any(row in name.split("_") for name in NAMES), f"no test names {row}"
