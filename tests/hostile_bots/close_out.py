# expect: EXIT
# Closes its output at its first decision, and keeps running.
import os

from wire import enter, hang, requests

enter()
for _ in requests():
    os.close(1)
    hang()
