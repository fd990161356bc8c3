"""Everything between your bot and the arena, in one file: copy it next to your bot.

A bot is a function.  It gets what its seat may see and the options it may choose from, and returns
the index of one of them:

    from flock_bot import run

    run(lambda view, options: 0)

A bot that remembers is a class; every match gets an instance of its own:

    from flock_bot import run

    class Counter:
        def start(self, start):             # optional; start["seat"], start["seats"], start["clock"], ...
            self.asked = 0

        def ask(self, request):             # request["view"], request["options"], request["time_ms"], ...
            self.asked += 1
            return request["default"], f"decision {self.asked}"

        def end(self, end):                 # optional; end["ranks"], end["scores"], ...
            print("rank", end["ranks"], "after", self.asked, "decisions")

    run(Counter, tables=4)

A bot that is quickest with many questions at a time, as neural networks are, gets all that are due now:

    run(choose_many=lambda requests: [request["default"] for request in requests], tables=64)

Say `tables = 64` in bot.toml as well: then one process plays up to 64 matches at once.

All may return `(index, note)` in place of an index: the note, up to 200 characters, is kept in the
replay.  Messages are dicts as the arena sent them; later versions may add keys, never take any away.

- From `run` on, `print` is safe and goes to stderr; `input()` fails at once, as there is nobody to type.
- If your code raises, the traceback goes to stderr, the request's default is played and the match goes on.
- If you import `random` before `run`, every match seeds it with what the arena sent (also in
  `flock_bot.seed`), so that the same match can be played again.
- `ARENA_ENCODING` says how messages are written: `json` (lines, and the default) or `msgpack`.
- On another machine than the arena: `run(bot, url="wss://arena.example", token="…")`, with `flock_remote.py`
  beside this file.  It plays until you stop it; when the line breaks it comes back, and nothing is lost.
"""

from __future__ import annotations

import os
import sys
from time import monotonic

# `typing` loads slowly, and nothing but annotations needs it.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import Any

    Message = dict[str, Any]

PROTOCOL = 1
READ_SIZE = 1 << 16
NOTE_CHARS = 200

# An arena reads frames of 64 KiB at most; with the longest notes these many answers still fit.
ANSWERS_TOGETHER = 50
# Who thinks for longer than this sends each answer at once, so that no table waits for another.
QUICK_SECONDS = 0.001

seed = ""
"""What the arena last sent for this bot's own randomness; empty before `welcome`."""


def run(
    bot: Callable[[Any, list[Any]], Any] | Any = None,
    *,
    choose_many: Callable[[list[Message]], Iterable[Any]] | None = None,
    name: str | None = None,
    version: str = "0.1",
    games: Iterable[str] = (),
    tables: int = 1,
    wants: str = "view",
    prepare: Callable[[str, dict[str, Any]], object] | None = None,
    url: str | None = None,
    token: str = "",
) -> None:
    """Play until the arena says `bye` or hangs up.

    `bot` is a function `choose(view, options)`, a class with a method `ask(request)`, or an object
    with one, which then plays all matches; or there is `choose_many(requests)`, which returns a choice
    for each.  `name` is by default that of the script's folder, no
    `games` means any, `tables` is how many matches may go on at once, and `wants` is "view",
    "events" or "both".  `prepare(game, variant)` is the place to load what takes long.  `url` and
    `token` lead to an arena on another machine.
    """
    if (bot is None) == (choose_many is None):
        raise TypeError("run takes a bot or choose_many, and not both")
    hello = {
        "type": "hello",
        "protocol": [PROTOCOL],
        "name": name or _folder_name(),
        "version": version,
        "games": list(games),
        "tables": tables,
        "wants": wants,
    }
    while url is not None:  # there, `bye` is the end of one sitting, and the next may come
        from flock_remote import Remote  # type: ignore[import-not-found]

        with Remote(url, token) as remote:
            remote.send(hello)
            _converse(remote, _Players(bot, choose_many), prepare)
    arena = _Arena(os.environ.get("ARENA_ENCODING", "json"))
    try:
        arena.send(hello)
        _converse(arena, _Players(bot, choose_many), prepare)
    except BrokenPipeError:
        pass  # the arena hung up while we spoke: the same end as `bye`


