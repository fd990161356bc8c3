# expect: START
# Sleeps for ever before it says hello.
from wire import hang

hang()
