"""The options of every command that lets remote bots come in, said once."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Annotated, Any, Final

import typer

from arena.cli.options import TokenFile

BotsPort = Annotated[
    int | None, typer.Option(min=0, max=65535, help="Let ws:NAME bots come in at this port; 0: any.")
]
BotsHost = Annotated[str, typer.Option(help="The address there; others than this machine's need TLS.")]
BotsName = Annotated[list[str] | None, typer.Option(help="A host name by which bots may call; may be repeated.")]
BotsOrigin = Annotated[
    list[str] | None, typer.Option(help="The origin of a web page that may be a bot; may be repeated.")
]
TlsCert = Annotated[Path | None, typer.Option(help="A certificate (PEM): bots connect by wss://.")]
TlsKey = Annotated[Path | None, typer.Option(help="Its key (PEM).")]

OPTIONS: Final[dict[str, tuple[Any, Any]]] = {
    "bots_port": (BotsPort, None),
    "bots_host": (BotsHost, "127.0.0.1"),
    "bots_name": (BotsName, None),
    "bots_origin": (BotsOrigin, None),
    "tls_cert": (TlsCert, None),
    "tls_key": (TlsKey, None),
    "token_file": (TokenFile, None),
}


def with_door(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command these options in the place of its parameter `door`, which then says what they said.

    It must have a parameter `folder`, where tokens are kept.
    """

    @wraps(command)
    def with_options(**given: Any) -> None:
        from arena.cli.door import door_terms

        said = {name: given.pop(name) for name in OPTIONS}
        command(**given, door=door_terms(given["folder"], **said))

    own = inspect.signature(command, locals={"DoorTerms": object}, eval_str=True).parameters.values()
    kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
    options = [
        inspect.Parameter(name, kind, default=default, annotation=annotation)
        for name, (annotation, default) in OPTIONS.items()
    ]
    parameters = [new for each in own for new in (options if each.name == "door" else [each])]
    with_options.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    with_options.__annotations__ = {each.name: each.annotation for each in parameters}
    return with_options
