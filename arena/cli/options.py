"""Options that many commands share."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

Folder = Annotated[Path, typer.Option("--dir", help="Where the arena keeps what it knows.")]
StoreUrl = Annotated[str | None, typer.Option("--store", help="postgresql://… instead of the file under --dir.")]
Json = Annotated[bool, typer.Option("--json", help="Print JSON on stdout.")]
TrustBots = Annotated[
    bool, typer.Option("--trust-bots", help="Run bots without a sandbox: you trust the programs.")
]
Allow = Annotated[
    list[str] | None,
    typer.Option("--allow", help="A path outside their folders that bots may read; may be repeated."),
]
Web = Annotated[int | None, typer.Option(min=0, max=65535, help="Show it in a browser on this port meanwhile.")]
TokenFile = Annotated[Path | None, typer.Option(help="Where tokens are kept; tokens.toml under --dir by default.")]

Cluster = Annotated[
    str | None, typer.Option(help="Play on the workers of a Dask scheduler: tls://host:8786, tcp://… on loopback.")
]
ClusterCa = Annotated[Path | None, typer.Option(help="Who signs the certificates of the cluster (PEM).")]
ClusterCert = Annotated[Path | None, typer.Option(help="Our certificate for the cluster (PEM).")]
ClusterKey = Annotated[Path | None, typer.Option(help="Its key (PEM).")]
InsecureCluster = Annotated[
    bool, typer.Option("--insecure-cluster", help="Speak tcp:// beyond this machine: nobody else is on the way.")
]


def new_group(name: str, help: str) -> typer.Typer:
    """A group of commands, looking like all others."""
    return typer.Typer(
        name=name,
        no_args_is_help=True,
        pretty_exceptions_enable=False,
        add_completion=False,
        rich_markup_mode=None,
        context_settings={"help_option_names": ["-h", "--help"]},
        help=help,
    )
