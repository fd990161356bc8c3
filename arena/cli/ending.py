"""How a command ends: in an exit code, and if something went wrong for a reason, in a sentence."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Callable
from typing import Any, Final

import typer

from arena.cli.failure import INTERRUPTED, NOT_HERE, USAGE, Failure
from arena.packaged_games import GameRefused

NO_ROOM: Final = (errno.ENOSPC, errno.EDQUOT)
_OUT_OF_REACH: Final = (errno.EACCES, errno.EPERM, errno.ENAMETOOLONG, errno.ELOOP)
"""What a path that was named can be, wherever it is looked at first."""


def ending_of(app: Callable[..., Any]) -> int:
    """Run the command that was typed, and return its exit code."""
    try:
        code = app(prog_name="arena", standalone_mode=False)
        sys.stdout.flush()  # now, while it can still be told that it does not work
    except GameRefused as refused:
        return _tell(Failure(str(refused), NOT_HERE))
    except Failure as failure:
        return _tell(failure)
    except typer.TyperException as wrong:
        return _tell_wrong_word(wrong)
    except BrokenPipeError:
        return _unheard()
    except OSError as error:
        if error.errno in _OUT_OF_REACH and error.filename is not None:
            return _tell(_out_of_reach(error))
        if error.errno not in NO_ROOM:
            raise
        _forget_output()
        what = error.filename or "the output"
        told = Failure(f"{what} cannot be written: {error.strerror}; make room and try again", NOT_HERE)
        return _tell(told, as_json=False)  # stdout is what may be full
    except SystemExit as ending:
        if isinstance(ending.__context__, BrokenPipeError):  # typer's own way to end when nobody reads
            return _unheard()
        raise
    except Exception as error:
        of_the_store = _of_the_store(error)
        if of_the_store is None:
            raise
        return _tell(of_the_store)
    if code == INTERRUPTED:  # typer's word for Ctrl-C where nobody else listened for it
        return _tell(Failure("stopped; what was shown is kept", INTERRUPTED))
    return code if isinstance(code, int) else 0


def _out_of_reach(error: OSError) -> Failure:
    path = os.fsdecode(error.filename)
    if error.errno == errno.ENAMETOOLONG:
        return Failure(f"{path[:40]}… is too long for the name of a file; name a shorter one", USAGE)
    return Failure(f"{path} is out of reach: {error.strerror}; mend its permissions, or name another", NOT_HERE)


def _of_the_store(error: Exception) -> Failure | None:
    """Its errors are known where it was loaded, which takes a while."""
    if "arena.store.errors" not in sys.modules:
        return None
    from arena.cli.place import failure_of
    from arena.store.errors import StoreError

    return failure_of(error) if isinstance(error, StoreError) else None


def _tell(failure: Failure, as_json: bool | None = None) -> int:
    try:
        failure.print("--json" in sys.argv if as_json is None else as_json)
        sys.stdout.flush()
    except OSError:  # there is nobody to be told
        _forget_output()
    return failure.code


def _tell_wrong_word(wrong: typer.TyperException) -> int:
    """A word that typer does not know.  People are shown how the command is used as well."""
    context = getattr(wrong, "ctx", None)
    if context is None or "--json" in sys.argv:
        command = "arena" if context is None else context.command_path
        return _tell(Failure(f"{wrong.format_message().rstrip('.')}; see: {command} -h", wrong.exit_code))
    wrong.show()  # type: ignore[attr-defined]  # whatever has a context can be shown
    return wrong.exit_code


def _unheard() -> int:
    """The reader of our output left, as `head` does: nothing is wrong."""
    _forget_output()
    return 0


def _forget_output() -> None:
    """What is still waiting to be written would be complained about at the very end."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)
