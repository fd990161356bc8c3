"""What is seen of a series while it runs, and the table at the end."""

from __future__ import annotations

import os
import sys
from typing import Any

from arena import record
from arena.cli.series import Planned, Series, Terms, conclusion
from arena.verdicts import Verdict


class Progress:
    """What is seen while it runs: a line that renews itself on a terminal, one line per match otherwise."""

    def __init__(self, series: Series, quiet: bool) -> None:
        self._series = series
        self._quiet = quiet
        self._live = sys.stderr.isatty() and not quiet

    def opening(self, terms: Terms) -> None:
        """What is going to be played."""
        if not self._quiet:
            names = " ".join(bot.name for bot in self._series.entries)
            print(
                f"{self._series.game.name}  {names}  {terms.deals} deals x {len(self._series.entries)} seatings"
                f"  move {terms.move_ms} ms  seed {self._series.seed.hex().lstrip('0') or '0'}  sandbox none",
                flush=True,
            )

    def finished(self, plan: Planned, document: record.Document) -> None:
        """One more match is over."""
        if self._live:
            done, all_of_them = len(self._series.results), len(self._series.plan)
            bar = "#" * (20 * done // all_of_them)
            print(f"\r{done}/{all_of_them} [{bar:<20}]", end="", file=sys.stderr, flush=True)
        elif not self._quiet:
            seats = ", ".join(
                f"{rank}. {bot['name']} {score}"
                for rank, bot, score in zip(document["ranks"], document["bots"], document["scores"], strict=True)
            )
            reason = "; ".join(Verdict(**verdict).outline() for verdict in document["verdicts"])
            self._say(f"{document['match']}  deal {plan.deal}  {seats}" + (f"  {{{reason}}}" if reason else ""))

    def _say(self, line: str) -> None:
        try:
            print(line, flush=True)
        except (
            BrokenPipeError
        ):  # whoever read us has seen enough; the matches are played and recorded all the same
            self._quiet = True
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())

    def closing(self, summary: dict[str, Any]) -> None:
        """The table, what it means, and what to type next."""
        if self._live:
            print(file=sys.stderr)
        rows = summary["bots"]
        print(
            f"\n{'':<16}{'score':>7}{'95 %':>8}{'games':>7}{'first':>7}{'points':>9}{'forfeits':>10}{'ms/move':>9}"
        )
        for row in rows:
            margin = "" if row["margin"] is None else f"±{100 * row['margin']:.1f}"
            print(
                f"{row['bot']:<16}{100 * row['score']:>6.1f}%{margin:>8}{row['games']:>7}{row['first']:>7}"
                f"{row['points']:>9.1f}{row['forfeits']:>10}{row['ms_per_move']:>9.2f}"
            )
        print(conclusion(rows))
        for match in summary["matches"]:
            if match["verdicts"]:
                print(f"{match['match']}: {match['verdicts'][0]['text']}.")
                break
        if summary["matches"]:
            last = summary["matches"][-1]["match"]
            print(f"Next: arena replay {last} --seat 0   |   arena verify {last}")
