# expect: PROTOCOL
# Answers with the id of the request in capital letters.
from wire import enter, one, requests, say

enter()
for request in requests():
    say(one({"id": request["id"].upper() + "F"}))
