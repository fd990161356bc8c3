# expect: IDLE
# Sleeps for ever at its first decision.
from wire import enter, hang, requests

enter()
for _ in requests():
    hang()
