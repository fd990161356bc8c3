"""Bots that reach for what is not theirs: rows A28, A29, A30, D11, D15, D16, D18, and the network."""

from __future__ import annotations

import errno
import os
import pwd
import resource
import signal
import socket
from pathlib import Path

import pytest

from arena.sandbox import Limits
from tests.arena.zoo import HOSTILE_BOTS
from tests.sandbox.cells import expected, play_inside
from tests.sandbox.forms import FORMS, FULL, PYTHON

ROOT = Path(__file__).parent.parent.parent
CANARY = "canary-7f3a"


@pytest.fixture
def treasure(tmp_path: Path) -> list[str]:
    """What lies about on an arena's disk, all of it open to everybody: modes are not what hides it."""
    paths = [tmp_path / name for name in ("arena.sqlite", "secret.key", "bots/other/bot.py", "logs/m-1.log")]
    for path in paths:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(CANARY)
        path.chmod(0o666)
    for folder in [tmp_path, *tmp_path.parents[:3], tmp_path / "bots", tmp_path / "bots/other", tmp_path / "logs"]:
        if folder.stat().st_uid == os.geteuid():
            folder.chmod(folder.stat().st_mode | 0o055)
    return [str(path) for path in paths]


@pytest.mark.parametrize("form", FORMS)
async def test_d15_no_file_of_the_arena_the_system_or_others_can_be_read(form: str, treasure: list[str]) -> None:
    places = [*treasure, *(os.path.dirname(path) for path in treasure)]
    places += [str(ROOT), str(ROOT / "arena"), str(ROOT / "README.md"), str(ROOT / "pyproject.toml")]
    for home in {Path.home(), Path(pwd.getpwuid(0).pw_dir)}:
        places += [str(home / name) for name in ("", ".ssh", ".bash_history", ".config", ".cache")]
    played = await play_inside(form, "snoop", *places)
    assert played.codes == []
    assert played.got["tried"] >= 60
    of_process_1 = {what for what in played.got["got"] if what.startswith("/proc/1/")}
    assert set(played.got["got"]) == of_process_1
    # Process 1 inside is the sandbox's own, and holds nothing that the bot has not (see `look_around`).
    assert not of_process_1 or form in FULL


def what_can_be_changed(path: str) -> tuple[object, ...]:
    stat = os.stat(path)
    return (
        stat.st_mode,
        stat.st_uid,
        stat.st_size,
        stat.st_mtime_ns,
        stat.st_nlink,
        stat.st_ctime_ns,
        os.listxattr(path),
    )


@pytest.mark.parametrize("form", FORMS)
async def test_d15_nothing_outside_its_scratch_folder_can_be_written_or_changed(
    form: str, treasure: list[str]
) -> None:
    before = [(path, what_can_be_changed(path)) for path in treasure]
    played = await play_inside(form, "write_everywhere", *treasure)
    assert played.codes == []
    assert played.got["got"] == []
    for path, found in before:
        assert Path(path).read_text() == CANARY
        assert what_can_be_changed(path) == found


