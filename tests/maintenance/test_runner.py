"""Integrity checks and backups, when they are due, by one process."""

from __future__ import annotations

import asyncio
import shutil
from collections import namedtuple
from datetime import UTC, datetime
from pathlib import Path

import pytest

from commonroom.maintenance import Maintenance
from commonroom.maintenance.backups import find_newest, list_backups, taken_at
from commonroom.maintenance.state import MaintenanceState, exclusive, is_damage_known, read_state
from commonroom.settings import Settings
from commonroom.store.embedded.backup import check_backup
from commonroom.store.embedded.data_file import damaged_files
from commonroom.store.errors import Unavailable
from tests.accounts.people import Watch
from tests.support.clocks import YEAR
from tests.support.sample_data import THINGS, fill, stored

DAY = 86_400
Usage = namedtuple("Usage", "total used free")


@pytest.fixture
def clock() -> Watch:
    """At noon."""
    watch = Watch()
    watch.now = datetime(2026, 11, 16, 12, 0, tzinfo=UTC).timestamp()
    return watch


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    """An installation with data."""
    settings = Settings(data=tmp_path, backup_time_zone="UTC", backups_kept=3)
    fill(settings.data_file, THINGS)
    return settings


@pytest.fixture
def maintenance(settings: Settings, clock: Watch) -> Maintenance:
    """In which nothing is due yet."""
    made = Maintenance(settings, clock=clock)
    made.run_once()
    return made


def state_of(settings: Settings) -> MaintenanceState:
    state = read_state(settings)
    assert state is not None
    return state


def damage(path: Path) -> None:
    with path.open("r+b") as file:
        file.seek(5 * 4096)
        file.write(b"\xff" * (path.stat().st_size - 6 * 4096))


class TestWhatIsDue:
    def test_is_nothing_on_the_first_day(
        self, settings: Settings, maintenance: Maintenance
    ) -> None:
        assert list_backups(settings) == []
        assert state_of(settings).check.succeeded_at is None

    def test_is_done_once_a_day(
        self, settings: Settings, maintenance: Maintenance, clock: Watch
    ) -> None:
        for _ in range(3 * 24):
            clock.forward(3600)
            maintenance.run_once()

        assert [one.name for one in list_backups(settings)] == [
            f"commonroom-202611{day}T040000Z.db" for day in (19, 18, 17)
        ]
        assert state_of(settings).check.succeeded_at is not None
        assert stored(list_backups(settings)[0]) == stored(settings.data_file)

    def test_is_made_up_for_after_the_machine_was_off(
        self, settings: Settings, maintenance: Maintenance, clock: Watch
    ) -> None:
        clock.forward(10 * DAY + 9 * 3600)
        Maintenance(settings, clock=clock).run_once()

        assert len(list_backups(settings)) == 1
        assert state_of(settings).backup.succeeded_at == clock.now

    def test_is_nothing_where_it_is_off(self, settings: Settings, clock: Watch) -> None:
        off = Settings(data=settings.data, check_time="off", backup_time="off")
        for _ in range(3):
            Maintenance(off, clock=clock).run_once()
            clock.forward(DAY)

        assert list_backups(off) == []
        assert state_of(off).check.succeeded_at is None

    def test_is_done_by_one_process_at_a_time(
        self, settings: Settings, maintenance: Maintenance, clock: Watch
    ) -> None:
        clock.forward(DAY)
        with exclusive(settings) as mine:
            assert mine
            maintenance.run_once()
            assert list_backups(settings) == []

        maintenance.run_once()
        Maintenance(settings, clock=clock).run_once()

        assert len(list_backups(settings)) == 1

    async def test_is_done_beside_everything_else(
        self, settings: Settings, maintenance: Maintenance, clock: Watch
    ) -> None:
        clock.forward(DAY)
        running = asyncio.create_task(maintenance.run())
        await asyncio.sleep(0)
        maintenance.stop()  # what was begun is finished
        await asyncio.wait_for(running, 30)

        check_backup(list_backups(settings)[0])


