"""A client may say its first words together with the upgrade, and more before it is answered."""

from __future__ import annotations

import trio

import arena.door.admission as admission
from tests.websocket.doors import answer, open_door, request
from tests.websocket.peer import TEXT, masked

HELLO = b'{"type":"hello"}'


async def test_what_follows_the_upgrade_is_heard_after_what_came_with_it(tmp_path, monkeypatch):
    """Whenever the rest of a frame comes, it comes behind its beginning."""
    monkeypatch.setattr(admission, "ENTRANCES", 1 << 30)
    async with open_door(tmp_path, *[f"anna{moment}" for moment in range(40)]) as door:
        for moment in range(40):
            name = f"anna{moment}"
            frame = masked(TEXT, HELLO)
            stream = await door.connect()
            await stream.send_all(request(door.port, door.secrets[name]) + frame[:5])
            for _ in range(moment):
                await trio.sleep(0)
            await stream.send_all(frame[5:])
            await answer(stream)
            with trio.fail_after(5):
                while (guest := door.door.guests.get(name)) is None or guest._greeting != HELLO:
                    await trio.sleep(0.001)
            await stream.aclose()
