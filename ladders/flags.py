"""What should be known about a bot beside its number, in a word and in words."""

from __future__ import annotations

from collections.abc import Mapping

FLAGS: Mapping[str, str] = {
    "unrated": "has met nobody yet",
    "few blocks": "has played too few blocks",
    "few wins": "has hardly won, so its number leans on the prior",
    "few losses": "has hardly lost, so its number leans on the prior",
    "unconnected": "cannot be compared with the main group by results alone",
    "remembers deals": "does better or worse when it meets a deal again than luck explains",
}
