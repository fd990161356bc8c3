# expect: PROTOCOL
# Names its choice twice in one answer.
import os

from wire import enter, requests

enter()
for request in requests():
    os.write(1, b'{"type":"answer","answers":[{"id":"%s","choice":0,"choice":1}]}\n' % request["id"].encode())
