"""How a cluster may be reached: TLS, loopback, or on the operator's word."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from arena.cli.cluster import cluster_access
from arena.cli.failure import Failure
from arena.cluster.access import Access, ClusterError
from arena.cluster.carrier import Carrier
from tests.cli.shell import arena, ladder_file
from tests.cluster.machines import Cluster


@pytest.mark.parametrize("address", ["tcp://127.0.0.1:8786", "tcp://localhost:8786", "tcp://[::1]:8786"])
def test_on_this_machine_nothing_more_is_asked(address: str) -> None:
    Access(address).check()


def test_beyond_this_machine_it_is_refused_without_tls_unless_told() -> None:
    with pytest.raises(ClusterError, match="whoever is on the way reads every deal"):
        Access("tcp://192.0.2.1:8786").check()
    Access("tcp://192.0.2.1:8786", insecure=True).check()


@pytest.mark.parametrize(
    "address", ["127.0.0.1:8786", "http://127.0.0.1:8786", "tcp://host", "tcp://h:x", "tls://"]
)
def test_what_is_no_address_is_said_so(address: str) -> None:
    with pytest.raises(ClusterError, match="is no cluster; write tls://host:8786"):
        Access(address).check()


def test_tls_wants_all_three_files_and_tcp_none(tmp_path: Path) -> None:
    (tmp_path / "pem").touch()
    pem = tmp_path / "pem"
    with pytest.raises(ClusterError, match="--cluster-key is missing"):
        Access("tls://192.0.2.1:8786", pem, pem).check()
    with pytest.raises(ClusterError, match="there is no such file"):
        Access("tls://192.0.2.1:8786", pem, pem, tmp_path / "gone").check()
    with pytest.raises(ClusterError, match="write tls://"):
        Access("tcp://192.0.2.1:8786", pem, pem, pem).check()


def test_options_that_exclude_each_other_are_told_apart() -> None:
    here = "tcp://127.0.0.1:8786"
    with pytest.raises(Failure, match="--jobs is for this machine"):
        cluster_access(here, jobs=2)
    with pytest.raises(Failure, match="exclude each other"):
        cluster_access(here, bots_port=0)
    with pytest.raises(Failure, match="say which cluster"):
        cluster_access(None, insecure=True)


def test_a_ladder_is_not_sent_over_an_open_network(tmp_path: Path) -> None:
    ladder_file(tmp_path, 1)
    ran = arena("ladder", "run", "spring.toml", "--cluster", "tcp://192.0.2.1:8786", cwd=tmp_path, code=2)
    assert "--insecure-cluster if nobody else is on that network" in ran.stderr and not ran.stdout


def test_a_cluster_with_tls_talks_to_those_with_a_certificate_only(tmp_path: Path) -> None:
    ca, cert, key = certificates(tmp_path)
    cluster = Cluster(tmp_path)
    cluster.address = cluster.address.replace("tcp:", "tls:")
    files = ["--tls-ca-file", str(ca), "--tls-cert", str(cert), "--tls-key", str(key)]
    try:
        cluster.start_scheduler(*files)
        cluster.start_worker("one", *files)
        carrier = Carrier(Access(cluster.address, ca, cert, key, patience_s=60))
        try:
            while not (there := carrier.machines()):
                pass
            assert carrier.look(next(iter(there)))["threads"] == 1
        finally:
            carrier.close()
        other = certificates(tmp_path / "stranger")
        with pytest.raises(ClusterError, match="no scheduler answers"):
            Carrier(Access(cluster.address, *other, patience_s=2))
        with pytest.raises(ClusterError, match="no scheduler answers"):
            Carrier(Access(cluster.address.replace("tls:", "tcp:"), patience_s=2))
    finally:
        cluster.stop()


def certificates(folder: Path) -> tuple[Path, Path, Path]:
    """An authority of one's own, and one certificate for everybody in the cluster."""
    folder.mkdir(exist_ok=True)
    ca, ca_key, cert, key, request = (
        folder / name for name in ("ca.pem", "ca.key", "cert.pem", "cert.key", "cert.csr")
    )
    openssl("req", "-x509", "-keyout", ca_key, "-out", ca, "-subj", "/CN=arena ca", "-days", "2")
    openssl("req", "-keyout", key, "-out", request, "-subj", "/CN=arena")
    openssl("x509", "-req", "-in", request, "-CA", ca, "-CAkey", ca_key, "-out", cert, "-days", "2")
    return ca, cert, key


def openssl(command: str, *words: object) -> None:
    new = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"] if command == "req" else []
    subprocess.run(["openssl", command, *new, *map(str, words)], check=True, capture_output=True)
