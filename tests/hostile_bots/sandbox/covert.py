# expect: nothing
# A pair that must not be able to talk: `covert send NUMBER` and `covert receive NUMBER`.  No match: it says on
# stdout which channels carried the 32 bits.
import ctypes
import fcntl
import os
import socket
import struct
import sys

libc = ctypes.CDLL(None, use_errno=True)
libc.shmat.restype = ctypes.c_void_p
SHARED = "/usr/bin/env"  # every bot sees it, none may write it
LOCKED = os.open("/usr/bin/id", os.O_RDONLY)  # another, since closing a file gives back all locks on it
role, number = sys.argv[1], int(sys.argv[2])
KEY = number & 0x7FFFFF00  # pairs that run at the same time do not meet
PORT = 20_000 + number % 10_000
bits = [bit for bit in range(32) if number >> bit & 1]
keep = []


def lock(kind, command, start):
    """A lock on one byte, as struct flock has it; whose it is comes back in the same words."""
    return fcntl.fcntl(LOCKED, command, struct.pack("hhqqi4x", kind, 0, start, 1, 0))


class File:
    """A file with an agreed name, somewhere."""

    def __init__(self, path):
        self.path = path

    def send(self):
        with open(self.path, "w") as file:
            file.write(str(number))

    def receive(self):
        with open(self.path) as file:
            return int(file.read())

    def clear(self):
        os.unlink(self.path)


class Locks:
    """A read lock on byte n of a file means bit n."""

    def __init__(self, ask, take):
        self.ask, self.take = ask, take

    def send(self):
        for bit in bits:
            lock(fcntl.F_RDLCK, self.take, bit)

    def receive(self):
        held = [struct.unpack("hhqqi4x", lock(fcntl.F_WRLCK, self.ask, bit))[0] for bit in range(32)]
        return sum(1 << bit for bit, kind in enumerate(held) if kind != fcntl.F_UNLCK)


class Flock:
    """One bit at a time: whether somebody holds the whole file."""

    def send(self):
        keep.append(os.open(SHARED, os.O_RDONLY))
        fcntl.flock(keep[-1], fcntl.LOCK_EX)

    def receive(self):
        with open(SHARED, "rb") as file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                return number
        return None


class Abstract:
    """Names of sockets: one for each bit."""

    def send(self):
        for bit in bits:
            keep.append(socket.socket(socket.AF_UNIX))
            keep[-1].bind(f"\0covert-{number}-{bit}")

    def receive(self):
        taken = 0
        for bit in range(32):
            with socket.socket(socket.AF_UNIX) as caller:
                try:
                    caller.bind(f"\0covert-{number}-{bit}")
                except OSError:
                    taken |= 1 << bit
        return taken


class Loopback:
    """A port on the machine itself."""

    def send(self):
        server = socket.create_server(("127.0.0.1", PORT))
        keep.append(server)

    def receive(self):
        with socket.socket() as caller:
            caller.connect(("127.0.0.1", PORT))
        return number


class SharedMemory:
    """System V."""

    def send(self):
        address = libc.shmat(libc.shmget(KEY, 4096, 0o1666), None, 0)
        if address in (None, ctypes.c_void_p(-1).value):
            raise OSError
        ctypes.memmove(address, number.to_bytes(4, "little"), 4)

    def receive(self):
        address = libc.shmat(libc.shmget(KEY, 4096, 0o666), None, 0)
        if address in (None, ctypes.c_void_p(-1).value):
            raise OSError
        return int.from_bytes(ctypes.string_at(address, 4), "little")

    def clear(self):
        libc.shmctl(libc.shmget(KEY, 4096, 0o666), 0, None)


class Semaphores:
    """System V again: whether each of 32 exists."""

    def send(self):
        for bit in bits:
            if libc.semget(KEY + 1 + bit, 1, 0o1666) < 0:
                raise OSError

    def receive(self):
        return sum(1 << bit for bit in range(32) if libc.semget(KEY + 1 + bit, 1, 0o666) >= 0)

    def clear(self):
        for bit in bits:
            libc.semctl(libc.semget(KEY + 1 + bit, 1, 0o666), 0, 0)


class Keyring:
    """A key of the user; 248 is add_key, 249 request_key, 250 keyctl, on x86-64."""

    def send(self):
        text = str(number).encode()
        if libc.syscall(248, b"user", b"covert", text, len(text), -4) < 0:
            raise OSError

    def receive(self):
        key, text = libc.syscall(249, b"user", b"covert", None, 0), ctypes.create_string_buffer(16)
        size = libc.syscall(250, 11, key, text, 16)
        return int(text.raw[:size])


class Watching:
    """A watch on a shared file: opening it is seen."""

    def send(self):
        open(SHARED, "rb").close()

    def prepare(self):
        self.watch = libc.inotify_init()
        if self.watch < 0 or libc.inotify_add_watch(self.watch, SHARED.encode(), 0x20) < 0:
            raise OSError
        os.set_blocking(self.watch, False)

    def receive(self):
        return number if os.read(self.watch, 4096) else None


class Dates:
    """The date of a shared file."""

    def send(self):
        os.utime(SHARED, (number, number))

    def receive(self):
        return int(os.stat(SHARED).st_mtime)


CHANNELS = {
    "temporary file": File(f"/tmp/covert-{number}"),
    "shared memory file": File(f"/dev/shm/covert-{number}"),
    "file in the bot's folder": File(f"covert-{number}"),
    "var": File(f"/var/tmp/covert-{number}"),
    "record locks": Locks(fcntl.F_GETLK, fcntl.F_SETLK),
    "open file locks": Locks(36, 37),
    "flock": Flock(),
    "abstract sockets": Abstract(),
    "loopback": Loopback(),
    "System V memory": SharedMemory(),
    "System V semaphores": Semaphores(),
    "keyring": Keyring(),
    "inotify": Watching(),
    "dates": Dates(),
}


def ready(action):
    """Do it for every channel; a channel that fails carries nothing."""
    done = []
    for name, channel in CHANNELS.items():
        try:
            if not hasattr(channel, action):
                continue
            if (result := getattr(channel, action)()) == number or (result is None and action != "receive"):
                done.append(name)
        except (OSError, ValueError):
            continue
    return done


def say(words):
    print("; ".join(words) or "nothing", flush=True)


if role == "receive":
    ready("prepare")
    say(["ready"])
    sys.stdin.readline()
    say(ready("receive"))
else:
    say(ready("send"))
    sys.stdin.readline()
    ready("clear")
