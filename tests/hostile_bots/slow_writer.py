# expect: OK
# Writes its answers byte by byte, in time.
import json
import os

from wire import enter, one, requests

enter()
for request in requests():
    for byte in json.dumps(one(request)).encode() + b"\n":
        os.write(1, bytes([byte]))