def _converse(arena: _Arena, players: _Players, prepare: Callable[[str, dict[str, Any]], object] | None) -> None:
    for message in arena.messages():
        kind = message.get("type")
        if kind == "ask":
            _answer(arena, players, message["requests"])
        elif kind in ("start", "end"):
            if message.get("seed"):
                _sow(message["seed"])
            players.tell(message)
        elif kind == "welcome":
            _sow(message.get("seed", ""))
        elif kind == "prepare":
            if prepare is not None:
                prepare(message["game"], message["variant"])
            arena.send({"type": "ready"})
        elif kind in ("forced", "error"):
            _complain(message)
        elif kind == "bye":
            return


def _answer(arena: _Arena, players: _Players, requests: list[Message]) -> None:
    answers: list[Message] = []
    began = monotonic()
    for answer in players.answers(requests):
        answers.append(answer)
        if len(answers) == ANSWERS_TOGETHER or monotonic() - began > QUICK_SECONDS:
            arena.send({"type": "answer", "answers": answers})
            answers = []
            began = monotonic()
    if answers:
        arena.send({"type": "answer", "answers": answers})


def _sow(sent: str) -> None:
    global seed
    seed = sent
    # A bot that draws no random numbers need not pay for the module.
    if "random" in sys.modules:
        sys.modules["random"].seed(seed)


def _complain(message: Message) -> None:
    said = " ".join(f"{key}={value!r}" for key, value in message.items() if key != "type")
    print(f"flock_bot: the arena says {message['type']}: {said}")


def _report(error: Exception) -> None:
    # What Python itself does with an exception nobody caught; the module `traceback` loads slowly.
    sys.excepthook(type(error), error, error.__traceback__)


def _folder_name() -> str:
    return os.path.basename(os.path.dirname(os.path.abspath(sys.argv[0])))[:64] or "bot"


class _Function:
    """A player made of `choose(view, options)`."""

    def __init__(self, choose: Callable[[Any, list[Any]], Any]) -> None:
        self._choose = choose

    def ask(self, request: Message) -> Any:
        return self._choose(request.get("view"), request["options"])


class _Players:
    """Who sits at which match; no exception of theirs gets past here."""

    def __init__(self, bot: Any, choose_many: Callable[[list[Message]], Iterable[Any]] | None = None) -> None:
        self._choose_many = choose_many
        everywhere = bot if hasattr(bot, "ask") else _Function(bot)
        self._invite: Callable[[], Any] = bot if isinstance(bot, type) else lambda: everywhere
        self._seated: dict[str, Any] = {}

    def tell(self, message: Message) -> None:
        """Call the player's method of the same name as the message, if there is one."""
        try:
            listen = getattr(self._player(message["match"]), message["type"], None)
            if listen is not None:
                listen(message)
        except Exception as error:
            _report(error)
        if message["type"] == "end":
            self._seated.pop(message["match"], None)

    def answers(self, requests: list[Message]) -> Iterator[Message]:
        if self._choose_many is None:
            yield from map(self._answer, requests)
            return
        try:
            choices = list(self._choose_many(requests))
            if len(choices) != len(requests):
                raise ValueError(f"choose_many gave {len(choices)} choices for {len(requests)} requests")
        except Exception as error:
            _report(error)
            choices = [(request["default"], _excuse(error)) for request in requests]
        yield from map(self._answer, requests, choices)

    def _answer(self, request: Message, *chosen: Any) -> Message:
        """In the arena's form; who has not chosen yet is asked now."""
        try:
            said = chosen[0] if chosen else self._player(request["match"]).ask(request)
            choice, note = said if type(said) is tuple else (said, "")
            if type(choice) is not int or not 0 <= choice < len(request["options"]):
                choice = _index(choice, request["options"])
        except Exception as error:
            _report(error)
            choice, note = request["default"], _excuse(error)
        if not note:
            return {"id": request["id"], "choice": choice}
        return {"id": request["id"], "choice": choice, "note": _sendable(note)}

    def _player(self, match: str) -> Any:
        if match not in self._seated:
            self._seated[match] = self._invite()
        return self._seated[match]


