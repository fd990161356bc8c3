# expect: PROTOCOL
# Wraps its answer in a thousand lists.
import os

from wire import enter, requests

enter()
for _ in requests():
    os.write(1, b'{"type":"answer","answers":' + b"[" * 1000 + b"]" * 1000 + b"}\n")
