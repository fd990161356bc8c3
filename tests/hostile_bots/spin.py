# expect: TIMEOUT
# Computes for ever at its first decision.
from wire import enter, requests

enter()
for _ in requests():
    while True:
        pass
