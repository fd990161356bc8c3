"""`arena token`: who may come in by websocket."""

from __future__ import annotations

import json as jsons
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer

from arena.cli.failure import USAGE, Failure
from arena.cli.options import Folder, Json, TokenFile, new_group

app = new_group("token", "Tokens by which remote bots come in.")

Name = Annotated[str, typer.Argument(help="The bot's name: it plays as ws:NAME.")]


@app.command()
def create(
    name: Name,
    owner: Annotated[str, typer.Option(help="Whose bot it is; bots of one owner do not share a table.")] = "",
    token_file: TokenFile = None,
    folder: Folder = Path(".arena"),
    json: Json = False,
) -> None:
    """Make a token for a bot; it is shown once."""
    from arena.door.tokens import TokenError, Tokens

    tokens = Tokens(token_file_of(token_file, folder))
    try:
        secret = tokens.create(name, owner, datetime.now(UTC).isoformat(timespec="seconds"))
    except TokenError as error:
        raise Failure(str(error), USAGE) from None
    if json:
        print(jsons.dumps({"bot": name, "token": secret}))
        return
    print(f"{secret}\nThis is {name}'s token. It is shown once: only its hash is kept, in {tokens.path}.")
    print(
        f'Bot:   run(choose, url="ws://127.0.0.1:8765", token="…")\nArena: arena check ws:{name} --bots-port 8765'
    )


@app.command("list")
def list_(token_file: TokenFile = None, folder: Folder = Path(".arena"), json: Json = False) -> None:
    """List the bots that have one."""
    from arena.door.tokens import TokenError, Tokens

    try:
        known = Tokens(token_file_of(token_file, folder)).known().values()
    except TokenError as error:
        raise Failure(str(error)) from None
    if json:
        print(
            jsons.dumps([{"bot": token.name, "owner": token.owner, "created": token.created} for token in known])
        )
        return
    for token in known:
        print(f"{token.name:<32}  {token.created}  {token.owner}".rstrip())
    if not known:
        print("no tokens; make one: arena token create NAME")


@app.command()
def revoke(name: Name, token_file: TokenFile = None, folder: Folder = Path(".arena")) -> None:
    """Take a token back: the bot finishes its match and has to go."""
    from arena.door.tokens import TokenError, Tokens

    try:
        Tokens(token_file_of(token_file, folder)).revoke(name)
    except TokenError as error:
        raise Failure(str(error), USAGE) from None
    print(f"{name} cannot come in any more")


def token_file_of(given: Path | None, folder: Path) -> Path:
    """Where tokens are kept."""
    return given or folder / "tokens.toml"
