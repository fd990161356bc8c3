"""Why a program cannot be started, in plain words with a remedy.  Looks at files only; starts nothing."""

from __future__ import annotations

import errno
import os
import shutil
from collections.abc import Mapping, Sequence

OUR_FAULT = frozenset({errno.EMFILE, errno.ENFILE, errno.ENOMEM, errno.EAGAIN})
"""The arena ran out of something; no bot can be blamed for it."""

_IN_WORDS = {
    errno.EACCES: "it may not be executed here; is it on a disk mounted noexec, or a folder we may not enter?",
    errno.E2BIG: "its arguments and environment are too long",
    errno.ETXTBSY: "the file is still open for writing; close it or try again",
    errno.EMFILE: "the arena has too many files open; raise `ulimit -n`",
    errno.ENFILE: "the system has too many files open",
    errno.ENOMEM: "the system is out of memory",
    errno.EAGAIN: "the system allows no more processes; raise `ulimit -u`",
}


class StartError(Exception):
    """A bot could not be started; the text says why and what to do."""

    def __init__(self, text: str, number: int | None = None) -> None:
        super().__init__(text)
        self.errno = number
        self.our_fault = number in OUR_FAULT


def obstacle(argv: Sequence[str], *, cwd: str, env: Mapping[str, str]) -> StartError | None:
    """What certainly keeps this command from starting, or None; asks no kernel, so a sandbox may ask it too."""
    if not os.path.isdir(cwd):
        return StartError(f"the folder {cwd} does not exist", errno.ENOENT)
    command = argv[0]
    if "/" not in command:
        return _not_on_path(command, env)
    path = os.path.join(cwd, command)
    if not os.path.exists(path):
        return StartError(f"{command} does not exist in {cwd}; check the name and where it is", errno.ENOENT)
    if os.path.isdir(path):
        return StartError(f"{command} is a folder; name the program inside it", errno.EISDIR)
    if not os.access(path, os.X_OK):
        return StartError(f"{command} is not executable; try: chmod +x {command}", errno.EACCES)
    return _bad_first_line(command, path, cwd, env)


def explain(error: OSError, argv: Sequence[str]) -> StartError:
    """Put into words why the system refused a command that had no visible obstacle."""
    command = argv[0]
    if error.errno == errno.ENOEXEC:
        return StartError(
            f"{command} is no program for this machine: a script needs a first line that names its interpreter "
            "(such as #!/usr/bin/env python3), a compiled program must be built for this processor",
            error.errno,
        )
    if error.errno == errno.ENOENT:
        return StartError(
            f"{command} asks for a loader or library that does not exist here; build it for this system, "
            "or link it statically",
            error.errno,
        )
    words = _IN_WORDS.get(error.errno or 0, error.strerror or str(error))
    return StartError(f"{command} cannot be started: {words}", error.errno)


def _not_on_path(command: str, env: Mapping[str, str]) -> StartError | None:
    if _find(command, env):
        return None
    return StartError(
        f"there is no program called {command} on the PATH ({':'.join(os.get_exec_path(env))}); install it, "
        f"or write ./{command} if it is a file in the bot's folder",
        errno.ENOENT,
    )


def _bad_first_line(command: str, path: str, cwd: str, env: Mapping[str, str]) -> StartError | None:
    try:
        with open(path, "rb") as file:
            line, newline, _ = file.read(256).partition(b"\n")
    except OSError:
        return None
    if not line.startswith(b"#!"):
        return None
    if newline and line.endswith(b"\r"):
        return StartError(
            f"the first line of {command} ends in a Windows line break; convert it with dos2unix, "
            f"or sed -i 's/\\r$//' {command}",
            errno.ENOENT,
        )
    missing = _missing_interpreter(line[2:].decode(errors="replace").split(), cwd, env)
    if missing is None:
        return None
    return StartError(
        f"the first line of {command} asks for {missing}, which does not exist here; "
        "install it or correct the line",
        errno.ENOENT,
    )


def _missing_interpreter(words: list[str], cwd: str, env: Mapping[str, str]) -> str | None:
    if not words:
        return None
    interpreter, *arguments = words
    if not os.path.exists(os.path.join(cwd, interpreter)):
        return interpreter
    if os.path.basename(interpreter) != "env":
        return None
    # `env` itself starts, and complains only when nobody listens to it any more.
    if arguments and arguments[0] in ("-S", "--split-string"):
        del arguments[0]
    if not arguments or arguments[0].startswith("-") or "=" in arguments[0]:
        return None
    return None if _find(arguments[0], env) else arguments[0]


def _find(command: str, env: Mapping[str, str]) -> str | None:
    return shutil.which(command, path=os.pathsep.join(os.get_exec_path(env)))
