"""Compiles the rules, the referee's path and the search of `seer` with mypyc.

An option: nothing needs it, and nothing waits for it.

    python hatch_build.py build/compiled           a copy of the checkout whose hot modules are compiled
    make wheel-compiled                            a wheel that holds them (off unless asked for)

Python stays the source, and the form that runs without a compiler.  Nothing is compiled beside a source in
the checkout: there an old module would hide a new one.  The copy is made anew and rebuilt as sources change.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

try:
    from hatchling.builders.hooks.plugin.interface import BuildHookInterface
except ImportError:  # run by hand
    BuildHookInterface = object  # type: ignore[assignment,misc]

ROOT = Path(__file__).parent
COMPILED = (
    *("arena/chance.py", "arena/zones.py", "arena/table.py", "arena/guessing.py", "arena/showing.py"),
    *("arena/variants.py",),
    *("arena/events.py", "arena/game.py", "arena/games/*.py", "arena/clock.py", "arena/match.py"),
    *(f"arena/packing/{name}.py" for name in ("codebook", "events", "inputs", "outline")),
    *(f"arena/bots/{name}.py" for name in ("freezing", "holding", "live")),
    *("arena/referee.py", "arena/transports/stdio.py"),
    *("sample_bots/seer/search.py", "sample_bots/seer/hunches/*.py"),
    *("protocol/codec.py", "protocol/framing.py", "protocol/session.py"),
)
COPIED = ("arena", "protocol", "ladders", "sample_bots", "tests", "bench", "hatch_build.py", "pyproject.toml")
STAMP = "compiled.sha256"
GROUP = "arena"
"""Names the one library that all compiled modules share: arena__mypyc."""

# A rulebook's `deck: Zone = zone(FACE_DOWN)` declares.  To mypyc it would be the default of an attribute, so the
# declaration is put beside it, under the name by which `Game` finds it.
DECLARATION = re.compile(r"^    (\w+): (.+?) = ((?:zone|zones|public)\()", re.MULTILINE)
DECLARED = r"    \1: \2; _declared_\1: _ClassVar[_Any] = \3"

# Rulebooks may be written against the compiled kernel in plain Python, as those of the tests are.
OPEN_CLASS = re.compile(r"^(class (?:\w*Table|Game|Variant)\b|class \w+\(Game\))", re.MULTILINE)
OPENED = r"@_mypyc_attr(allow_interpreted_subclasses=True)\n\1"

# Asking, a rulebook hands its methods over, of which the kernel wants the names: compiled, naming them is quicker.
ASKING = re.compile(r"(\bself\.ask(?:_all)?\(.+?, )self\.(\w+), self\.(\w+)\b(?!\()")
ASKED = r'\1"\2", "\3"'

# Values that others take apart with `vars` stay ordinary classes: mypyc leaves alone what has a strange decorator.
VALUE_CLASS = re.compile(r"^(@dataclass\(frozen=True\)\nclass (?!Variant)\w+:)", re.MULTILINE)
LEFT_ALONE = r"@_left_alone\n\1"

FUTURE = "from __future__ import annotations\n"
NEEDED = """import typing as _typing
from typing import Any as _Any, ClassVar as _ClassVar
if _typing.TYPE_CHECKING:
    from mypy_extensions import mypyc_attr as _mypyc_attr
