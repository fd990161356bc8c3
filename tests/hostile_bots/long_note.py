# expect: PROTOCOL
# Adds an essay to its first answer, a page to its second, and a bell to its third.
from wire import enter, one, play_on, requests, say

enter()
asked = requests()
say(one(next(asked), note="x" * 1025))
say(one(next(asked), note="y" * 1024))
say(one(next(asked), note="<b>\x1b[31m\x07"))
play_on()
