"""The little a hostile bot needs to get as far as a match: JSON lines and msgpack frames written by hand.

Whatever the arena complains about goes to stderr, where its tests can read that the bot was told.
"""

import json
import os
import sys
import time


def say(message):
    os.write(1, json.dumps(message, separators=(",", ":")).encode() + b"\n")


def log(message):
    os.write(2, json.dumps(message).encode() + b"\n")


def messages():
    for line in sys.stdin.buffer:
        message = json.loads(line)
        if message["type"] in ("forced", "error", "end", "bye"):
            log(message)
        yield message


def enter(**hello):
    """Say hello, wait for `prepare`, say ready."""
    say({"type": "hello", "protocol": [1], "name": "hostile"} | hello)
    for message in messages():
        if message["type"] == "prepare":
            say({"type": "ready"})
            return
        if message["type"] == "bye":
            sys.exit()


def requests():
    for message in messages():
        if message["type"] == "ask":
            yield from message["requests"]


def one(request, choice=0, **more):
    return {"type": "answer", "answers": [{"id": request["id"], "choice": choice, **more}]}


def play_on():
    """Be a good bot from now on."""
    for request in requests():
        say(one(request))


def hang():
    while True:
        time.sleep(60)


def text(word):
    return bytes([0xA0 + len(word)]) + word.encode()


def frame(payload):
    os.write(1, len(payload).to_bytes(4, "big") + payload)


def frames():
    while size := int.from_bytes(sys.stdin.buffer.read(4), "big"):
        yield sys.stdin.buffer.read(size)


def asks_by_frames():
    """The same in msgpack: gets ready, then yields every `ask` as it came."""
    frame(b"\x83" + text("type") + text("hello") + text("protocol") + b"\x91\x01" + text("name") + text("hostile"))
    for payload in frames():
        if text("prepare") in payload[:20]:
            frame(b"\x81" + text("type") + text("ready"))
        if text("ask") in payload[:20]:
            yield payload
