# expect: PROTOCOL
# Chooses an option with ten thousand digits.
import os

from wire import enter, requests

enter()
for request in requests():
    os.write(
        1, b'{"type":"answer","answers":[{"id":"%s","choice":%s}]}\n' % (request["id"].encode(), b"9" * 10000)
    )
