"""`commonroom doctor`."""

from __future__ import annotations

import asyncio
import time
from contextlib import closing
from pathlib import Path
from typing import Any

import apsw
import pytest

from commonroom.doctor import machine
from commonroom.house.consumers import RETIRED_CONSUMERS
from commonroom.joins.findings import Finding
from commonroom.maintenance.backups import take_backup
from commonroom.maintenance.state import MaintenanceState, Run, write_state
from commonroom.model import MODEL
from commonroom.settings import Settings
from commonroom.store import Store, put
from commonroom.store.embedded import EmbeddedEngine
from commonroom.store.streams.tables import ParkedChange, ShardState
from tests.support.commands import Commands, snapshot
from tests.support.dynamodb_local import free_port
from tests.support.sample_data import BOOK, LIBRARY, THINGS, USER, ruin, spoil


def findings(ended: Any, level: str) -> dict[str, dict[str, str]]:
    """What was found at a level, by what it is about."""
    return {one["about"]: one for one in ended.json if one["level"] == level}


class TestWell:
    def test_before_the_first_start(self, commonroom: Commands) -> None:
        ended = commonroom.ok("doctor", "--json")
        assert {one["level"] for one in ended.json} == {"ok"}
        assert {"python", "sqlite", "settings", "clock", "disk", "data folder", "data file"} <= {
            one["about"] for one in ended.json
        }
        assert not commonroom.data.exists(), "a doctor changes nothing"

    def test_where_somebody_lives(self, lived_in: Commands) -> None:
        before = snapshot(lived_in.data)
        ended = lived_in.ok("doctor", "--json")
        well = findings(ended, "ok")
        assert len(well) == len({one["about"] for one in ended.json})
        assert f"all {len(MODEL.tables)} exist" in well["tables"]["detail"]
        assert "is a valid data file" in well["data file"]["detail"]
        assert snapshot(lived_in.data) == before

    def test_on_dynamodb(self, on_dynamodb: Commands) -> None:
        before = on_dynamodb("doctor", "--json")
        assert before.code == 1
        assert findings(before, "problem")["tables"]["mend"] == "commonroom tables create"
        on_dynamodb.ok("tables", "create")
        made = on_dynamodb("doctor", "--json")
        assert made.code == 1, "nobody does what follows from changes"
        assert "commonroom worker" in findings(made, "problem")["worker"]["mend"]
        well = findings(made, "ok")
        assert "supports transactions" in well["dynamodb"]["detail"]
        assert "tables" in well

    def test_for_people_it_says_how_to_mend_things(self, lived_in: Commands) -> None:
        lived_in.data.chmod(0o755)
        out = lived_in.ok("doctor").out
        assert f"chmod 700 {lived_in.data}" in out


