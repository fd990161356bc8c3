"""The ladder's secret: on disk before the ladder is, for one reader only, and never overwritten."""

from __future__ import annotations

import pytest

from arena.store import StoreError, Unavailable
from arena.store.secrets import commitment_of, make_secret, read_secret


def test_a_secret_is_read_back_by_its_commitment(tmp_path):
    first, second = make_secret(tmp_path / "arena"), make_secret(tmp_path / "arena")
    assert first != second
    assert commitment_of(read_secret(tmp_path / "arena", first)) == first
    assert commitment_of(read_secret(tmp_path / "arena", second)) == second
    given = bytes(range(32))
    assert read_secret(tmp_path, make_secret(tmp_path, given)) == given


def test_only_its_owner_may_read_it(tmp_path):
    commitment = make_secret(tmp_path)
    (path,) = (tmp_path / "secrets").iterdir()
    assert path.stat().st_mode & 0o777 == 0o600
    assert path.parent.stat().st_mode & 0o777 == 0o700
    path.chmod(0o640)
    with pytest.raises(StoreError, match=r"others may read the ladder's secret \(mode 640\); do: chmod 600"):
        read_secret(tmp_path, commitment)


def test_a_missing_or_damaged_secret_gets_a_sentence(tmp_path):
    commitment = make_secret(tmp_path)
    (path,) = (tmp_path / "secrets").iterdir()
    for contents in ("", "zz", "00" * 32, "é"):
        path.write_text(contents)
        with pytest.raises(StoreError, match="not the secret that this ladder was made with"):
            read_secret(tmp_path, commitment)
    path.unlink()
    with pytest.raises(StoreError, match="secret is missing"):
        read_secret(tmp_path, commitment)


def test_a_folder_that_cannot_be_made_gets_a_sentence(tmp_path):
    (tmp_path / "arena").write_text("in the way")
    with pytest.raises(Unavailable, match="the ladder's secret cannot be kept under"):
        make_secret(tmp_path / "arena")
