"""The listening side: who knocks is heard out, let in or told why not, and waits to be seated.

The request and its answer are trio-websocket's work; what is hard about strangers (how many, how long, how often,
from where) is decided here.  It plays no match and knows no ladder.
"""

from __future__ import annotations

import errno
import secrets
import socket
import ssl
from collections.abc import Callable
from functools import partial
from typing import Final

import trio
from trio_websocket import WebSocketRequest, wrap_server_stream

from arena.bots.manifest import Bot
from arena.door.admission import Admission
from arena.door.doorstep import Doorstep
from arena.door.guest import Guest
from arena.door.request import Refusal, Visit, look_at
from arena.door.terms import DoorError, DoorTerms
from arena.door.tokens import TokenError, Tokens
from arena.transports import Hub, Link, Owner, StartError
from arena.transports.websocket import WebsocketLink
from arena.transports.websocket_line import Line, SocketLine, StreamLine
from arena.transports.websocket_wire import PING_S, Parting, Wire

KNOCKING_S: Final = 10.0
"""So long a visitor may take to ask properly."""

LINGER_S: Final = 1.0
LINGERING: Final = 64
"""So many are told why they are turned away; each takes a descriptor that our own bots may need."""
LOOK_S: Final = 1.0
BACKLOG: Final = 4096

REVOKED: Final = 4401
ALREADY_HERE: Final = 4409
START_ANEW: Final = 4410
_SILENT_NS: Final = round((PING_S + 2) * 1e9)

_TOO_MANY: Final = b"Too many are at the door; try again a little later.\n"
_TOO_OFTEN: Final = b"You came in too often within a minute.\n"


def _say_nothing(text: str) -> None:
    """Nobody listens."""