class TestUnwell:
    def test_a_wrong_setting(self, commonroom: Commands) -> None:
        ended = commonroom("doctor", "--json", COMMONROOM_PORT="http")
        assert ended.code == 1
        assert "COMMONROOM_PORT" in findings(ended, "problem")["settings"]["detail"]

    def test_a_folder_and_files_that_others_can_read(self, lived_in: Commands) -> None:
        lived_in.data.chmod(0o755)
        (lived_in.data / "commonroom.db").chmod(0o644)
        (lived_in.data / "secrets.json").write_text("{}")
        (lived_in.data / "secrets.json").chmod(0o644)
        ended = lived_in("doctor", "--json")
        warnings = findings(ended, "warning")
        assert warnings["data folder"]["mend"] == f"chmod 700 {lived_in.data}"
        assert warnings["data file"]["mend"] == f"chmod 600 {lived_in.data / 'commonroom.db'}"
        assert warnings["secrets"]["mend"] == f"chmod 600 {lived_in.data / 'secrets.json'}"
        assert "secrets" in findings(ended, "problem")

    def test_a_settings_file_with_a_key_that_others_can_read(self, lived_in: Commands) -> None:
        file = lived_in.data / "commonroom.toml"
        file.write_text(f'secret_key = "{"k" * 40}"')
        file.chmod(0o644)
        assert "settings file" in findings(lived_in.ok("doctor", "--json"), "warning")

    def test_a_file_in_place_of_the_folder(self, commonroom: Commands) -> None:
        commonroom.data.write_text("here first")
        ended = commonroom("doctor", "--json")
        assert "is a file" in findings(ended, "problem")["data folder"]["detail"]

    def test_a_foreign_file(self, commonroom: Commands) -> None:
        commonroom.data.mkdir(mode=0o700)
        with closing(apsw.Connection(str(commonroom.data / "commonroom.db"))) as other:
            other.execute("CREATE TABLE theirs (a)")
        ended = commonroom("doctor", "--json")
        assert ended.code == 1
        assert "another program" in findings(ended, "problem")["data file"]["detail"]

    def test_a_damaged_file(self, lived_in: Commands) -> None:
        file = lived_in.data / "commonroom.db"
        with file.open("r+b") as opened:
            opened.seek(4096)
            opened.write(b"\xa5" * (file.stat().st_size - 4096))
        before = snapshot(lived_in.data)
        ended = lived_in("doctor", "--json")
        assert "commonroom restore" in findings(ended, "problem")["data file"]["mend"]
        assert snapshot(lived_in.data) == before

    def test_tables_of_an_older_version_are_missing_and_stay_so(self, commonroom: Commands) -> None:
        commonroom.data.mkdir(mode=0o700)
        file = commonroom.data / "commonroom.db"
        asyncio.run(EmbeddedEngine(file, MODEL.tables[:2]).close())
        for _ in range(2):
            warnings = findings(commonroom.ok("doctor", "--json"), "warning")
            assert "MediaLibrary" in warnings["tables"]["detail"]

    def test_a_clock_that_was_set_back(self, lived_in: Commands) -> None:
        with closing(apsw.Connection(str(lived_in.data / "commonroom.db"))) as connection:
            connection.execute("UPDATE _changes SET at = at + 86400")
        assert "clock" in findings(lived_in.ok("doctor", "--json"), "warning")

    def test_dynamodb_that_is_not_there(self, commonroom: Commands) -> None:
        ended = commonroom(
            "doctor",
            "--json",
            COMMONROOM_STORE="dynamodb",
            COMMONROOM_DYNAMODB_REGION="local",
            COMMONROOM_DYNAMODB_ENDPOINT=f"http://127.0.0.1:{free_port()}",
            AWS_ACCESS_KEY_ID="cli",
            AWS_SECRET_ACCESS_KEY="tests",
        )
        assert ended.code == 1
        found = findings(ended, "problem")["dynamodb"]
        assert "cannot be reached" in found["detail"]
        assert "COMMONROOM_DYNAMODB_ENDPOINT" in found["mend"]

    def test_dynamodb_without_credentials(self, commonroom: Commands) -> None:
        environment = {"COMMONROOM_STORE": "dynamodb", "COMMONROOM_DYNAMODB_REGION": "local"}
        ended = commonroom("doctor", "--json", **environment)
        assert "AWS_ACCESS_KEY_ID" in findings(ended, "problem")["dynamodb"]["mend"]


class TestConsumers:
    def test_what_was_given_up_is_a_problem_and_what_waits_a_warning(
        self, lived_in: Commands
    ) -> None:
        keep(
            lived_in,
            parked("carry-names", aside=True, error="KeyError: 'name'"),
            parked("send-mail", error="TimeoutError"),
        )
        ended = lived_in("doctor", "--json")
        assert ended.code == 1
        aside = findings(ended, "problem")["consumers"]
        assert "carry-names gave up on 1 changes" in aside["detail"]
        assert "KeyError" in aside["detail"]
        assert (
            "send-mail has 1 changes waiting" in findings(ended, "warning")["consumers"]["detail"]
        )

    def test_one_that_lags_is_a_warning(self, lived_in: Commands) -> None:
        with closing(apsw.Connection(str(lived_in.data / "commonroom.db"))) as connection:
            connection.execute("UPDATE _changes SET at = at - 3600")
        states = [
            ShardState(consumer="carry-names", stream="MediaLibrary", shard=str(number))
            for number in range(4)
        ]
        keep(lived_in, *states)
        behind = findings(lived_in.ok("doctor", "--json"), "warning")["consumers"]
        assert "carry-names is 60 minutes behind" in behind["detail"]

    def test_one_of_an_earlier_version_lags_behind_nothing(self, lived_in: Commands) -> None:
        with closing(apsw.Connection(str(lived_in.data / "commonroom.db"))) as connection:
            connection.execute("UPDATE _changes SET at = at - 3600")
        states = [
            ShardState(consumer=name, stream="MediaLibrary", shard=str(number))
            for name in RETIRED_CONSUMERS
            for number in range(4)
        ]
        keep(lived_in, *states)
        said = findings(lived_in.ok("doctor", "--json"), "warning").get("consumers", {})
        assert "behind" not in said.get("detail", "")


