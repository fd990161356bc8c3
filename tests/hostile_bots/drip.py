# expect: IDLE
# Keeps the line alive with a blank now and then, and never finishes a message.
import os
import time

from wire import enter, requests

enter()
for _ in requests():
    while True:
        os.write(1, b" ")
        time.sleep(0.01)
