# expect: EXIT
# Exits at its first decision; a child in a session of its own keeps all its pipes open.
import os

from wire import enter, hang, requests

enter()
for _ in requests():
    if os.fork() == 0:
        os.setsid()
        hang()
    os._exit(7)
