"""What may be said when, on both sides, and what happens to the rest."""

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from protocol_strategies import from_arena, from_bot

from protocol.codec import CODECS
from protocol.errors import LocalProtocolError, RemoteProtocolError
from protocol.framing import Whole
from protocol.messages import FRAME_LIMIT, FROM_ARENA, FROM_BOT, Answer, Bye, Choice, Hello, Prepare, Ready
from protocol.session import PATIENCE, RECEIVED, SENT, TABLES, Session, State, agree
from protocol.vectors import SAMPLES

BY_TAG = {type(message).__struct_config__.tag: message for message in SAMPLES.values()}
HELLO = BY_TAG["hello"]
ANSWER = SAMPLES["answer, one choice"]

both = pytest.mark.parametrize("codec", CODECS.values(), ids=CODECS)


def pair(codec=CODECS["msgpack"]):
    return Session("arena", codec), Session("bot", codec)


def say(speaker, listener, *tags):
    """One side speaks, the other must understand."""
    for tag in tags:
        assert listener.receive(speaker.send(BY_TAG[tag])) == [BY_TAG[tag]]


def ready(codec=CODECS["msgpack"]):
    arena, bot = pair(codec)
    say(bot, arena, "hello")
    say(arena, bot, "welcome", "prepare")
    say(bot, arena, "ready")
    return arena, bot


def bring_to(state):
    arena, bot = ready() if state in (State.READY, State.SWITCHING) else pair()
    steps = [State.NEW, State.GREETED, State.IDLE, State.PREPARING]
    if state in steps:
        for step, speaker, listener, tag in (
            (1, bot, arena, "hello"),
            (2, arena, bot, "welcome"),
            (3, arena, bot, "prepare"),
        ):
            if steps.index(state) >= step:
                say(speaker, listener, tag)
    if state is State.SWITCHING:
        say(arena, bot, "prepare")
    if state is State.CLOSED:
        say(arena, bot, "bye")
    assert arena.state is bot.state is state
    return arena, bot


def framed(session_codec, message):
    return Session("arena", session_codec).framing.frame(session_codec.encode(message))


@both
def test_a_whole_conversation_is_understood_by_both(codec):
    arena, bot = ready(codec)
    assert arena.state is bot.state is State.READY
    say(arena, bot, "start", "start", "ask", "ask")
    say(bot, arena, "answer")
    say(arena, bot, "forced", "ask")
    say(bot, arena, "answer")
    say(arena, bot, "error", "end")
    say(arena, bot, "prepare")
    say(bot, arena, "answer", "ready")
    say(arena, bot, "end", "start", "ask", "bye")
    assert arena.closed and bot.closed


def test_requests_packed_by_hand_are_an_ask():
    arena, bot = ready()
    ask = SAMPLES["ask, two requests with events"]
    packed = [arena.codec.pack_request(msgspec.to_builtins(request)) for request in ask.requests]
    assert bot.receive(arena.send_requests(packed)) == [ask]


@pytest.mark.parametrize("state", State)
@pytest.mark.parametrize("tag", FROM_ARENA)
def test_the_arena_says_what_its_table_allows_and_nothing_else(state, tag):
    arena, bot = bring_to(state)
    after = TABLES["arena"][state].get((SENT, tag))
    if after is None:
        with pytest.raises(LocalProtocolError, match=tag):
            arena.send(BY_TAG[tag])
        assert arena.state is state
    else:
        say(arena, bot, tag)
        assert arena.state is bot.state is after


@pytest.mark.parametrize("state", [state for state in State if state is not State.CLOSED])
@pytest.mark.parametrize("tag", FROM_BOT)
def test_the_arena_hears_what_its_table_allows_and_complains_of_the_rest(state, tag):
    arena, _ = bring_to(state)
    (heard,) = arena.receive(framed(arena.codec, BY_TAG[tag]))
    after = TABLES["arena"][state].get((RECEIVED, tag))
    if after is None:
        assert isinstance(heard, RemoteProtocolError) and not heard.fatal
        assert heard.text.endswith(f"got {tag}") and heard.text.startswith("expected ")
        assert arena.state is state
    else:
        assert heard == BY_TAG[tag] and arena.state is after


