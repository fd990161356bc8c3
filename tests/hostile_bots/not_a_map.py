# expect: PROTOCOL
# Sends a list where a message should be.
from wire import enter, requests, say

enter()
for request in requests():
    say([request["id"], 0])
