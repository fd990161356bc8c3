# expect: EXIT
# Gives up at its first decision with a number of its own.
import os

from wire import enter, requests

enter()
for _ in requests():
    os._exit(42)