@pytest.mark.parametrize(
    ("state", "tag", "text"),
    [
        (State.NEW, "answer", "expected hello, got answer"),
        (State.GREETED, "ready", "expected nothing before welcome, got ready"),
        (State.IDLE, "ready", "expected nothing before prepare, got ready"),
        (State.PREPARING, "answer", "expected ready, got answer"),
        (State.READY, "hello", "expected answer, got hello"),
        (State.SWITCHING, "hello", "expected answer or ready, got hello"),
    ],
)
def test_a_message_out_of_order_is_told_what_was_expected(state, tag, text):
    arena, _ = bring_to(state)
    (error,) = arena.receive(framed(arena.codec, BY_TAG[tag]))
    assert error.text == text


def test_a_message_of_the_other_role_cannot_be_sent():
    arena, bot = pair()
    for session, tag in ((arena, "hello"), (bot, "welcome")):
        with pytest.raises(LocalProtocolError):
            session.send(BY_TAG[tag])
        assert session.state is State.NEW


def test_requests_cannot_be_sent_before_the_bot_is_ready():
    arena, _ = pair()
    with pytest.raises(LocalProtocolError):
        arena.send_requests([])
    assert arena.state is State.NEW


def test_the_tables_mirror_each_other():
    for state, moves in TABLES["arena"].items():
        other = {(SENT if who is RECEIVED else RECEIVED, tag): after for (who, tag), after in moves.items()}
        assert TABLES["bot"][state] == other


def test_every_message_may_be_said_somewhere_and_every_state_left():
    said = {tag for moves in TABLES["arena"].values() for _, tag in moves}
    assert said == {*FROM_BOT, *FROM_ARENA}
    for state, moves in TABLES["arena"].items():
        assert state is State.CLOSED or State.CLOSED in moves.values()


@both
def test_a_bad_frame_does_not_lose_the_good_ones_around_it(codec):
    arena, _ = ready(codec)
    good = framed(codec, ANSWER)
    bad = arena.framing.frame(codec.encode(ANSWER)[:-1])
    first, error, last = arena.receive(good + bad + good)
    assert first == last == ANSWER
    assert isinstance(error, RemoteProtocolError) and not error.fatal
    assert arena.state is State.READY and arena.broken is None


def test_a15_good_frames_before_a_fatal_fault_are_heard_and_nothing_after_it():
    arena, _ = ready()
    good = framed(arena.codec, ANSWER)
    heard = arena.receive(good + b"\xff\xff\xff\xff" + good)
    assert heard[0] == ANSWER and len(heard) == 2
    assert heard[1].fatal and heard[1].code == "OUTPUT" and arena.broken is heard[1]
    assert arena.receive(good) == []


def test_a7_to_a9_answers_nobody_asked_for_are_left_to_the_referee():
    arena, _ = ready()
    stranger = Answer((Choice("f" * 16, 0),))
    assert arena.receive(framed(arena.codec, stranger) * 2) == [stranger, stranger]


@both
def test_after_bye_nothing_more_is_heard(codec):
    arena, _ = ready(codec)
    assert arena.receive(framed(codec, Bye()) + framed(codec, ANSWER)) == [Bye()]
    assert arena.receive(framed(codec, ANSWER)) == [] and arena.state is State.CLOSED


def test_an_answer_that_crosses_our_bye_is_no_fault():
    arena, bot = ready()
    late = bot.send(ANSWER)
    bot.receive(arena.send(Bye()))
    assert arena.receive(late) == []


def test_an_answer_that_crosses_another_prepare_is_no_fault():
    arena, bot = ready()
    late = bot.send(ANSWER)
    say(arena, bot, "prepare")
    assert arena.receive(late) == [ANSWER]
    say(bot, arena, "ready")


def test_a_stream_of_nothing_but_mistakes_is_read_no_further():
    arena, _ = ready()
    heard = arena.receive(bytes(4) * 10_000)
    assert len(heard) == PATIENCE
    assert [error.fatal for error in heard] == [False] * (PATIENCE - 1) + [True]
    assert heard[-1].text == f"{PATIENCE} bad messages in a row, the last: empty message (byte 0 of 0)"
    assert arena.broken is heard[-1] and arena.receive(framed(arena.codec, ANSWER)) == []


