"""Every form of sandbox that can be tried here: as the present user, and as an ordinary one if that is root."""

from __future__ import annotations

import os
import shutil
import sys

from arena.sandbox import SANDBOXES, Sandbox
from arena.sandbox.bubblewrap import Bubblewrap
from arena.sandbox.reduced import Reduced

PYTHON = shutil.which("python3", path="/usr/bin:/bin") or sys.executable
"""One that an ordinary user can reach, if there is one."""

NEEDS = () if PYTHON.startswith("/usr") else tuple({sys.prefix, sys.base_prefix})

AS_A_USER = (shutil.which("setpriv") or "setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "--")


def _forms() -> dict[str, Sandbox]:
    if os.geteuid() != 0:
        return {
            "full": SANDBOXES["full"],
            "reduced": SANDBOXES["reduced"],
            "reduced, old kernel": Reduced(landlock=1),
        }
    user = Reduced(as_root=False, before=AS_A_USER, python=PYTHON, grouped=False)
    return {
        "full": SANDBOXES["full"],
        "full, as a user": Bubblewrap(as_root=False, before=AS_A_USER, grouped=False),
        "reduced": SANDBOXES["reduced"],
        "reduced, as a user": user,
        "reduced, old kernel": Reduced(as_root=False, before=AS_A_USER, python=PYTHON, grouped=False, landlock=1),
    }


FORMS = _forms()
FULL = [name for name in FORMS if name.startswith("full")]
REDUCED = [name for name in FORMS if name.startswith("reduced")]
