"""Matches of remote bots: what a bot or a network can do to them, and what it cannot."""

import itertools

import pytest
import trio

from arena import record
from arena.door import admission
from arena.door.tokens import Tokens
from arena.runner.orders import BlockReport
from tests.websocket.players import block, open_house
from tests.websocket.proxy import UP, Proxy


@pytest.fixture(autouse=True)
def unlimited(monkeypatch):
    monkeypatch.setattr(admission, "ENTRANCES", 1 << 30)


def document(report):
    return record.unpack(report.matches[0].record)


def codes(report) -> list[tuple[int, str]]:
    return [(verdict.seat, verdict.code) for verdict in report.verdicts[0]]


async def test_remote_bots_play_each_other_and_local_ones(tmp_path):
    async with open_house(tmp_path, "anna", "berta") as house:
        house.invite("anna", "berta")
        reports = await house.play(
            block(1, "ws:anna", "ws:berta"), block(2, "ws:anna", "first"), block(3, "first", "random")
        )
        assert all(isinstance(report, BlockReport) and not codes(report) for report in reports)
        assert not record.differences(document(reports[0]))
        assert house.players["berta"].sittings == 1


async def test_a_remote_bot_keeps_its_place_however_few_processes_are_kept_warm(tmp_path):
    async with open_house(tmp_path, "anna", "berta", "carl", "dora") as house:
        house.house._worker.referee.most_warm = 1
        house.invite("anna", "berta", "carl", "dora")
        for number, pair in enumerate((("anna", "berta"), ("carl", "dora"), ("anna", "berta"))):
            await house.play(block(number, *(f"ws:{name}" for name in pair)))
        assert [player.sittings for player in house.players.values()] == [1] * 4


async def test_a_bot_is_called_back_for_another_game(tmp_path):
    async with open_house(tmp_path, "anna") as house:
        house.invite("anna")
        orders = [block(n, "ws:anna", "first", game=game) for n, game in enumerate(("sheepzzz", "wolfpack") * 2)]
        reports = await house.play(*orders)
        assert not any(codes(report) for report in reports)
        assert set(house.players["anna"].hung_up) == {1000}


async def test_e12_who_stays_away_forfeits_after_a_grace_and_the_others_play_on(tmp_path):
    async with open_house(tmp_path, "anna", "berta", absent_s=0.3) as house:
        house.invite("anna")
        (report,) = await house.play(block(1, "ws:anna", "ws:berta"))
        (verdict,) = report.verdicts[0]
        assert (verdict.seat, verdict.code, verdict.forfeit) == (1, "START", True)
        assert verdict.text.startswith("berta did not start: it is not connected, and did not come within 0.3 s")
        assert [seat.place for seat in report.matches[0].seats] == [1, 2]
        house.invite("berta")
        (report,) = await house.play(block(2, "ws:anna", "ws:berta"))
        assert not codes(report)


async def test_e12_a_match_waits_for_a_bot_that_is_on_its_way(tmp_path):
    async with open_house(tmp_path, "anna") as house:
        async with trio.open_nursery() as nursery:

            async def come_late():
                await trio.sleep(0.2)
                house.invite("anna")

            nursery.start_soon(come_late)
            (report,) = await house.play(block(1, "ws:anna", "first"))
        assert not codes(report)


async def test_c7_a_match_goes_on_when_connections_break(tmp_path):
    async with open_house(tmp_path, "anna", "berta") as house:
        proxy = Proxy(house.port)
        await house.nursery.start(proxy.run)
        house.invite("anna", "berta", port=proxy.port)
        (quiet,) = await house.play(block(1, "ws:anna", "ws:berta", deal=bytes(32)))
        answers = itertools.count(1)

        async def cut(line, said):
            if next(answers) % 10 == 0:
                proxy.cut = (UP, 1)  # with the next answer

        house.players["anna"].spoil = cut
        (cut_often,) = await house.play(block(2, "ws:anna", "ws:berta", deal=bytes(32)))
        assert proxy.cuts > 0
        assert not codes(cut_often)
        for key in ("events", "transcripts", "ranks", "scores"):
            assert document(quiet)[key] == document(cut_often)[key]


async def test_c7_who_is_away_for_good_loses_the_seat(tmp_path):
    async with open_house(tmp_path, "anna", grace_s=0.2) as house:
        house.invite("anna")

        async def leave(line, answers):
            await line.close()
            await trio.sleep_forever()

        house.players["anna"].spoil = leave
        (report,) = await house.play(block(1, "ws:anna", "first"))
        (verdict,) = report.verdicts[0]
        assert verdict.code == "DISCONNECT"
        assert verdict.text.startswith("anna lost its connection at move 1 and did not come back within 0.2 s")


async def test_c13_a_bad_frame_in_a_match_is_a_verdict(tmp_path):
    async with open_house(tmp_path, "anna") as house:
        house.invite("anna")

        async def shout(line, answers):
            await line.send(bytes(65_537))

        house.players["anna"].spoil = shout
        (report,) = await house.play(block(1, "ws:anna", "first"))
        (verdict,) = report.verdicts[0]
        assert (verdict.code, "the limit is 65536" in verdict.text) == ("OUTPUT", True)


async def test_c20_a_token_revoked_in_a_match_counts_when_it_is_over(tmp_path):
    async with open_house(tmp_path, "anna", absent_s=0.2) as house:
        house.invite("anna")

        async def revoke(line, answers):
            house.players["anna"].spoil = None
            Tokens(tmp_path / "tokens.toml").revoke("anna")

        house.players["anna"].spoil = revoke
        (report,) = await house.play(block(1, "ws:anna", "first"))
        assert not codes(report)
        (report,) = await house.play(block(2, "ws:anna", "first"))
        assert codes(report) == [(0, "START")]
        assert house.players["anna"].hung_up == [4401]
