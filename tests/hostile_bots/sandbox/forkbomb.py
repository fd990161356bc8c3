# expect: OK
# Makes as many processes as it can, which all stay.
import os

from sandbox.tries import tell
from wire import enter, hang, play_on

enter()
made = 0
for _ in range(600):
    try:
        if os.fork() == 0:
            hang()
    except OSError:
        break
    made += 1
tell(made=made)
play_on()
