# expect: OUTPUT
# Announces a message of four gigabytes.
import os

from wire import asks_by_frames

for _ in asks_by_frames():
    os.write(1, b"\xff\xff\xff\xff")
