# expect: PROTOCOL
# Sends frames with nothing in them.
import os

from wire import asks_by_frames

for _ in asks_by_frames():
    os.write(1, bytes(4))
