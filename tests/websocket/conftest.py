"""Nobody waits long for a goodbye here."""

import pytest

from arena.transports import websocket, websocket_wire


@pytest.fixture(autouse=True)
def short_goodbyes(monkeypatch):
    for module in (websocket, websocket_wire):
        monkeypatch.setattr(module, "GOODBYE_S", 0.1)
