"""The figures this project promises, each with its goal.  A bench measures and calls `tell`."""

from __future__ import annotations

import operator
from typing import NamedTuple

HEADING = f"{'':<52}{'goal':>10}{'ours':>14}"
"""Above figures that have a goal, but no number."""

REACHES = {"<=": operator.le, ">=": operator.ge}


class Goal(NamedTuple):
    """What is measured, and how it must compare."""

    what: str
    beside: str
    sign: str
    bound: float
    unit: str = "x"


GOALS = {
    "P1": Goal("arena CPU per decision, everything on", "fastchess takes 55 µs a move", "<=", 50, "µs"),
    "P1b": Goal("the same", "a bare epoll ping-pong of the same frames", "<=", 6),
    "P2": Goal("of which transport and framing", "the same ping-pong", "<=", 2),
    "P3": Goal("decisions per second of one worker", "the python-chess driver", ">=", 8),
    "P4": Goal("growth of P1 from 8 to 256 matches", "", "<=", 1.25),
    "P5": Goal("two workers, everything stored", "one worker", ">=", 1.7),
    "P6": Goal("64 tables in one Python bot", "one table", ">=", 4),
    "P7": Goal("CPU per decision over a websocket", "a bare trio-websocket echo", "<=", 1.3),
    "P8": Goal("random play", "OpenSpiel from Python", ">=", 1),
    "P9a": Goal("options, view and encoding per decision", "RLCard uno", ">=", 3),
    "P9b": Goal("options, view and encoding per decision", "PettingZoo texas hold'em", ">=", 25),
    "P10": Goal("imagine and play to the end, SheepZzz", "OpenSpiel gin rummy", ">=", 2),
    "P11": Goal("everything stored", "nothing stored", ">=", 85, "%"),
    "P12": Goal("bytes of a stored SheepZzz match", "its events as JSON lines, gzip", "<=", 0.5),
    "P13": Goal("arena --help", "python -c pass", "<=", 12),
    "P14": Goal("rating 1,000 bots, 1,000,000 games, with errors", "one numpy pass", "<=", 5),
    "P15": Goal("games to Kendall tau .95", "tuned sequential Elo", "<=", 0.4),
    "P16a": Goal("memory of a running match", "", "<=", 100, "kB"),
    "P16b": Goal("memory grown over four times as many matches", "", "<=", 1, "MB"),
    "P17a": Goal("two workers of a cluster, everything stored", "one of them", ">=", 1.6),
    "P17b": Goal("processor time of a match by Dask", "by the local runner", "<=", 1.1),
    "P18": Goal("store, ratings and matchmaker per match, at the end", "at 10,000 matches", "<=", 1.5),
}


def tell(number: str, value: float, note: str = "") -> None:
    """Print a figure beside its goal, in a form that `python -m bench` collects."""
    what, beside, sign, bound, unit = GOALS[number]
    ours, wanted = f"{value:,.2f} {unit}", f"{sign} {bound:g} {unit}"
    verdict = "met" if REACHES[sign](value, bound) else "MISSED"
    against = f"{what} / {beside}" if beside else what
    print(f"{number:<5}{against:<80}{ours:>12}  goal {wanted:<10} {verdict:<7}{note}", flush=True)
