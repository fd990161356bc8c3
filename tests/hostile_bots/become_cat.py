# expect: PROTOCOL
# Turns into a program that says back whatever it hears.
import os

from wire import enter

enter()
os.execv("/bin/cat", ["cat"])
