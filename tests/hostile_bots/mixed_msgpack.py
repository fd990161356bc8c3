# expect: PROTOCOL
# Speaks msgpack frames, and answers in JSON lines.
from wire import asks_by_frames, one, say

for _ in asks_by_frames():
    say(one({"id": "0123456789abcdef"}))
