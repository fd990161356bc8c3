# expect: CRASH
# Answers twice, and dies of a bad pointer with the second answer still in the pipe.
import os
import signal

from wire import enter, one, requests, say

enter()
for number, request in enumerate(requests()):
    say(one(request))
    if number:
        os.kill(os.getpid(), signal.SIGSEGV)
