"""What `arena doctor` says about a cluster: who is there, what each machine can do, and what does not fit."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final

from arena import __version__
from arena.cli.doctor import Finding

if TYPE_CHECKING:
    from arena.cluster.access import Access
    from arena.cluster.carrier import Carrier

TICK_S: Final = 0.02
"""How often the loop of a Dask worker comes round when nothing delays it."""

MUCH_LAG_MS: Final = 100
COMPARED: Final = ("python", "distributed", "dask", "msgpack", "tornado", "cloudpickle")


def cluster_findings(access: Access) -> Iterator[Finding]:
    """Asks every machine."""
    from arena.cluster.access import ClusterError
    from arena.cluster.carrier import Carrier, Lost

    try:
        carrier = Carrier(access)
    except ClusterError as error:
        yield Finding("cluster", str(error), "failed")
        return
    try:
        yield from _examined(access, carrier)
    except Lost as error:
        yield Finding("cluster", f"the scheduler was lost: {error}", "failed")
    finally:
        carrier.close()


def _examined(access: Access, carrier: Carrier) -> Iterator[Finding]:
    began = time.perf_counter()
    there = carrier.machines()
    took_ms = 1000 * (time.perf_counter() - began)
    threads = sum(worker["nthreads"] for worker in there.values())
    fit, findings = 0, []
    for address, worker in sorted(there.items()):
        found = _machine(carrier, address, worker)
        fit += found.state != "failed"
        findings.append(found)
    wording = "TLS" if access.encrypted else "not encrypted"
    told = f"{access.address} ({wording}), {len(there)} workers, {threads} threads, answers in {took_ms:.0f} ms"
    if not fit:
        told += f"; none can play: dask worker {access.address}" if not there else "; none of them can play"
    yield Finding("cluster", told, "ok" if fit else "failed")
    for found in findings:  # one that cannot play is a pity; that none can is a failure
        yield Finding(found.what, found.told, "warning" if found.state == "failed" else found.state, found.more)
    yield from _packages(carrier.versions())


def _machine(carrier: Carrier, address: str, worker: dict[str, Any]) -> Finding:
    from arena.cluster.carrier import Lost
    from arena.cluster.muster import Machine, wrong_version

    where = address.partition("://")[2]
    try:
        machine = Machine.read(carrier.look(address))
    except Lost as error:
        return Finding("  worker", f"{where} does not answer: {error}", "failed")
    lag_ms = 1000 * max(0.0, worker["metrics"].get("event_loop_interval", 0.0) - TICK_S)
    wrong = wrong_version(machine)
    if wrong:
        return Finding("  worker", f"{machine.host} ({where}): {wrong}", "failed")
    told = (
        f"{machine.host} ({where}): arena {machine.arena}, sandbox {machine.level}, {machine.cores} cores, "
        f"{machine.threads} threads, load {machine.load:.1f}, lag {lag_ms:.0f} ms"
    )
    if machine.seats is not None:
        told += f", {machine.seats} seats"
    reasons = tuple(f"not {level}: {why}" for level, why in machine.sandbox.items() if why)
    return Finding("  worker", told, "warning" if reasons or lag_ms > MUCH_LAG_MS else "ok", reasons)


def _packages(places: dict[str, dict[str, str]]) -> Iterator[Finding]:
    """Dask wants the same everywhere."""
    different = []
    for package in COMPARED:
        found: dict[str, list[str]] = {}
        for place, versions in places.items():
            found.setdefault(str(versions.get(package)).split(".final")[0], []).append(
                place.partition("://")[2] or place
            )
        if len(found) > 1:
            different.append(
                f"{package}: " + ", ".join(f"{which} on {' '.join(who)}" for which, who in found.items())
            )
    if different:
        yield Finding("  packages", "versions differ", "warning", tuple(different))
    else:
        yield Finding("  packages", f"the same everywhere, arena {__version__} here")
