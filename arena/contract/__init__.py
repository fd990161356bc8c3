"""What every game must hold: nothing hidden gets out, no card is lost, a copy is a copy.  For any rulebook.

from arena.contract import check_game

check_game(MyGame, seats=3)      # raises Broken, which names the check and the place
"""

from __future__ import annotations

from arena.contract.positions import Report, check_class, check_game, transcript
from arena.contract.traced import Broken

__all__ = ["Broken", "Report", "check_class", "check_game", "transcript"]
