# expect: PROTOCOL
# Sends the one byte that msgpack never uses.
from wire import asks_by_frames, frame, text

for _ in asks_by_frames():
    frame(b"\x81" + text("type") + b"\xc1")
