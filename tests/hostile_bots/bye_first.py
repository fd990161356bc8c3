# expect: START
# Leaves politely instead of getting ready.
from wire import hang, say

say({"type": "hello", "protocol": [1], "name": "hostile"})
say({"type": "bye"})
hang()
