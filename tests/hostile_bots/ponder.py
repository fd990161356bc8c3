# expect: OK
# Goes on thinking while the others decide.
import threading

from wire import enter, play_on


def think():
    while True:
        sum(range(1000))


enter()
threading.Thread(target=think, daemon=True).start()
play_on()
