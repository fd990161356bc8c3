"""What is seen of a series while it runs, and the table at the end."""

from __future__ import annotations

from typing import Any

from arena.cli.screen import EventScreen, verdicts_of
from arena.cli.series import conclusion
from arena.runner.orders import BlockReport
from arena.runner.tournament import Contest
from ladders.results import Block
from protocol.errors import printable


class SeriesScreen(EventScreen):
    """A bar on a terminal; a line per match elsewhere; programs are told at the end."""

    def __init__(self, seed: bytes, as_json: bool) -> None:
        super().__init__(as_json)
        self._seed = seed

    def heading(self) -> str:
        """Game, table, deals, limits."""
        settings = self.event.ladder.settings
        table = settings["table"]
        # A deal that a remote bot has seen is not dealt again: each seating has its own.
        seatings = 1 if any(bot.remote for bot in self.event.bots.values()) else len(table)
        return (
            f"{settings['game']}  {' '.join(table)}  {self.event.contests[0].draw.planned} deals x "
            f"{seatings} seating{'s' * (seatings > 1)}  move {self.event.terms.control.move_ms} ms  "
            f"seed {self._seed.hex().lstrip('0') or '0'}  sandbox {self.event.terms.sandbox}"
        )

    def tell_block(self, contest: Contest, block: Block, report: BlockReport) -> None:  # noqa: ARG002
        """A deal was played in every seating."""
        if self.as_json:
            return
        for line in verdicts_of(block, report):
            self.say(line)
        if self.live:
            return
        for played, heard in zip(report.matches, report.verdicts, strict=True):
            seats = ", ".join(f"{seat.place}. {seat.bot} {seat.points}" for seat in played.seats)
            reason = "; ".join(verdict.outline() for verdict in heard)
            self.say(f"{played.match}  deal {block.number}  {seats}" + (f"  {{{reason}}}" if reason else ""))

    def say(self, text: str) -> None:
        """A line for people; programs wait for the result."""
        if not self.as_json:
            self.voice.say(text)

    def frame(self) -> list[str]:
        """How far it is."""
        (contest,) = self.event.contests
        done, planned = contest.seated - self.tournament.under_way, contest.draw.planned or 1
        bar = "#" * (20 * done // planned)
        return [f"{done}/{planned} deals [{bar:<20}]"]


def closing(summary: dict[str, Any]) -> list[str]:
    """The table, what it means, and what to type next."""
    rows = summary["bots"]
    wide = max([15, *(len(row["bot"]) for row in rows)]) + 1
    lines = [
        "",
        f"{'':<{wide}}{'score':>7}{'95 %':>8}{'games':>7}{'first':>7}{'points':>9}{'forfeits':>10}{'ms/move':>9}",
    ]
    for row in rows:
        margin = "" if row["margin"] is None else f"±{100 * row['margin']:.1f}"
        lines.append(
            f"{row['bot']:<{wide}}{100 * row['score']:>6.1f}%{margin:>8}{row['games']:>7}{row['first']:>7}"
            f"{row['points']:>9.1f}{row['forfeits']:>10}{row['ms_per_move']:>9.2f}"
        )
    lines.append(conclusion(rows))
    failed = next((match for match in summary["matches"] if match["verdicts"]), None)
    if failed is not None:
        verdict = failed["verdicts"][0]
        lines.append(f"{failed['match']}: {printable(verdict['text'])}.")
        lines.append(f"See: arena log {failed['match']} --stderr {verdict['seat']}")
    if summary["matches"]:
        last = summary["matches"][-1]["match"]
        lines += [f"{last}: {told}." for told in summary["mishaps"]]
        lines.append(f"Next: arena replay {last} --seat 0   |   arena verify {last}")
    return lines
