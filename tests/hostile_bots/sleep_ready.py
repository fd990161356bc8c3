# expect: START
# Says hello, tells stderr what it is loading, and never gets ready.
from wire import hang, log, say

say({"type": "hello", "protocol": [1], "name": "hostile"})
log("loading weights.bin \x1b[31m")
hang()