def test_a_good_message_restores_patience():
    arena, _ = ready()
    some = bytes(4) * (PATIENCE - 1) + framed(arena.codec, ANSWER)
    assert len(arena.receive(some * 5)) == 5 * PATIENCE and arena.broken is None


@both
def test_b1_an_unfinished_message_is_counted(codec):
    arena, _ = ready(codec)
    frame = framed(codec, ANSWER)
    assert arena.receive(frame + frame[:10]) == [ANSWER]
    assert arena.pending == 10


@both
def test_receiving_by_halves_is_receiving(codec):
    arena, _ = ready(codec)
    raw = arena.frames(framed(codec, ANSWER) * 2)
    assert raw == [codec.encode(ANSWER)] * 2
    assert [arena.read(payload) for payload in raw] == [ANSWER] * 2


@both
def test_a_carrier_that_keeps_messages_apart_needs_no_frames(codec):
    arena, bot = Session("arena", codec, Whole()), Session("bot", codec, Whole())
    assert bot.send(HELLO) == codec.encode(HELLO)
    assert arena.receive(codec.encode(HELLO)) == [HELLO]


def test_a_bot_may_receive_a_view_longer_than_it_may_send():
    arena, bot = pair()
    say(bot, arena, "hello")
    say(arena, bot, "welcome")
    long = Prepare("sheepzzz", {"text": "x" * FRAME_LIMIT}, 1)
    assert bot.receive(arena.send(long)) == [long]


def test_a_bot_cannot_send_more_than_the_limit():
    bot = Session("bot", CODECS["msgpack"])
    with pytest.raises(LocalProtocolError, match="the limit is 65536"):
        bot.send(Hello((1,), "x" * FRAME_LIMIT))
    assert bot.state is State.NEW


@given(st.lists(st.tuples(st.sampled_from(["arena", "bot"]), st.data()), max_size=12), st.sampled_from([*CODECS]))
def test_two_sessions_never_disagree_whatever_they_try_to_say(attempts, name):
    arena, bot = pair(CODECS[name])
    for who, data in attempts:
        speaker, listener = (arena, bot) if who == "arena" else (bot, arena)
        words = from_arena if who == "arena" else from_bot
        # The likely next word first, so that conversations get somewhere.
        allowed = sorted(tag for way, tag in TABLES[who][speaker.state] if way is SENT and tag != "bye")
        message = data.draw(words[data.draw(st.sampled_from([*allowed, *words]))])
        before = speaker.state
        try:
            frame = speaker.send(message)
        except LocalProtocolError:
            assert speaker.state is before
        else:
            assert listener.receive(frame) == [message]
        assert arena.state is bot.state


@pytest.mark.parametrize(
    ("offered", "text"),
    [((9,), "arena speaks protocol 1, bot offered 9"), ((0, 2), "arena speaks protocol 1, bot offered 0, 2")],
)
def test_b15_a_version_we_do_not_speak_is_told(offered, text):
    with pytest.raises(RemoteProtocolError) as caught:
        agree(Hello(offered, "tiger"))
    assert (caught.value.text, caught.value.path) == (text, "protocol")


def test_b15_a_game_the_bot_does_not_play_is_told():
    with pytest.raises(RemoteProtocolError) as caught:
        agree(Hello((1,), "tiger", games=("wolfpack", "volle_wolle")), "sheepzzz")
    assert caught.value.text == "the bot does not list sheepzzz among its games: wolfpack, volle_wolle"
    assert caught.value.path == "games"


def test_b15_versions_and_games_in_common_are_agreed():
    assert agree(Hello((2, 1), "tiger", games=("sheepzzz",)), "sheepzzz") == 1
    assert agree(Hello((1,), "tiger"), "sheepzzz") == 1
    assert agree(Hello((1,), "tiger", games=("wolfpack",))) == 1


def test_b15_a_long_list_of_games_is_cut():
    with pytest.raises(RemoteProtocolError) as caught:
        agree(Hello((1,), "tiger", games=("\x1b" * 64,) * 64), "sheepzzz")
    assert len(caught.value.text) < 120 and caught.value.text.isprintable()


def test_b17_the_encoding_does_not_change_in_the_middle():
    arena, _ = ready()
    (error,) = arena.receive(CODECS["json"].encode(Ready()) + b"\n")
    assert error.fatal and "expected msgpack frames, got JSON lines" in error.text