class Door:
    """`run` it beside a running hub; `take` seats a bot that is here."""

    def __init__(self, hub: Hub, terms: DoorTerms, say: Callable[[str], None] = _say_nothing) -> None:
        self.terms = terms
        self.tokens = Tokens(terms.token_file)
        self.port = terms.port
        self.guests: dict[str, Guest] = {}
        """By name, whoever has come in and has not left."""
        self.dropped: Callable[[WebsocketLink], None] | None = None
        """Called when the connection of a bot breaks."""
        self._hub = hub
        self._say = say
        self._admission = Admission()
        self._seen: dict[str, int] = {}
        self._lingering = 0
        self._news = trio.Event()

    @property
    def url(self) -> str:
        """Where bots connect."""
        scheme = "wss" if self.terms.certificate else "ws"
        host = f"[{self.terms.host}]" if ":" in self.terms.host else self.terms.host
        return f"{scheme}://{host}:{self.port}"

    async def run(self, task_status: trio.TaskStatus[None] = trio.TASK_STATUS_IGNORED) -> None:
        """Listen until cancelled; raises DoorError if that is not possible."""
        self.terms.check()
        context = self.terms.context()
        listeners = await self._listen()
        self.port = listeners[0].socket.getsockname()[1]
        looks = self._hub.every(LOOK_S, self._look_at_tokens)
        task_status.started()
        try:
            await trio.serve_listeners(partial(self._visit, context), listeners)
        finally:
            looks.cancel()

    async def _listen(self) -> list[trio.SocketListener]:
        try:
            return await trio.open_tcp_listeners(self.terms.port, host=self.terms.host, backlog=BACKLOG)
        except OSError as error:
            if error.errno == errno.EADDRINUSE:
                raise DoorError(f"port {self.terms.port} is in use (try --bots-port 0)") from None
            raise DoorError(f"cannot listen at {self.terms.host} port {self.terms.port}: {error}") from None

    # --- Seating ------------------------------------------------------------------------------------

    def take(self, bot: Bot, owner: Owner) -> Link:
        """Seat a bot that is here; raises StartError otherwise."""
        guest = self.guests.get(bot.name)
        if guest is None or not guest.here:
            raise StartError("it is not connected")
        return guest.seat(owner)

    def here(self, name: str) -> Guest | None:
        """A bot that could be seated now."""
        guest = self.guests.get(name)
        return guest if guest is not None and guest.here else None

    async def until(self, condition: Callable[[], bool]) -> None:
        """Return when it holds; looked at whenever somebody comes or goes."""
        while not condition():
            await self._news.wait()

    def knows(self, name: str) -> bool:
        """Whether it is here, at a table, or was a moment ago."""
        guest = self.guests.get(name)
        if guest is None:
            return False
        if guest.link.alive:
            self._seen[name] = self._hub.now_ns()
        return self._hub.now_ns() - self._seen.get(name, 0) < self.terms.grace_s * 1e9

    def may_stay(self, name: str) -> None:
        """A match is over: who has lost its token meanwhile has to go."""
        guest = self.guests.get(name)
        if guest is not None and not self._is_known(guest):
            guest.link.refuse(REVOKED, "the token was revoked")

    # --- At the door --------------------------------------------------------------------------------

    async def _visit(self, context: ssl.SSLContext | None, stream: trio.SocketStream) -> None:
        try:
            address = str(stream.socket.getpeername()[0])
        except OSError:  # gone already
            return await trio.aclose_forcefully(stream)
        if not self._admission.may_stand_here(address):
            return await self._turn_away(stream, encrypted=context is not None)
        visitor: trio.abc.Stream = stream
        if context is not None:
            visitor = trio.SSLStream(stream, context, server_side=True, https_compatible=True)
        welcome: tuple[Visit, bytes] | None = None
        try:
            with trio.move_on_after(KNOCKING_S):
                welcome = await self._hear_out(visitor)
        finally:
            self._admission.steps_aside(address)
        if welcome is None:
            return await trio.aclose_forcefully(visitor)
        if context is None:
            plain = socket.socket(fileno=stream.socket.detach())
            return self._let_in(SocketLine(self._hub, plain), *welcome)
        line = StreamLine(self._hub, visitor)
        self._let_in(line, *welcome)
        return await line.gone.wait()  # trio closes the stream of a handler that returns

    async def _turn_away(self, stream: trio.SocketStream, *, encrypted: bool) -> None:
        if self._lingering == LINGERING:
            return await trio.aclose_forcefully(stream)
        self._lingering += 1
        try:
            await _turn_away(stream, encrypted=encrypted)
        finally:
            self._lingering -= 1

    async def _hear_out(self, stream: trio.abc.Stream) -> tuple[Visit, bytes] | None:
        """Have trio-websocket read the request and write our answer; None for whoever stays outside."""
        welcome = None
        our_bug: Exception | None = None
        try:
            async with trio.open_nursery() as nursery:
                step = Doorstep(stream, nursery.cancel_scope.cancel)
                request = await wrap_server_stream(nursery, step)
                try:
                    answer = self._answer(step, request)
                except Exception as error:
                    our_bug = error
                    raise
                if isinstance(answer, Refusal):
                    await _refuse(request, answer)
                else:
                    await request.accept(subprotocol=answer.subprotocol)
                    welcome = answer, step.rest
                nursery.cancel_scope.cancel()
        except* Exception:
            # A broken stream, or the library's own trouble with what a stranger sent: wsproto reads headers as
            # ASCII and host names as IDNA, and lets the error out.  One visitor's affair, not the door's.
            pass
        if our_bug is not None:
            raise our_bug
        return welcome

    def _answer(self, step: Doorstep, request: WebSocketRequest) -> Visit | Refusal:
        try:
            answer = look_at(step, request.path, request.proposed_subprotocols, self.terms, self.tokens)
        except TokenError as error:
            self._say(str(error))
            return Refusal(503, b"", 60)
        if isinstance(answer, Visit):
            guest = self.guests.get(answer.token.name)
            if guest is not None and guest.forgiven():
                self._admission.was_sent_out(answer.token.name)
            wait_s = self._admission.seconds_to_wait(answer.token.name, trio.current_time())
            if wait_s:
                return Refusal(429, _TOO_OFTEN, wait_s)
            self._admission.enters(answer.token.name, trio.current_time())
        return answer

    def _let_in(self, line: Line, visit: Visit, first: bytes) -> None:
        """The upgrade is done: a bot comes back, comes anew, or is one too many."""
        self._find_a_place(line, visit, first)
        self._hub.settle(self._hub.now_ns())

    def _find_a_place(self, line: Line, visit: Visit, first: bytes) -> None:
        guest = self.guests.get(visit.token.name)
        link = None if guest is None else guest.link
        if guest is not None and link is not None and link.alive:
            if visit.session and guest.session == visit.session and link.text == visit.text:
                if not link.can_go_on(visit.got, visit.begins):
                    return self._show_out(line, START_ANEW, "too much was missed: start anew")
                link.connect(line, first, got=visit.got, begins=visit.begins)
                return self._wake()
            if link.connected and link.silent_ns < _SILENT_NS:
                self._admission.was_sent_out(visit.token.name)
                return self._show_out(line, ALREADY_HERE, "already connected")
            link.give_up("came back as another process")
        if visit.got or visit.begins:
            return self._show_out(line, START_ANEW, "this conversation is not known: start anew")
        return self._welcome(line, visit, first)

    def _welcome(self, line: Line, visit: Visit, first: bytes) -> None:
        name = visit.token.name
        guest = Guest(self._hub, visit.token, visit.session, self._left)
        guest.link = WebsocketLink(
            self._hub,
            owner=guest,
            name=name,
            text=visit.text,
            grace_s=self.terms.grace_s,
            silent_s=self.terms.silent_s,
        )
        guest.link.on_drop = self.dropped
        self.guests[name] = guest
        guest.link.connect(line, first)
        self._say(f"{name} is at the door")
        self._wake()

    def _show_out(self, line: Line, code: int, text: str) -> None:
        wire = Wire(self._hub, line, _Nobody(), text=True)
        wire.begin()
        wire.close(code, text)

    def _left(self, guest: Guest) -> None:
        if self.guests.get(guest.name) is guest:
            del self.guests[guest.name]
            self._say(f"{guest.name} left")
        self._wake()

    def _look_at_tokens(self, now_ns: int, lag_ns: int) -> None:  # noqa: ARG002
        for guest in [guest for guest in self.guests.values() if not guest.seated]:
            if not self._is_known(guest):
                guest.link.refuse(REVOKED, "the token was revoked")

    def _is_known(self, guest: Guest) -> bool:
        try:
            return self.tokens.known().get(guest.name) == guest.token
        except TokenError:
            return True  # unreadable for now: nobody is sent away for that

    def _wake(self) -> None:
        self._news.set()
        self._news = trio.Event()


