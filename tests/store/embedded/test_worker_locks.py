"""Whether a worker of a data file still runs is told by its lock, which ends with its process."""

from __future__ import annotations

from pathlib import Path

import pytest

from commonroom.store.embedded.worker_locks import WorkerLocks


@pytest.fixture
def data_file(tmp_path: Path) -> Path:
    return tmp_path / "data.db"


def test_a_worker_runs_until_its_lock_is_let_go(data_file: Path) -> None:
    one, other = WorkerLocks(data_file), WorkerLocks(data_file)
    worker = one.take()
    assert not one.has_ended(worker)
    assert not other.has_ended(worker)
    one.close()
    assert other.has_ended(worker)


def test_of_a_worker_without_a_lock_nobody_can_tell(data_file: Path) -> None:
    assert not WorkerLocks(data_file).has_ended("2f1c")


def test_files_of_workers_that_were_killed_are_removed_by_the_next(data_file: Path) -> None:
    left = data_file.with_name("data.db-worker-locked-2f1c")
    left.touch()
    locks = WorkerLocks(data_file)
    worker = locks.take()
    assert not left.exists()
    assert not locks.has_ended(worker)
    locks.close()


def test_a_worker_runs_without_a_lock_where_none_can_be_had(tmp_path: Path) -> None:
    locks = WorkerLocks(tmp_path / "missing" / "data.db")
    assert not locks.has_ended(locks.take())
