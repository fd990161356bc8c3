"""Small bad manners of a process, one per act: `python -S -E acts.py ACT [ARGUMENT]`.  Standard library only."""

import os
import signal
import sys

SAMPLE = bytes(range(33, 57))


def say(data):
    while data:
        data = data[os.write(1, data) :]


def echo():
    while data := os.read(0, 65536):
        say(data)


def echo_once():
    say(os.read(0, 65536))


def count(n):
    say(b"".join(b"%d\n" % i for i in range(int(n))))


def drip():
    for i in range(len(SAMPLE)):
        say(SAMPLE[i : i + 1])


def cut(n):
    say(SAMPLE[: int(n)])


def measure(n):
    """Read so many bytes and tell how many came, and whether their order was kept."""
    data = b""
    while len(data) < int(n):
        data += os.read(0, 4096)
    kept = all(data[i] == i % 251 for i in range(0, len(data), 97))
    say(b"%d %d" % (len(data), kept))


def deaf():
    say(b"here")
    signal.pause()


def close_input():
    os.close(0)
    say(b"closed")
    signal.pause()


def close_input_late():
    os.read(0, 1)
    close_input()


def close_output():
    say(b"last")
    os.close(1)
    signal.pause()


def leave(code):
    os._exit(int(code))


def crash(name):
    say(b"last")
    os.kill(os.getpid(), signal.Signals[name])


def ignore_the_end():
    say(b"here")
    while True:
        os.read(0, 1)
        signal.pause()


def complain(n):
    """Write so many bytes to the error output, then a message."""
    line = b"oh dear, oh dear, oh dear, what\n" * 1024
    for _ in range(int(n) // len(line)):
        os.write(2, line)
    os.write(2, b"last words")
    say(b"done")
    echo()


def flood():
    while True:
        os.write(1, b"y\n" * 32768)


def descriptors():
    is_open = []
    for fd in range(256):
        try:
            os.fstat(fd)
        except OSError:
            continue
        is_open.append(fd)
    say(repr(is_open).encode())


def spin():
    say(b"here")
    while True:
        pass


def hold_pipe():
    """A child in the same group keeps the pipes open; the parent leaves."""
    if os.fork() == 0:
        signal.pause()
    say(b"last")


def hold_pipe_far_away():
    """The same in a session of its own."""
    if os.fork() == 0:
        os.setsid()
        say(b"%d\n" % os.getpid())
        signal.pause()


def daemon():
    """A grandchild that left the group, holds nothing and heeds no signal; the bot plays on."""
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
                signal.signal(number, signal.SIG_IGN)
            say(b"%d\n" % os.getpid())
            os.closerange(0, 3)
            while True:
                signal.pause()
        os._exit(0)
    os.wait()
    echo()


if __name__ == "__main__":
    globals()[sys.argv[1]](*sys.argv[2:])
