"""Nobody waits long for a goodbye here; and a certificate of our own."""

import subprocess

import pytest

from arena.transports import websocket, websocket_wire


@pytest.fixture(autouse=True)
def short_goodbyes(monkeypatch):
    for module in (websocket, websocket_wire):
        monkeypatch.setattr(module, "GOODBYE_S", 0.1)


@pytest.fixture(scope="session")
def certificate(tmp_path_factory):
    """A certificate for this machine that nobody else trusts, and its key."""
    folder = tmp_path_factory.mktemp("tls")
    certificate, key = folder / "certificate.pem", folder / "key.pem"
    subject = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"]
    kind = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"]
    command = ["openssl", "req", "-x509", *kind, "-keyout", str(key), "-out", str(certificate), *subject]
    subprocess.run(command, check=True, capture_output=True)
    return certificate, key