class _Nobody:
    """Hears a connection that is only told why it is closed."""

    def wire_brought(self, wire: Wire, message: bytes, now_ns: int, lag_ns: int) -> None:
        """Nothing."""

    def wire_is_clear(self, wire: Wire, now_ns: int) -> None:
        """Nothing."""

    def wire_ended(self, wire: Wire, parting: Parting) -> None:
        """Nothing."""


async def _refuse(request: WebSocketRequest, refusal: Refusal) -> None:
    headers = [(b"Connection", b"close"), (b"Cache-Control", b"no-store")]
    if refusal.status == 401:
        headers.append((b"WWW-Authenticate", b'Bearer realm="arena"'))
    if refusal.wait_s:
        headers.append((b"Retry-After", b"%d" % refusal.wait_s))
    await request.reject(refusal.status, extra_headers=headers, body=refusal.body)


async def _turn_away(stream: trio.SocketStream, *, encrypted: bool) -> None:
    """Answer without having heard the question; one who expects TLS cannot be answered."""
    if not encrypted:
        # Drawn at random: they all came at once, and must not come back at once.
        wait = b"%d" % (1 + secrets.randbelow(3))
        head = b"HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\nRetry-After: " + wait
        answer = b"%s\r\nContent-Length: %d\r\n\r\n%s" % (head, len(_TOO_MANY), _TOO_MANY)
        with trio.move_on_after(LINGER_S):
            try:
                await stream.send_all(answer)
                await stream.send_eof()
                while await stream.receive_some(4096):  # closing on unread bytes would tear up our answer
                    pass
            except trio.BrokenResourceError:
                pass
    await trio.aclose_forcefully(stream)
