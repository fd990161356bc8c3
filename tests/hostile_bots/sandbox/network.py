# expect: OK
# Calls out by every kind of socket; its arguments are a port, an abstract name and a path where somebody listens.
import socket
import sys

from sandbox.tries import attempt, tell
from wire import enter, play_on

port, abstract, path = int(sys.argv[2]), sys.argv[3], sys.argv[4]


def connect(family, address, kind=socket.SOCK_STREAM):
    with socket.socket(family, kind) as caller:
        caller.settimeout(1)
        caller.connect(address)


def listen(family, address):
    with socket.socket(family) as server:
        server.bind(address)
        server.listen()


def datagram_from_a_pair(address):
    with socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)[0] as one:
        one.sendto(b"hello", address)


def connect_a_pair():
    one, other = socket.socketpair()
    with one, other:
        one.connect("\0" + abstract)


enter()
attempt("loopback", connect, socket.AF_INET, ("127.0.0.1", port))
attempt("loopback 6", connect, socket.AF_INET6, ("::1", port))
attempt("out", connect, socket.AF_INET, ("192.0.2.1", 80), socket.SOCK_DGRAM)
attempt("abstract", connect, socket.AF_UNIX, "\0" + abstract)
attempt("path", connect, socket.AF_UNIX, path)
attempt("listen", listen, socket.AF_INET, ("127.0.0.1", 0))
attempt("listen abstract", listen, socket.AF_UNIX, "\0" + abstract + "-mine")
attempt("datagram abstract", datagram_from_a_pair, "\0" + abstract + "-datagrams")
attempt("datagram path", datagram_from_a_pair, path + "-datagrams")
attempt("connect a pair", connect_a_pair)
for family in range(46):
    for kind in (socket.SOCK_STREAM, socket.SOCK_DGRAM, socket.SOCK_RAW):
        attempt(f"socket {family} {kind}", socket.socket, family, kind)
tell()
play_on()
