# expect: START
# Says hello without saying what it speaks.
from wire import hang, say

say({"type": "hello", "name": "hostile"})
hang()