def parked(consumer: str, *, aside: bool = False, error: str) -> ParkedChange:
    return ParkedChange(
        consumer=consumer,
        stream="MediaLibrary",
        shard="0",
        position="1",
        change="insert",
        key=b"",
        changed_at=time.time(),
        error=error,
        aside=aside,
    )


def keep(lived_in: Commands, *things: ParkedChange | ShardState) -> None:
    async def write() -> None:
        store = Store(EmbeddedEngine(lived_in.data / "commonroom.db", MODEL.tables))
        await store.write(*map(put, things))
        await store.close()

    asyncio.run(write())


def test_a_clock_before_the_release_is_a_problem() -> None:
    assert machine.examine_clock(0.0).level == "problem"


@pytest.mark.parametrize(
    "free, level", [(10 * 2**20, "problem"), (500 * 2**20, "warning"), (50 * 2**30, "ok")]
)
def test_a_full_disk_is_told_in_time(tmp_path: Path, free: int, level: str) -> None:
    found: Finding = machine.check_disk(Settings(data=tmp_path), free)
    assert found.level == level


class TestItems:
    def test_that_cannot_be_decoded_are_counted(self, lived_in: Commands) -> None:
        file = lived_in.data / "commonroom.db"
        items = len(THINGS) + len(MODEL.tables)  # of each of these, a state
        assert findings(lived_in("doctor", "--json"), "ok")["items"]["detail"] == (
            f"{items} looked at; all can be decoded"
        )
        ruin(file, LIBRARY)
        ruin(file, USER)
        spoil(file, BOOK, Title=7)

        found = findings(lived_in("doctor", "--json"), "problem")["items"]

        assert found["detail"] == (f"3 of {items} cannot be decoded: 1 of Users, 2 of MediaLibrary")
        assert "commonroom check" in found["mend"]


class TestMaintenance:
    def test_is_ok_before_it_was_ever_due(self, lived_in: Commands) -> None:
        well = findings(lived_in("doctor", "--json"), "ok")
        assert well["integrity"]["detail"] == "the first integrity check is at 03:00"
        assert well["backups"]["detail"] == "the first backup is at 03:30"

    def test_shows_the_last_check_and_the_newest_backup(self, lived_in: Commands) -> None:
        settings = Settings(data=lived_in.data)
        now = time.time()
        write_state(settings, MaintenanceState(now - 10 * 86_400, Run(now, now), Run(now, now)))
        made = take_backup(settings, now - 5 * 3600, delete_old=True)

        well = findings(lived_in("doctor", "--json"), "ok")

        assert "0 minutes ago, without problems" in well["integrity"]["detail"]
        assert "the newest is 5 hours old" in well["backups"]["detail"]
        assert str(made) in well["backups"]["detail"]

    def test_says_what_failed(self, lived_in: Commands) -> None:
        now = time.time()
        failed = Run(now - 600, now - 3 * 86_400, "The disk is nearly full.")
        write_state(Settings(data=lived_in.data), MaintenanceState(now, Run(now, now), failed))

        found = findings(lived_in("doctor", "--json"), "problem")["backups"]

        assert found["detail"] == "the last backup failed 10 minutes ago: The disk is nearly full."

    def test_says_what_is_overdue(self, lived_in: Commands) -> None:
        hours_ago = time.strftime("%H:%M", time.gmtime(time.time() - 4 * 3600))
        old = Run(1.0, time.time() - 3 * 86_400)
        write_state(Settings(data=lived_in.data), MaintenanceState(1.0, old, old))

        ended = lived_in(
            "doctor",
            "--json",
            COMMONROOM_CHECK_TIME=hours_ago,
            COMMONROOM_BACKUP_TIME=hours_ago,
            COMMONROOM_BACKUP_TIME_ZONE="UTC",
        )

        overdue = findings(ended, "warning")
        assert overdue["integrity"]["detail"] == "the integrity check of 4 hours ago was missed"
        assert overdue["backups"]["detail"] == "the backup of 4 hours ago was missed"

    def test_warns_where_nobody_takes_backups(self, lived_in: Commands) -> None:
        ended = lived_in("doctor", "--json", COMMONROOM_BACKUP_TIME="off")
        assert findings(ended, "warning")["backups"]["detail"] == "scheduled backups are off"
