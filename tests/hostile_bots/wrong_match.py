# expect: PROTOCOL
# Answers with ids of another match, which an accomplice leaks into a file.
import sys
import time

from wire import enter, one, requests, say

enter()
for _ in requests():
    ids = []
    while not ids:
        time.sleep(0.001)
        with open(sys.argv[1]) as leaked:
            ids = [line.strip() for line in leaked if line.endswith("\n")]
    for id in (ids[-1], ids[0], "f" * 16):
        say(one({"id": id}, 0))
