"""F7, F8: a torn log and flipped bits in the database file: named, or without effect; never a traceback."""

from __future__ import annotations

import random
import shutil
from pathlib import Path

import pytest

from arena.store import StoreError, open_store
from arena.store.matches import Wanted
from tests.store.sheep_blocks import SHEEP, as_block, finished, planned, play, spring

FRAME = 16384 + 24


@pytest.fixture
def torn(tmp_path) -> tuple[Path, Path, list[int]]:
    """A database and its log as a power cut may leave them; and how long the log was after each block."""
    path, log = tmp_path / "arena.db", tmp_path / "arena.db-wal"
    with open_store(path) as store:
        ladder = spring(store)
        store.plan_blocks(ladder, [planned(number) for number in range(4)])
        store.database.make_durable()
        lengths = []
        for number in range(4):
            store.finish_blocks(ladder, [finished(planned(number))])
            lengths.append(log.stat().st_size)
        kept, kept_log = tmp_path / "kept.db", tmp_path / "kept.log"
        shutil.copy(path, kept)
        shutil.copy(log, kept_log)
    return kept, kept_log, lengths


def test_f7_a_log_cut_anywhere_keeps_every_block_stored_before(torn, tmp_path):
    kept, kept_log, lengths = torn
    log = kept_log.read_bytes()
    chosen = random.Random(7)
    cuts = {at + near for at in lengths for near in (-1, 0, 1, 24)} | {len(log) - FRAME + 24, 0, 31, 32, 33}
    cuts |= {chosen.randrange(lengths[0], len(log)) for _ in range(30)}
    for cut in sorted(cut for cut in cuts if cut <= len(log)):
        path = tmp_path / "cut.db"
        shutil.copy(kept, path)
        (tmp_path / "cut.db-wal").write_bytes(log[:cut])
        (tmp_path / "cut.db-shm").unlink(missing_ok=True)
        with open_store(path) as store:
            ladder = store.find_ladder("spring")
            whole = sum(length <= cut for length in lengths)
            assert [block.number for block in store.blocks_of(ladder, SHEEP)] == list(range(whole))
            assert [plan.number for plan in store.void_unfinished(ladder)] == list(range(whole, 4))
            assert store.verify_chain(ladder) == (4, 2 * whole, "")


def look_at_everything(path: Path) -> tuple[object, ...] | str:
    """All a reader can see, or the first sentence."""
    try:
        with open_store(path, create=False) as store:
            ladder = store.find_ladder("spring")
            damage = store.verify_chain(ladder).damage
            seen = (
                [entry.label for entry in store.bots_of(ladder)],
                list(store.blocks_of(ladder, SHEEP)),
                [line.match for line in store.match_list(Wanted(limit=100))],
                [store.record_of(match) for match, _ in planned(1).matches],
                store.counts(ladder),
                store.divisions_of(ladder),
                list(store.export_json_lines(ladder)),
                store.match(planned(2).matches[0][0]),
            )
            return damage or seen
    except StoreError as error:
        return str(error)


def test_f8_a_flipped_bit_in_the_file_is_named_or_changes_nothing(tmp_path):
    path, flipped = tmp_path / "arena.db", tmp_path / "flipped.db"
    with open_store(path) as store:
        ladder = spring(store)
        play(store, ladder, 0, 1, 2)
        store.database.make_durable()
    whole = look_at_everything(path)
    assert isinstance(whole, tuple) and whole[1] == [as_block(finished(planned(number))) for number in range(3)]
    data = path.read_bytes()
    used = [at for at, byte in enumerate(data) if byte]
    chosen = random.Random(8)
    named = 0
    for _ in range(100):
        at = chosen.choice(used)
        flipped.write_bytes(data[:at] + bytes([data[at] ^ 1 << chosen.randrange(8)]) + data[at + 1 :])
        seen = look_at_everything(flipped)
        named += isinstance(seen, str)
        assert isinstance(seen, str) or seen[:6] == whole[:6], f"byte {at}"
    assert named > 30


@pytest.mark.parametrize("contents", [b"no database at all", b"SQLite format 3\0" + bytes(84), bytes(100_000)])
def test_f8_a_file_that_is_no_database_gets_a_sentence(tmp_path, contents):
    path = tmp_path / "arena.db"
    path.write_bytes(contents)
    with pytest.raises(StoreError, match=r"damaged|refused|holds"):
        open_store(path)
    assert path.read_bytes() == contents
