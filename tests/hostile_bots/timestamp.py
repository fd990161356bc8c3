# expect: PROTOCOL
# Sends a point in time where a message should be.
from wire import asks_by_frames, frame

for _ in asks_by_frames():
    frame(b"\xd6\xff" + bytes(4))
