"""The batching writer: shown implies durable, nothing lost, nothing doubled, and it goes on by itself."""

from __future__ import annotations

from contextlib import asynccontextmanager

import pytest
import trio
from sqlalchemy import create_engine

from arena.store import Held, StoreError, Unavailable, Voided, database, open_store
from arena.store.lock import LadderLock
from arena.store.writer import BATCH, ROOM, Writer
from tests.store.sheep_blocks import SHEEP, finished, planned, spring

PATIENCE_S = 30


@pytest.fixture
def ladder(store):
    return spring(store)


@pytest.fixture
def lock(store, ladder):
    with LadderLock(store, ladder) as lock:
        yield lock


@pytest.fixture
def said() -> list[str]:
    return []


@pytest.fixture
def writer(store, ladder, lock, said):
    return Writer(store, ladder, lock, said.append, retry_s=0.02)


@asynccontextmanager
async def running(writer):
    with trio.fail_after(PATIENCE_S):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(writer.run)
            yield nursery
            nursery.cancel_scope.cancel()


async def until(condition) -> None:
    with trio.fail_after(PATIENCE_S):
        while not condition():
            await trio.sleep(0.005)


async def test_what_is_told_is_on_disk(where, store, ladder, writer):
    with open_store(where) as another:
        async with running(writer):
            assert await writer.write(planned(0)) == ""
            assert another.counts(ladder).planned == 1
            seen = []
            writer.hand_in(
                finished(planned(0)), lambda outcome: seen.append((outcome, another.counts(ladder).final))
            )
            await writer.drained()
            assert seen == [("stored", 1)]
            assert await writer.write(finished(planned(0))) == "known"
            writer.hand_in(planned(1))
            await writer.write(Voided(1, "stopped by the operator"))
            assert another.counts(ladder) == (0, 1, 1, 2, 0)


async def test_what_waits_is_written_in_batches_in_the_order_of_hand_in(store, ladder, writer, monkeypatch):
    sizes = []
    write = store.write

    def spied(ladder, planned, finished, voided):
        sizes.append(len(planned) + len(finished))
        return write(ladder, planned, finished, voided)

    monkeypatch.setattr(store, "write", spied)
    told = []
    for number in range(BATCH + 30):
        writer.hand_in(planned(number), lambda _, number=number: told.append(number))
    async with running(writer):
        await writer.drained()
    assert told == list(range(BATCH + 30))
    assert sizes == [BATCH, 30]


async def test_back_pressure_holds_new_blocks_back(writer):
    for number in range(ROOM):
        writer.hand_in(planned(number))
    with trio.move_on_after(0.05) as waited:
        await writer.room()
    assert waited.cancelled_caught
    async with running(writer):
        await writer.room()
    await writer.drained()


@pytest.mark.parametrize("where", ["sqlite"], indirect=True)
async def test_f5_a_locked_database_is_said_and_waited_for(where, ladder, lock, store, said, monkeypatch):
    monkeypatch.setattr(database, "BUSY_S", 0.05)
    locker = create_engine(f"sqlite:///{where}")
    with open_store(where) as impatient, locker.connect() as other:
        writer = Writer(impatient, ladder, lock, said.append, retry_s=0.02)
        async with running(writer):
            await writer.write(planned(0))
            other.exec_driver_sql("BEGIN IMMEDIATE")
            writer.hand_in(finished(planned(0)))
            await until(lambda: said)
            assert said == [
                "the database is locked by another program: 2 results wait in memory, retrying every 0.02 s"
            ]
            assert writer.stuck == "the database is locked by another program"
            assert writer.results_waiting == 2
            with trio.move_on_after(0.05) as waited:
                await writer.room()
            assert waited.cancelled_caught, "no new block is begun meanwhile"
            other.rollback()
            await writer.room()
            await writer.drained()
        assert said[1:] == ["results are stored again"]
        assert impatient.counts(ladder).final == 1
    locker.dispose()


