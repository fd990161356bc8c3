"""A cluster as an option of other commands: where it is, and whether it may be reached."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import TYPE_CHECKING

from arena.cli.failure import NOT_HERE, USAGE, Failure

if TYPE_CHECKING:
    from arena.cluster.access import Access


def cluster_access(
    address: str | None,
    ca: Path | None = None,
    certificate: Path | None = None,
    key: Path | None = None,
    insecure: bool = False,
    jobs: int | None = None,
    bots_port: int | None = None,
) -> Access | None:
    """What was said about a cluster; None if the matches are played here."""
    if address is None:
        if ca or certificate or key or insecure:
            raise Failure("say which cluster: --cluster tls://host:8786", USAGE)
        return None
    if jobs is not None:
        raise Failure("--jobs is for this machine; on a cluster, say it there: dask worker --nthreads", USAGE)
    if bots_port is not None:
        raise Failure(
            "remote bots come to the machine that plays; --bots-port and --cluster exclude each other", USAGE
        )
    if importlib.util.find_spec("distributed") is None:
        raise Failure("a cluster needs Dask; try: pip install 'flock-arena[cluster]'", NOT_HERE)
    from arena.cluster.access import Access, ClusterError

    access = Access(address, ca, certificate, key, insecure)
    try:
        access.check()
    except ClusterError as error:
        raise Failure(str(error), USAGE) from None
    return access
