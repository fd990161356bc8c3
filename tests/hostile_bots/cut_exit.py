# expect: EXIT
# Exits in the middle of a message.
import os

from wire import enter, requests

enter()
for _ in requests():
    os.write(1, b'{"type":"answer","answ')
    os._exit(0)
