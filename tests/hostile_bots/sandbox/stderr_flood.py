# expect: OK
# Writes 64 MB to its error output while it plays.
import os

from wire import enter, play_on

enter()
for _ in range(1024):
    os.write(2, b"oh dear, oh dear, oh dear, what\n" * 2048)
play_on()
