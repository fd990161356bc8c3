"""`make test` says what a machine cannot do before the tests do."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.machine import main, obstacles


def test_this_machine_can_run_the_tests() -> None:
    assert list(obstacles()) == []


def test_a_checkout_that_bots_of_root_cannot_enter_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    checkout = tmp_path / "closed" / "flock-arena"
    checkout.mkdir(parents=True)
    checkout.parent.chmod(0o700)
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    told = " ".join(obstacles(checkout))
    assert "only its owner may enter" in told and "move " in told


def test_a_missing_sandbox_ends_in_a_sentence_and_no_test_is_tried(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("tests.machine.why_not", lambda sandbox: "namespaces are refused here")
    with pytest.raises(SystemExit, match="1"):
        main()
    assert (
        "the sandbox (full), and it is not to be had here: namespaces are refused here" in capsys.readouterr().out
    )