def _left_alone(kind: _Any) -> _Any: return kind
"""


def modules(root: Path) -> list[Path]:
    """What is compiled, relative to the root."""
    return sorted(path.relative_to(root) for pattern in COMPILED for path in root.glob(pattern))


def stamp(root: Path) -> str:
    """A digest of all that the compiled form depends on: every module that lies beside a compiled one."""
    seen = hashlib.sha256(f"{sys.version} {_version_of_mypyc()}".encode())
    folders = sorted({path.parent for path in modules(root)})
    beside = [path for folder in folders for path in sorted((root / folder).glob("*.py"))]
    for path in [root / "hatch_build.py", *beside]:
        seen.update(f"{path.relative_to(root)}\0".encode() + path.read_bytes() + b"\0")
    return seen.hexdigest()


def copy_of_the_checkout(target: Path) -> None:
    """Put a copy at `target`, compiled; what was compiled from the same sources before is kept."""
    target.mkdir(parents=True, exist_ok=True)
    for name in COPIED:
        _copy(ROOT / name, target / name)
    made, sources = target / STAMP, stamp(target)  # of the copy: the checkout may change while it is compiled
    if made.exists() and made.read_text() == sources:
        return
    print("compiling the rules and the referee's path: a minute or two", flush=True)  # noqa: T201
    made.unlink(missing_ok=True)
    for old in target.rglob("*.so"):
        old.unlink()
    compile_into(target, target)
    made.write_text(sources)


def compile_into(target: Path, root: Path) -> list[Path]:
    """Compile the hot modules below `root` to shared libraries at `target`; their paths relative to it."""
    with tempfile.TemporaryDirectory() as scratch:
        workshop = Path(scratch) / "sources"
        for name in ("arena", "protocol", "sample_bots"):
            _copy(root / name, workshop / name)
        for path in modules(root):
            _make_ready(workshop / path)
        # A process of its own: mypyc reads modules from where it stands.
        command = [sys.executable, "-c", _BUILD, GROUP, *map(str, modules(root))]
        if subprocess.run(command, cwd=workshop, check=False).returncode:
            sys.exit("The modules cannot be compiled here, as said above; plain Python runs without.")
        built = [path.relative_to(workshop) for path in _libraries(workshop)]
        for path in built:
            (target / path).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(workshop / path, target / path)
    return built


# What costs is the room that code takes in the processor's cache.  What only runs when something goes wrong is
# declared cold: the compiler then puts all code that leads there apart from the rest.  Nothing but modules is
# visible from outside, and no stack is guarded: generated code keeps no text there that could overflow.
_BUILD = """
import re, sys
from pathlib import Path
import mypyc
from mypyc.build import mypycify
from setuptools import Distribution
group, *files = sys.argv[1:]
runtime = Path(mypyc.__file__).parent / "lib-rt" / "CPy.h"
troubles = "CPy_AddTraceback|CPy_TypeErrorTraceback|CPy_TypeError|CPyError_OutOfMemory|CPy_Raise"
flags = ["-fvisibility=hidden", "-fno-stack-protector", "-fno-plt", "-fno-semantic-interposition"]
declared = re.findall(rf"^void (?:{troubles})[(].*?;", runtime.read_text(), re.MULTILINE | re.DOTALL)
cold = Path("cold.h")
coldly = "__attribute__((cold)) "
cold.write_text("".join(["typedef struct _object PyObject;", *(coldly + one for one in declared)]))
options = ["--config-file=", "--ignore-missing-imports", "--no-warn-unused-ignores"]
extensions = mypycify([*options, *files], opt_level="3", debug_level="0", multi_file=True, group_name=group)
for extension in extensions:
    extension.extra_compile_args += [*flags, "-include", str(cold.resolve())]
command = Distribution({"name": group, "ext_modules": extensions}).get_command_obj("build_ext")
command.inplace, command.parallel = True, True
command.ensure_finalized()
command.run()
"""


def _make_ready(source: Path) -> None:
    text = source.read_text("utf-8")
    changes = ((DECLARATION, DECLARED), (OPEN_CLASS, OPENED), (VALUE_CLASS, LEFT_ALONE), (ASKING, ASKED))
    for construct, replacement in changes:
        text = construct.sub(replacement, text)
    source.write_text(text.replace(FUTURE, FUTURE + NEEDED, 1), "utf-8")


def _copy(source: Path, target: Path) -> None:
    """The same files, and of what was there before only compiled modules."""
    if source.is_file():
        shutil.copy2(source, target)
        return
    for old in target.rglob("*") if target.exists() else ():
        if old.is_file() and old.suffix != ".so":
            old.unlink()
    shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__", "build"), dirs_exist_ok=True)


def _libraries(folder: Path) -> Iterator[Path]:
    return (path for path in sorted(folder.rglob("*.so")) if "build" not in path.relative_to(folder).parts)


def _version_of_mypyc() -> str:
    try:
        from mypy.version import __version__
    except ImportError:
        return "no mypyc"
    return str(__version__)


class CompiledHook(BuildHookInterface):  # type: ignore[misc,unused-ignore]
    """Adds the compiled modules to a wheel."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:  # noqa: ARG002
        """Compile, and say that this wheel is for this kind of machine only."""
        target = Path(self.directory) / "compiled"
        shutil.rmtree(target, ignore_errors=True)
        build_data["pure_python"] = False
        build_data["infer_tag"] = True
        build_data["force_include"] |= {str(target / path): str(path) for path in compile_into(target, ROOT)}


if __name__ == "__main__":
    if len(sys.argv) != 2 or os.path.realpath(sys.argv[1]) == os.path.realpath(ROOT):
        sys.exit(f"{(__doc__ or '').strip()}\n\nName a folder to build in, and not the checkout itself.")
    copy_of_the_checkout(Path(sys.argv[1]).resolve())