async def test_f14_an_unclear_commit_is_asked_again_and_counts_once(store, ladder, writer, said, monkeypatch):
    write = store.write
    unclear = [True]

    def commits_and_loses_the_answer(*everything):
        outcomes = write(*everything)
        if unclear and everything[2]:
            unclear.pop()
            raise Unavailable("the database is out of reach")
        return outcomes

    monkeypatch.setattr(store, "write", commits_and_loses_the_answer)
    async with running(writer):
        await writer.write(planned(0))
        assert await writer.write(finished(planned(0))) == "known"
    assert store.counts(ladder) == (0, 1, 0, 2, 0)
    assert said[0] == "the database is out of reach: 2 results wait in memory, retrying every 0.02 s"


async def test_f10_after_a_failure_nothing_readable_is_believed_before_it_was_written_again(
    store, writer, monkeypatch
):
    done = []
    write, make_durable = store.write, store.database.make_durable

    def fails_once(*everything):
        done.append("write")
        if len(done) == 1:
            raise Unavailable("the disk fails", "SQLITE_IOERR_FSYNC")
        return write(*everything)

    monkeypatch.setattr(store, "write", fails_once)
    monkeypatch.setattr(store.database, "make_durable", lambda: (done.append("make durable"), make_durable()))
    async with running(writer):
        await writer.write(planned(0))
        await writer.write(finished(planned(0)))
    assert done == ["write", "make durable", "write", "write"]


async def test_f3_stopping_writes_what_waits(store, ladder, writer):
    async with running(writer):
        await writer.write(planned(0))
        writer.hand_in(finished(planned(0)))
    assert store.counts(ladder).final == 1


async def test_f3_stopping_on_a_broken_disk_says_what_is_not_stored(store, ladder, writer, said, monkeypatch):
    async with running(writer):
        await writer.write(planned(0))

        def fails(*everything):
            raise Unavailable("the disk fails")

        monkeypatch.setattr(store, "write", fails)
        writer.hand_in(finished(planned(0)))
    assert said[-1] == "the disk fails: 2 results could not be stored and will be void"


async def test_our_own_mistakes_fail_loudly(writer):
    with pytest.raises(ExceptionGroup) as failed:
        async with running(writer):
            await writer.write(finished(planned(5)))
    assert failed.group_contains(StoreError, match="block 5 of spring was never planned")


@pytest.mark.parametrize("where", ["postgres"], indirect=True)
async def test_a_server_that_goes_away_and_comes_back(store, ladder, writer, said, postgres):
    async with running(writer):
        await writer.write(planned(0))
        postgres.stop("SIGQUIT")
        writer.hand_in(finished(planned(0)))
        await until(lambda: writer.stuck)
        assert said == ["the database is out of reach: 2 results wait in memory, retrying every 0.02 s"]
        postgres.start()
        await writer.drained()
        await writer.write(planned(1))
        with pytest.raises(Held):  # the lock was taken again
            LadderLock(store, ladder)
    assert store.counts(ladder) == (1, 1, 0, 2, 0)
    assert store.verify_chain(ladder) == (1, 2, "")
    assert [block.number for block in store.blocks_of(ladder, SHEEP)] == [0]


@pytest.mark.parametrize("where", ["postgres"], indirect=True)
async def test_f11_whoever_took_the_ladder_meanwhile_keeps_it(where, store, ladder, lock, postgres):
    writer = Writer(store, ladder, lock, lambda _: None, retry_s=0.5)

    async def lose_the_ladder() -> None:
        async with running(writer):
            await writer.write(planned(0))
            postgres.stop("SIGQUIT")
            writer.hand_in(finished(planned(0)))
            await until(lambda: writer.stuck)
            postgres.start()
            with open_store(where) as other, LadderLock(other, ladder):
                await writer.drained()

    with pytest.raises(ExceptionGroup) as failed:
        await lose_the_ladder()
    assert failed.group_contains(Held, match="ladder spring is being run")