def _excuse(error: Exception) -> str:
    return f"exception: {type(error).__name__}: {error}"


def _index(choice: Any, options: list[Any]) -> int:
    """The plain number behind a choice: numpy has integers of its own."""
    if not hasattr(choice, "__index__"):
        raise TypeError(f"the answer is the index of an option, a number, not {choice!r}")
    number = int(choice.__index__())
    if not 0 <= number < len(options):
        raise IndexError(f"the answer {number} is no index: the options are 0 to {len(options) - 1}")
    return number


def _sendable(note: object) -> str:
    # The arena refuses what would garble the line in which a note is shown.
    return "".join(char if char.isprintable() else " " for char in str(note)[:NOTE_CHARS])


class _Arena:
    """The pipes to the arena, taken away from everybody else in this process."""

    def __init__(self, encoding: str) -> None:
        if encoding not in ("json", "msgpack"):
            sys.exit(f'flock_bot: ARENA_ENCODING is "{encoding}"; it can be json or msgpack')
        self._codec = _Msgpack() if encoding == "msgpack" else _JsonLines()
        self._from_arena, self._to_arena = _take_pipes()

    def send(self, message: Message) -> None:
        frame = self._codec.frame(message)
        written = os.write(self._to_arena, frame)
        while written < len(frame):  # a signal may cut a long write short
            written += os.write(self._to_arena, frame[written:])

    def messages(self) -> Iterator[Message]:
        return self._codec.messages(self._from_arena)


def _take_pipes() -> tuple[int, int]:
    """Keep the real stdin and stdout; leave an empty one and stderr to prints, libraries and children."""
    from_arena, to_arena = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    if sys.stdout is not None:
        sys.stdout.flush()
    sys.stdout = sys.stderr
    return from_arena, to_arena


class _Msgpack:
    """Four bytes of length, then a map."""

    def __init__(self) -> None:
        try:
            import msgpack
        except ImportError:
            sys.exit(
                "flock_bot: ARENA_ENCODING is msgpack but Python has no module of that name here; "
                'install msgpack, or say encoding = "json" in bot.toml'
            )
        self._pack = msgpack.Packer().pack
        self._unpack = msgpack.unpackb

    def frame(self, message: Message) -> bytes:
        payload: bytes = self._pack(message)
        return len(payload).to_bytes(4, "big") + payload

    def messages(self, pipe: int) -> Iterator[Message]:
        waiting = bytearray()
        while piece := os.read(pipe, READ_SIZE):
            waiting += piece
            while len(waiting) >= 4:
                end = 4 + int.from_bytes(waiting[:4], "big")
                if end > len(waiting):
                    break
                payload = waiting[4:end]
                del waiting[:end]
                yield self._unpack(payload)


class _JsonLines:
    """One object on one line."""

    def __init__(self) -> None:
        import json

        self._dump = json.JSONEncoder(separators=(",", ":"), ensure_ascii=False).encode
        self._load = json.loads

    def frame(self, message: Message) -> bytes:
        return self._dump(message).encode() + b"\n"

    def messages(self, pipe: int) -> Iterator[Message]:
        waiting: list[bytes] = []
        while piece := os.read(pipe, READ_SIZE):
            *ended, rest = piece.split(b"\n")
            for end in ended:
                line = b"".join([*waiting, end])
                waiting = []
                if line.strip():
                    yield self._load(line)
            waiting.append(rest)
