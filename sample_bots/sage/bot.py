"""Lets a language model play, through any endpoint that speaks the OpenAI chat protocol.

    python bot.py --endpoint http://127.0.0.1:8080/v1 --model NAME [--key-file FILE]
                  [--arena ws://127.0.0.1:8765 --token-file FILE]
                  [--dollars-in 0.5 --dollars-out 1.5]

Without --arena it speaks through its pipes, as bots do that the arena starts; with it, it comes by websocket: in
the sandbox there is no network.  The rules' words come from the package `arena`, which must be installed.  What a
decision took and cost is noted in the replay; the sum goes to stderr when a match is over.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import sys
import urllib.request
from collections.abc import Sequence
from time import monotonic
from typing import Any

if __name__ == "__main__":
    # Appended, not put first: beside the kit lies a folder `random` that would hide the module.
    here = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    sys.path += [here, os.path.dirname(here)]

from arena.games import GAMES
from sample_bots.sage.words import SYSTEM, prompt

RESERVE_S = 0.25
"""For the way back to the arena."""
SHORTEST_S = 0.2
"""With less time than this there is no use in asking again."""
TRIES = 3
LARGEST_REPLY = 1 << 16
NUMBER = re.compile(r"-?\d+")
Message = dict[str, str]


class Unusable(Exception):
    """What came is no choice; the text says why, in words for the model."""


class Model:
    """An endpoint, and what it cost so far."""

    def __init__(
        self, endpoint: str, model: str, key: str = "", dollars_in: float = 0.0, dollars_out: float = 0.0
    ) -> None:
        self.url = f"{endpoint.rstrip('/')}/chat/completions"
        self.model, self._key = model, key
        self.dollars_in, self.dollars_out = dollars_in, dollars_out
        self.asked = self.tokens_in = self.tokens_out = 0

    def reply(self, messages: Sequence[Message], seconds: float) -> str:
        """What it says, or OSError when nothing comes in time."""
        body = json.dumps({"model": self.model, "messages": list(messages), "temperature": 0}).encode()
        headers = {"Content-Type": "application/json"}
        if self._key:
            headers["Authorization"] = f"Bearer {self._key}"
        request = urllib.request.Request(self.url, body, headers)
        self.asked += 1
        until = monotonic() + seconds
        read = b""
        with urllib.request.urlopen(request, timeout=seconds) as answer:
            while (piece := answer.read1(4096)) and len(read) < LARGEST_REPLY:
                read += piece
                if monotonic() > until:
                    raise TimeoutError("the reply came too slowly")
        said = json.loads(read)
        used = said.get("usage") or {}
        self.tokens_in += int(used.get("prompt_tokens") or 0)
        self.tokens_out += int(used.get("completion_tokens") or 0)
        return str(said["choices"][0]["message"]["content"])

    @property
    def dollars(self) -> float:
        """By the prices given, which are for a million tokens."""
        return (self.tokens_in * self.dollars_in + self.tokens_out * self.dollars_out) / 1e6


class Sage:
    """Asks the model for every decision of every match."""

    game = ""

    def __init__(self, model: Model) -> None:
        self.model = model

    def prepare(self, game: str, variant: dict[str, Any]) -> None:  # noqa: ARG002  every view tells the variant
        """Know whose words to use."""
        self.game = game

    def ask(self, request: dict[str, Any]) -> tuple[int, str]:
        """The model's choice; the default when it has none in time."""
        began = monotonic()
        model = self.model
        before = model.asked, model.tokens_in, model.tokens_out, model.dollars
        choice, trouble = self._choose(request, began + request["time_ms"] / 1000 - RESERVE_S)
        tokens = f"{model.tokens_in - before[1]}+{model.tokens_out - before[2]} tokens"
        cost = f", ${model.dollars - before[3]:.5f}" if model.dollars_in or model.dollars_out else ""
        asked = model.asked - before[0]
        note = f"{1000 * (monotonic() - began):.0f} ms, asked {asked}x, {tokens}{cost}"
        return choice, f"{note}; {trouble}" if trouble else note

    def end(self, end: dict[str, Any]) -> None:  # noqa: ARG002
        """Say what it all cost."""
        model = self.model
        print(f"sage: {model.asked} questions, {model.tokens_in}+{model.tokens_out} tokens, ${model.dollars:.4f}")

    def _choose(self, request: dict[str, Any], until: float) -> tuple[int, str]:
        options = len(request["options"])
        if options == 1:
            return 0, ""
        talk = [
            {"role": "system", "content": SYSTEM},
            {"role": "user", "content": prompt(GAMES[self.game], request)},
        ]
        trouble = "no time to ask"
        for _ in range(TRIES):
            left = until - monotonic()
            if left < SHORTEST_S:
                break
            try:
                said = self.model.reply(talk, left)
            except (OSError, ValueError, KeyError, IndexError, TypeError) as error:
                trouble = f"the endpoint failed: {error}"
                continue
            try:
                return choice_in(said, options), ""
            except Unusable as unusable:
                trouble = str(unusable)
                talk += [
                    {"role": "assistant", "content": said[:2000]},
                    {"role": "user", "content": f"{trouble} Reply with one number from 0 to {options - 1}."},
                ]
        return request["default"], f"default: {trouble}"


def choice_in(said: str, options: int) -> int:
    """The number of an option in what was said."""
    try:
        given = json.loads(said)
        found = given.get("choice") if isinstance(given, dict) else given
    except ValueError:
        numbers = NUMBER.findall(said)
        found = int(numbers[-1]) if numbers else None
    if type(found) is not int:
        raise Unusable("There is no number in your reply.")
    if not 0 <= found < options:
        raise Unusable(f"There is no option {found}.")
    return found


def main() -> None:
    """Read the options and play."""
    parser = argparse.ArgumentParser(description="A language model as a bot.")
    parser.add_argument("--endpoint", required=True, help="ends in /v1 for most servers")
    parser.add_argument("--model", required=True)
    parser.add_argument("--key-file", help="a file that holds the key of the endpoint")
    parser.add_argument("--arena", help="where to connect, ws://… or wss://…; by default the pipes are used")
    parser.add_argument("--token-file", help="a file that holds the bot's token for the arena")
    parser.add_argument("--name", default="sage")
    parser.add_argument("--dollars-in", type=float, default=0.0, help="for a million tokens asked")
    parser.add_argument("--dollars-out", type=float, default=0.0, help="for a million tokens answered")
    given = parser.parse_args()
    sage = Sage(Model(given.endpoint, given.model, _read(given.key_file), given.dollars_in, given.dollars_out))
    from flock_bot import run  # type: ignore[import-not-found]

    run(sage, name=given.name, prepare=sage.prepare, url=given.arena, token=_read(given.token_file))


def _read(path: str | None) -> str:
    if path is None:
        return ""
    try:
        with open(path, encoding="utf-8") as file:
            return file.read().strip()
    except OSError as error:
        sys.exit(f"sage: {path} cannot be read: {error.strerror}")


if __name__ == "__main__":
    main()
