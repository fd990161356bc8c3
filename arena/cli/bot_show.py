"""`arena bot show`: how a bot is doing, what needs attention first."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict

from arena.cli.bot_list import data_of
from arena.cli.place import Place, failure_of
from arena.portrait import Attention, BadDeal, Portrait, Score, portrait
from arena.store import StoreError, Unknown
from arena.store.programs import Program


def show_bot(text: str, place: Place, as_json: bool) -> None:
    """A bot that was submitted, or that only played."""
    name, at, _ = text.partition("@")
    try:
        with place.open() as store:
            programs = [program for program in store.list_programs(name) if not at or program.label == text]
            labels = [label for label in store.labels_of(name) if not at or label == text]
            if not programs and not labels:
                store.find_program(text)
                raise Unknown(f'no bot "{text}" has played here')
            seen = portrait(store, labels)
    except StoreError as error:
        raise failure_of(error) from None
    if as_json:
        versions = [data_of(program) for program in programs]
        print(json.dumps({"bot": name, "versions": versions, **asdict(seen)}))
        return
    for line in _told(name, programs, seen):
        print(line)


def _told(name: str, programs: list[Program], seen: Portrait) -> Iterator[str]:
    owner = programs[-1].owner if programs else ""
    yield f"{name}{f'  of {owner}' if owner else ''}  {len(programs)} versions submitted, {seen.matches} matches"
    failed = [program for program in programs if program.status == "failed"]
    if seen.attention or failed:
        yield "\nNeeds attention"
    for program in failed:
        steps = [step for step in program.report if step["result"] == "FAILED" and not step["warning"]]
        yield f"  {program.label} failed its check: {', '.join(step['title'] for step in steps)}"
        for step in steps[:1]:
            yield from (f"      {line}" for line in step["told"])
    for group in seen.attention:
        yield from _attention(group)
    if seen.worst:
        yield "\nWorst deals, beside what others made of the same deal and seat"
        yield from map(_bad_deal, seen.worst)
    for title, scores in (("opponent", seen.by_opponent), ("seat", seen.by_seat), ("version", seen.by_version)):
        if scores and not (title == "version" and len(scores) == 1):
            yield f"\nScore by {title}"
            yield from map(_score, scores)
    if seen.times is not None:
        times = seen.times
        ms, match, move = times.slowest[0]
        yield f"\nTime per decision ({times.decisions:,} of the newest)"
        yield (
            f"  median {times.median_ms:.1f} ms, 99 % within {times.p99_ms:.1f} ms, limit {times.limit_ms} ms; "
            f"slowest {ms:.1f} ms: {match} move {move}"
        )
    if programs:
        yield "\nVersions"
    for program in programs:
        content = f"  {program.content[:12]}" if program.content else ""
        yield f"  {program.label:<24} {program.status:<8} {program.submitted[:16]}{content}"


def _attention(group: Attention) -> Iterator[str]:
    lost = f", {group.forfeits} forfeited" if group.forfeits else ""
    yield f"  {group.code}  {group.count} times{lost}, last {group.last[:16]} by {group.bot}"
    if group.words:
        yield f'      last words: "{group.words}"'
    match, seat = group.match, group.seat
    yield f"      arena log {match} --stderr {seat}   |   arena replay {match} --seat {seat}"


def _bad_deal(deal: BadDeal) -> str:
    others = ", ".join(f"{bot} {points}" for bot, points, _ in deal.others)
    return (
        f"  {deal.game} {deal.match} seat {deal.seat}: {deal.points} points, beat {deal.share:.0%}; there {others}"
        f"   arena replay {deal.match} --seat {deal.seat}"
    )


def _score(score: Score) -> str:
    margin = "" if score.margin is None else f" ±{100 * score.margin:.1f}"
    return f"  {score.of:<24} {100 * score.share:5.1f} %{margin:<7} {score.games:>6} games"