class TestBackups:
    def test_beyond_those_to_be_kept_are_deleted(
        self, settings: Settings, maintenance: Maintenance, clock: Watch
    ) -> None:
        mine = settings.data / "backups" / "before-the-move.db"
        for _ in range(6):
            clock.forward(DAY)
            maintenance.run_once()
            mine.touch()

        assert len(list_backups(settings)) == 3
        assert mine.exists(), "what is not a scheduled backup stays"

    def test_go_where_they_are_wanted(
        self, settings: Settings, clock: Watch, tmp_path: Path
    ) -> None:
        elsewhere = Settings(
            data=settings.data, backup_time_zone="UTC", backup_folder=str(tmp_path / "disk" / "two")
        )
        Maintenance(elsewhere, clock=clock).run_once()
        clock.forward(DAY)
        Maintenance(elsewhere, clock=clock).run_once()

        [backup] = (tmp_path / "disk" / "two").iterdir()
        check_backup(backup)

    def test_that_were_cut_short_leave_nothing(
        self, settings: Settings, maintenance: Maintenance, clock: Watch
    ) -> None:
        folder = settings.data / "backups"
        folder.mkdir()
        (folder / "commonroom-20261101T033000Z.db.partial").write_bytes(b"half")
        clock.forward(DAY)
        maintenance.run_once()

        assert [one.suffix for one in folder.iterdir()] == [".db"]

    def test_are_kept_where_the_disk_is_nearly_full(
        self,
        settings: Settings,
        maintenance: Maintenance,
        clock: Watch,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        for _ in range(3):
            clock.forward(DAY)
            maintenance.run_once()
        before = list_backups(settings)
        monkeypatch.setattr(shutil, "disk_usage", lambda _: Usage(10**9, 10**9, 10**6))
        clock.forward(DAY)
        maintenance.run_once()

        assert list_backups(settings) == before
        assert "nearly full" in state_of(settings).backup.problem

        monkeypatch.undo()
        maintenance.run_once()
        assert list_backups(settings) == before, "a failure is not tried again at once"
        clock.forward(3601)
        maintenance.run_once()
        assert len(list_backups(settings)) == 3
        assert list_backups(settings) != before
        assert state_of(settings).backup.problem == ""

    def test_the_newest_that_is_whole_is_found(
        self, settings: Settings, maintenance: Maintenance, clock: Watch
    ) -> None:
        with pytest.raises(Unavailable, match="no whole backup"):
            find_newest(settings)
        for _ in range(2):
            clock.forward(DAY)
            maintenance.run_once()
        newest, older = list_backups(settings)
        assert find_newest(settings) == newest
        damage(newest)
        assert find_newest(settings) == older


class TestDamage:
    def test_is_noted_and_deletes_no_older_backup(
        self, settings: Settings, maintenance: Maintenance, clock: Watch
    ) -> None:
        for _ in range(3):
            clock.forward(DAY)
            maintenance.run_once()
        before = list_backups(settings)
        assert not is_damage_known(settings)
        damage(settings.data_file)
        for _ in range(3):
            clock.forward(DAY)
            maintenance.run_once()

        assert set(before) <= set(list_backups(settings))
        assert "is damaged" in state_of(settings).check.problem
        assert is_damage_known(settings)
        damaged_files.clear()
        assert is_damage_known(settings), "also to another process"

    def test_that_somebody_met_is_looked_into_at_once(
        self, settings: Settings, maintenance: Maintenance
    ) -> None:
        damage(settings.data_file)
        damaged_files.add(settings.data_file)
        maintenance.run_once()

        assert "is damaged" in state_of(settings).check.problem

    def test_that_is_none_is_forgotten_by_a_check(
        self, settings: Settings, maintenance: Maintenance
    ) -> None:
        damaged_files.add(settings.data_file)
        maintenance.run_once()

        assert not is_damage_known(settings)


@pytest.mark.parametrize("ahead", [DAY, YEAR])
class TestAClockThatIsSetBack:
    def test_puts_no_check_and_no_backup_off(
        self, settings: Settings, clock: Watch, maintenance: Maintenance, ahead: float
    ) -> None:
        clock.now += ahead + DAY
        maintenance.run_once()
        clock.now -= ahead
        maintenance.run_once()
        state = state_of(settings)
        assert state.check.succeeded_at == state.backup.succeeded_at == clock()

    def test_lets_new_backups_push_out_those_of_the_future(
        self, settings: Settings, clock: Watch, maintenance: Maintenance, ahead: float
    ) -> None:
        clock.now += ahead
        for _ in range(settings.backups_kept):
            clock.now += DAY
            maintenance.run_once()
        clock.now -= ahead
        maintenance.run_once()
        assert clock() in [taken_at(one) for one in list_backups(settings)]
        assert len(list_backups(settings)) == settings.backups_kept
