"""Who may read what a bot wrote: a matrix of readers and bots, through the one route that tells."""

from __future__ import annotations

import pytest
from starlette.testclient import TestClient

from arena.door.tokens import Tokens
from arena.store import open_store
from arena.store.roster import NewEntry
from arena.web.application import make_app
from tests.web import flock

CRASHED = "bert@1"


@pytest.fixture(scope="module")
def told(tmp_path_factory):
    """A bot of anna and a remote one of nobody, both of whom crashed; tokens for anna, eve, and the remote bot."""
    folder = tmp_path_factory.mktemp("owners")
    tokens = Tokens(folder / "tokens.toml")
    secrets = {
        "anna": tokens.create("anna-key", "anna", ""),
        "eve": tokens.create("eve-key", "eve", ""),
        "remote": tokens.create("bert", "", ""),
        "namesake": tokens.create("carl", "", ""),
    }
    with open_store(folder / "arena.db") as store:
        for ladder, owner, manifest in (("hers", "anna", {}), ("remotes", "", {"remote": True})):
            begun = flock.begin(store, ladder, bots=("anna@1",))
            store.add_bot(begun, NewEntry(CRASHED, "bert", "1", owner, "hash", manifest))
            plan, finish = flock.a_block(ladder, 0, "sheepzzz", ("anna@1", CRASHED), crash=1)
            store.plan_blocks(begun, [plan])
            store.finish_blocks(begun, [finish()])
        app = make_app(store, tokens=tokens)
        here = ("127.0.0.1", 1)
        with TestClient(app, base_url="http://localhost", backend="trio", client=here) as client:
            yield client, secrets


def asked(told, ladder: str, who: str | None, label: str = CRASHED):
    client, secrets = told
    headers = {} if who is None else {"authorization": f"Bearer {secrets.get(who, who)}"}
    return client.get(f"/api/attention/{ladder}/{label}", headers=headers)


@pytest.mark.parametrize(
    ("ladder", "who", "may_read"),
    [
        ("hers", "anna", True),
        ("hers", "eve", False),
        ("hers", "remote", False),  # a token of the same name is no proof: hers is a program, not a remote bot
        ("hers", None, False),
        ("hers", "wrong", False),
        ("hers", "", False),
        ("remotes", "remote", True),
        ("remotes", "anna", False),
        ("remotes", "namesake", False),
        ("remotes", None, False),
    ],
)
def test_d22_h8_stderr_is_for_the_owner_and_others_learn_nothing(told, ladder, who, may_read):
    answer = asked(told, ladder, who)
    if may_read:
        (group,) = [group for group in answer.json() if group["code"] == "CRASH"]
        assert group["stderr"] == f"{flock.CANARY} stderr" and group["match"].startswith("m-")
    else:
        unknown = asked(told, ladder, who, "nobody@9")
        assert answer.status_code == unknown.status_code == 404 and answer.content == unknown.content
        assert flock.CANARY not in answer.text


def test_h8_a_ladder_that_is_not_there_answers_like_a_bot_that_is_not_yours(told):
    assert asked(told, "nowhere", "anna").content == asked(told, "remotes", "anna").content


def test_h9_a_token_is_not_taken_from_afar_in_the_clear(told):
    client, secrets = told
    headers = {"authorization": f"Bearer {secrets['anna']}"}
    with TestClient(client.app, base_url="http://localhost", backend="trio", client=("192.0.2.7", 1)) as afar:
        answer = afar.get("/api/attention/hers/bert@1", headers=headers)
        assert answer.status_code == 403 and "TLS" in answer.text and flock.CANARY not in answer.text
    with TestClient(client.app, base_url="https://localhost", backend="trio", client=("192.0.2.7", 1)) as afar:
        assert afar.get("/api/attention/hers/bert@1", headers=headers).status_code == 200


def test_d22_the_page_itself_is_the_same_for_everybody_and_holds_no_last_words(told):
    client, secrets = told
    headers = {"authorization": f"Bearer {secrets['anna']}"}
    page = client.get("/b/hers/bert@1", headers=headers).text
    assert page == client.get("/b/hers/bert@1").text and flock.CANARY not in page and "CRASH" in page
