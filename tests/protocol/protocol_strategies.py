"""Any message that may be said, for Hypothesis."""

from hypothesis import strategies as st

from protocol.messages import (
    Answer,
    Ask,
    Bye,
    Choice,
    ClockRules,
    End,
    Error,
    Forced,
    Hello,
    Limits,
    Prepare,
    Ready,
    Request,
    Start,
    Welcome,
)

ints = st.integers(-(2**63), 2**64 - 1)
signed = st.integers(-(2**63), 2**63 - 1)


def text(most=20, least=0):
    """Text that keeps the rules."""
    bad = "\0\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
    letters = st.characters(exclude_categories=["Cs"], exclude_characters=bad)
    return st.text(letters, min_size=least, max_size=most)


def tuples(of, most, least=0):
    return st.lists(of, min_size=least, max_size=most).map(tuple)


# A float without a fraction may come back from JSON as one, but not equal in type; halves are safe.
floats = st.integers(-1000, 1000).map(lambda n: n + 0.5)
plain = st.recursive(
    st.none() | st.booleans() | signed | floats | text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(text(8), inner, max_size=3),
    max_leaves=8,
)
maps = st.dictionaries(text(8), plain, max_size=4)
ids = text(16, 16)
choices = st.builds(Choice, id=ids, choice=ints, note=text(60))
requests = st.builds(
    Request,
    match=text(),
    id=ids,
    move=signed,
    question=text(),
    options=st.lists(plain, max_size=4),
    default=signed,
    time_ms=signed,
    view=st.none() | maps,
    events=st.none() | st.lists(plain, max_size=4),
)

from_bot = {
    "hello": st.builds(
        Hello,
        protocol=tuples(ints, 16, 1),
        name=text(64, 1),
        version=text(64),
        games=tuples(text(64), 5),
        tables=st.integers(1, 1024),
        wants=st.sampled_from(["view", "events", "both"]),
    ),
    "ready": st.just(Ready()),
    "answer": st.builds(Answer, answers=tuples(choices, 5, 1)),
    "bye": st.builds(Bye, reason=text(50)),
}
from_arena = {
    "welcome": st.builds(
        Welcome, protocol=signed, tables=signed, limits=st.builds(Limits, signed, signed), seed=text()
    ),
    "prepare": st.builds(Prepare, game=text(), variant=maps, budget_ms=signed),
    "start": st.builds(
        Start,
        match=text(),
        seat=signed,
        seats=signed,
        clock=st.builds(ClockRules, signed, signed, signed),
        commitment=text(),
    ),
    "ask": st.builds(Ask, requests=st.lists(requests, max_size=20)),
    "forced": st.builds(
        Forced, match=text(), id=ids, choice=signed, code=text(), text=text(), strikes_left=signed
    ),
    "end": st.builds(
        End,
        match=text(),
        ranks=st.lists(signed, max_size=5),
        scores=st.lists(signed, max_size=5),
        verdicts=st.lists(text(), max_size=5),
        time_ms=signed,
        transcript=text(),
    ),
    "error": st.builds(Error, code=text(), text=text(), path=text(), next=text()),
    "bye": st.builds(Bye, reason=text(50)),
}
