# expect: IDLE
# Closes its input once it is ready, and keeps running.
import os

from wire import enter, hang

enter()
os.close(0)
hang()
