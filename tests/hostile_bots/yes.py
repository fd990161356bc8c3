# expect: OUTPUT
# Writes for ever without ever ending a line.
import os

from wire import enter, requests

enter()
for _ in requests():
    while True:
        os.write(1, b"y" * 4096)
