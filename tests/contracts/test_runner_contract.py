"""The runner contract on worker processes of this machine, and on a real Dask cluster."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.cluster.access import Access
from arena.cluster.runner import ClusterRunner
from arena.runner.local import LocalRunner
from tests import cluster as of_clusters
from tests.cluster.machines import Cluster, cluster_of
from tests.contracts.runner_contract import KillAWorker, NewRunner, RunnerContract
from tests.runner.test_local_runner import PLANTED


class TestLocalRunner(RunnerContract):
    @pytest.fixture
    def new_runner(self) -> NewRunner:
        return lambda terms: LocalRunner(terms, 2, PLANTED)

    @pytest.fixture
    def kill_a_worker(self) -> KillAWorker:
        def kill(runner: LocalRunner) -> None:
            os.kill(max(runner._hands, key=lambda hand: hand.matches).process.pid, signal.SIGKILL)

        return kill


class TestClusterRunner(RunnerContract):
    @pytest.fixture(scope="class")
    @classmethod
    def cluster(cls, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
        rules = Path(of_clusters.__file__).with_name("planted_rules.py")
        with cluster_of(tmp_path_factory.mktemp("cluster"), "one", "two", preload=rules) as cluster:
            yield cluster
        assert not cluster.left_behind()

    @pytest.fixture
    def new_runner(self, cluster: Cluster) -> NewRunner:
        return lambda terms: ClusterRunner(terms, Access(cluster.address), 3, print)

    @pytest.fixture
    def kill_a_worker(self, cluster: Cluster) -> KillAWorker:
        return lambda _: cluster.kill("two")
