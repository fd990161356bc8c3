# expect: PROTOCOL
# Sends bytes that are no text.
import os

from wire import enter, requests

enter()
for _ in requests():
    os.write(1, b'{"type":"\xff\xfe"}\n')
