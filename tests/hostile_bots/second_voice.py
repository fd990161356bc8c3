# expect: PROTOCOL
# A child of it talks nonsense on the same line.
import os

from wire import enter, requests

enter()
for _ in requests():
    if os.fork() == 0:
        for _ in range(3):
            os.write(1, b"nonsense\n")
        os._exit(0)
    os.wait()
