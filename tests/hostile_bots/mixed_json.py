# expect: PROTOCOL
# Speaks JSON lines, and answers in msgpack frames.
from wire import enter, frame, requests, text

enter()
for _ in requests():
    frame(b"\x81" + text("type") + text("bye"))