@pytest.mark.parametrize("form", FORMS)
async def test_d16_no_other_process_can_be_looked_into(form: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ARENA_SECRET", CANARY)
    played = await play_inside(form, "proc_snoop", str(os.getpid()))
    assert played.codes == []
    own = {what for what in played.got["got"] if what.endswith(" of 1")}
    assert set(played.got["got"]) == own, "nothing but the sandbox's own process 1"
    assert played.got["seen"] == (2 if form in FULL else 0)
    assert not [command for command in played.got["commands"] if str(HOSTILE_BOTS) in command]


@pytest.mark.parametrize("form", FORMS)
async def test_d11_d18_a_bot_is_given_an_allow_list_of_words_and_three_descriptors(
    form: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ARENA_SECRET", CANARY)
    with open(__file__, "rb") as inherited:
        os.set_inheritable(inherited.fileno(), True)
        played = await play_inside(form, "look_around", limits=Limits(processes=17, descriptors=99, file_mb=3))
    given = played.got["environment"]
    assert set(given) - {"PWD", "LC_CTYPE"} == {"PATH", "LANG", "ARENA_ENCODING", "HOME", "TMPDIR"}
    assert CANARY not in str(given)
    assert played.got["descriptors"] == [0, 1, 2]
    assert played.got["limits"]["RLIMIT_NOFILE"] == [99, 99]
    assert played.got["limits"]["RLIMIT_FSIZE"] == [3 << 20, 3 << 20]
    assert played.got["limits"]["RLIMIT_CORE"] == [0, 0]
    assert played.got["uid"] != 0
    assert 0 not in played.got["groups"]
    if form in FULL:
        assert (given["HOME"], given["TMPDIR"], given["PWD"]) == ("/tmp", "/tmp", "/bot")
        assert played.got["host"] == "bot"
        assert played.got["root_of_1"] or "as a user" not in form, "process 1 sees no more than the bot"
        assert played.got["limits"]["RLIMIT_NPROC"] == [17, 17]


@pytest.mark.parametrize("form", FORMS)
async def test_no_socket_leads_out(form: str, tmp_path: Path) -> None:
    abstract, path = f"arena-test-{os.getpid()}", str(tmp_path / "socket")
    with socket.create_server(("127.0.0.1", 0)) as tcp, socket.socket(socket.AF_UNIX) as unix:
        unix.bind("\0" + abstract)
        unix.listen()
        with (
            socket.socket(socket.AF_UNIX) as by_path,
            socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as datagrams,
        ):
            by_path.bind(path)
            by_path.listen()
            datagrams.bind("\0" + abstract + "-datagrams")
            os.chmod(path, 0o777)
            played = await play_inside(form, "network", str(tcp.getsockname()[1]), abstract, path)
    assert played.codes == []
    assert played.got["got"] == []


@pytest.mark.parametrize("form", FORMS)
async def test_a28_the_arena_is_not_killed_stopped_traced_slowed_or_limited(form: str) -> None:
    before = (
        os.sched_getscheduler(0),
        os.getpriority(os.PRIO_PROCESS, 0),
        resource.getrlimit(resource.RLIMIT_NOFILE),
    )
    signals: list[int] = []
    ordinary = signal.signal(signal.SIGURG, lambda number, _: signals.append(number))
    try:
        played = await play_inside(form, "meddle", str(os.getpid()))
    finally:
        signal.signal(signal.SIGURG, ordinary)
    assert signals == []
    assert played.codes == []
    # A signal to everybody succeeds when there is nobody it may reach.
    assert set(played.got["got"]) <= {"kill everybody"}
    assert played.got["itself"] and played.got["threads"], "what it does to itself is its own affair"
    after = (
        os.sched_getscheduler(0),
        os.getpriority(os.PRIO_PROCESS, 0),
        resource.getrlimit(resource.RLIMIT_NOFILE),
    )
    assert before == after


@pytest.mark.parametrize("form", FORMS)
async def test_a29_limits_priority_and_identity_stay_as_they_are(form: str) -> None:
    played = await play_inside(form, "raise_limits")
    assert played.codes == []
    assert played.got["got"] == []


@pytest.mark.parametrize("form", FORMS)
async def test_the_kernel_refuses_what_no_player_needs(form: str) -> None:
    played = await play_inside(form, "nested")
    assert played.codes == []
    assert played.got["got"] == ["clone nothing new"]
    refusals = played.got["refusals"]
    assert set(refusals.values()) <= {errno.EPERM, errno.ENOSYS, errno.ENOLCK}, "the filter, not a bad argument"
    assert refusals["io_uring"] == refusals["clone3"] == errno.ENOSYS
    assert len(refusals) >= 9


@pytest.mark.parametrize("form", FORMS)
async def test_a30_no_file_survives_to_the_next_start(form: str) -> None:
    first, second = [await play_inside(form, "leave_files") for _ in range(2)]
    assert first.got["found"] == second.got["found"] == []
    assert second.got["left"], "it could write somewhere, or nothing was tried"


@pytest.mark.parametrize("form", ["full", "reduced"])
async def test_a30_a_deep_folder_is_taken_away_as_well(form: str) -> None:
    played = await play_inside(form, "leave_files", "deep")
    assert played.codes == []
    assert played.got["left"]


def test_every_bot_of_the_folder_says_what_it_expects() -> None:
    names = {path.stem for path in (HOSTILE_BOTS / "sandbox").glob("*.py")} - {"__init__", "tries"}
    assert {expected(name) for name in names} == {"OK", "EXIT", "MEMORY", "nothing"}
    assert os.path.exists(PYTHON)
