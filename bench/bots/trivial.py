"""The same as trivial.c in Python: answers every request with its default, with msgpack and nothing else."""

from __future__ import annotations

import os

import msgpack


def main() -> None:
    pack, unpack = msgpack.Packer().pack, msgpack.unpackb

    def say(message: dict[str, object]) -> None:
        payload = pack(message)
        os.write(1, len(payload).to_bytes(4, "big") + payload)

    say({"type": "hello", "protocol": [1], "name": "trivial"})
    held = b""
    while piece := os.read(0, 1 << 16):
        held += piece
        while len(held) >= 4 and len(held) - 4 >= (size := int.from_bytes(held[:4], "big")):
            message = unpack(held[4 : 4 + size])
            held = held[4 + size :]
            if message["type"] == "ask":
                answers = [{"id": asked["id"], "choice": asked["default"]} for asked in message["requests"]]
                say({"type": "answer", "answers": answers})
            elif message["type"] == "prepare":
                say({"type": "ready"})
            elif message["type"] == "bye":
                return


if __name__ == "__main__":
    main()
