"""How the bots of this folder try things: whatever works is written down as got, whatever fails is not.

They run as modules (`python -m sandbox.snoop`), so that `wire` is found in the folder above.
"""

import ctypes
import os

from wire import log

libc = ctypes.CDLL(None, use_errno=True)
got = []


def attempt(what, action, *arguments):
    """True results and None count as got; False and any error do not."""
    try:
        result = action(*arguments)
    except (OSError, ValueError, MemoryError):
        return
    if result is None or result:
        got.append(what)


def call(number, *arguments):
    """A system call by number; an error is raised."""
    words = [ctypes.c_long(word) if isinstance(word, int) else word for word in arguments]
    result = libc.syscall(ctypes.c_long(number), *words)
    if result < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return True


def tell(**more):
    log({"type": "got", "got": got, **more})
