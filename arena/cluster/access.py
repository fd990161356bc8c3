"""How to reach a cluster: its address, its certificates, and when not to.  It connects to nothing.

Dask runs whatever code it is sent, for whoever reaches it, and carries the deals.  So beyond this machine it is
spoken to by TLS, both sides with a certificate, or on the operator's word.
"""

from __future__ import annotations

import ipaddress
import socket
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit


class ClusterError(Exception):
    """A cluster that cannot or must not be reached; the text says what to do."""


@dataclass(frozen=True)
class Access:
    """`--cluster` and what belongs to it."""

    address: str
    ca: Path | None = None
    certificate: Path | None = None
    key: Path | None = None
    insecure: bool = False
    """The operator says that the network is theirs alone."""

    patience_s: float = 10.0
    """A scheduler that does not answer for so long is gone."""

    @property
    def encrypted(self) -> bool:
        """Whether TLS is spoken."""
        return self.address.startswith("tls://")

    def check(self) -> None:
        """Raises ClusterError for what must not be tried."""
        parts = urlsplit(self.address)
        try:
            complete = parts.scheme in ("tcp", "tls") and parts.hostname and parts.port
        except ValueError:
            complete = False
        if not complete:
            raise ClusterError(f"{self.address} is no cluster; write tls://host:8786, or tcp://127.0.0.1:8786")
        given = (self.ca, self.certificate, self.key)
        if self.encrypted:
            self._check_files(given)
        elif any(given):
            raise ClusterError(f"certificates are for TLS; write {self.address.replace('tcp:', 'tls:', 1)}")
        elif not self.insecure and not _loopback(str(parts.hostname)):
            raise ClusterError(
                f"{self.address} is not this machine, and tcp:// is open: whoever is on the way reads every deal, "
                "and can run programs on all workers. Use tls:// with --cluster-ca, --cluster-cert and "
                "--cluster-key, or --insecure-cluster if nobody else is on that network"
            )

    def _check_files(self, given: tuple[Path | None, ...]) -> None:
        for path, option in zip(given, ("--cluster-ca", "--cluster-cert", "--cluster-key"), strict=True):
            if path is None:
                raise ClusterError(f"{self.address} needs certificates for both sides; {option} is missing")
            if not path.is_file():
                raise ClusterError(f"{option} {path}: there is no such file")


def _loopback(host: str) -> bool:
    """Whether a name means this machine only."""
    try:
        found = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)
    except OSError:
        return False
    return all(ipaddress.ip_address(str(where[0]).partition("%")[0]).is_loopback for *_, where in found)
