"""`commonroom tables upgrade`, and what is said and refused before it was run."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from commonroom.library.tables import Book
from commonroom.model import MODEL
from commonroom.store import Table
from commonroom.store.dynamodb import DynamoSettings, connect
from commonroom.store.embedded import EmbeddedEngine
from tests.support.commands import Commands
from tests.support.earlier_keys import forget_keys
from tests.support.sample_data import stored


def said(commands: Commands, about: str) -> dict[str, str]:
    """What the doctor says about something."""
    findings = commands("doctor", "--json").json
    (found,) = [one for one in findings if one["about"] == about]
    return {name: str(value) for name, value in found.items()}


def forget(file: Path) -> None:
    async def run() -> None:
        engine = EmbeddedEngine(file, MODEL.tables)
        await forget_keys(engine, Book, "GSI2PK", "GSI2SK")
        await engine.close()

    asyncio.run(run())


class TestAFile:
    def test_of_an_earlier_version_is_said_to_be_one(self, lived_in: Commands) -> None:
        file = lived_in.data / "commonroom.db"
        before = stored(file)["MediaLibrary"]
        forget(file)

        found = said(lived_in, "upgrade")

        assert found["level"] == "warning"
        assert "earlier version" in found["detail"]
        assert stored(file)["MediaLibrary"] != before, "a doctor changes nothing"

    def test_is_upgraded_by_the_command_as_by_any_other(self, lived_in: Commands) -> None:
        file = lived_in.data / "commonroom.db"
        before = stored(file)["MediaLibrary"]
        forget(file)

        assert lived_in.ok("tables", "upgrade").out.endswith("The data is complete.\n")

        assert stored(file)["MediaLibrary"] == before
        assert said(lived_in, "upgrade")["level"] == "ok"
        assert lived_in.ok("tables", "upgrade", "--json").json == {"filled": {}}

    def test_of_a_newer_version_is_refused_with_a_sentence(self, lived_in: Commands) -> None:
        file = lived_in.data / "commonroom.db"

        async def add_table() -> None:
            newer = Table("Reviews", room="tests", partition="id")
            await EmbeddedEngine(file, [*MODEL.tables, newer]).close()

        asyncio.run(add_table())

        for command in (["check"], ["user", "list"], ["tables", "upgrade"]):
            assert "A newer Commonroom has added Reviews" in lived_in(*command).sentence
        doctor = lived_in("doctor", "--json")
        assert doctor.code == 1
        assert [one["about"] for one in doctor.json if one["level"] == "problem"] == ["upgrade"]


class TestDynamoDB:
    @pytest.fixture
    def commands(
        self,
        lived_in: Commands,
        on_dynamodb: Commands,
        tmp_path: Path,
        monkeypatch: pytest.MonkeyPatch,
    ) -> Commands:
        """An installation of an earlier version on DynamoDB."""
        for name, value in on_dynamodb.environment.items():
            monkeypatch.setenv(name, value)
        on_dynamodb.ok("tables", "create")
        lived_in.ok("export", str(tmp_path / "export"), COMMONROOM_STORE="embedded")
        on_dynamodb.ok("import", str(tmp_path / "export"))
        asyncio.run(self.forget(on_dynamodb))
        return on_dynamodb

    async def forget(self, commands: Commands) -> None:
        given = commands.environment
        settings = DynamoSettings(
            given["COMMONROOM_DYNAMODB_REGION"],
            prefix=given["COMMONROOM_DYNAMODB_PREFIX"],
            endpoint=given["COMMONROOM_DYNAMODB_ENDPOINT"],
        )
        async with await connect(settings) as engine:
            await forget_keys(engine, Book, "GSI2PK", "GSI2SK")

    def test_tells_the_command_until_it_was_run(self, commands: Commands) -> None:
        found = said(commands, "upgrade")
        assert (found["level"], found["mend"]) == ("problem", "commonroom tables upgrade")
        assert "being upgraded" in found["detail"]
        assert "GSI2PK should be" in commands("check").out

        out = commands.ok("tables", "upgrade").out

        assert out.splitlines() == [
            "Filling keys of MediaLibrary: 0 %",
            "Filling keys of MediaLibrary: 100 %",
            "The data is complete.",
        ]
        assert said(commands, "upgrade")["level"] == "ok"
        commands.ok("check")

    def test_new_tables_leave_servers_of_before_alone(
        self, commands: Commands, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Creating is the first step; what has run before must be able to start again."""
        newer = Table("Reviews", room="tests", partition="id")
        with monkeypatch.context() as patch:
            patch.setattr(MODEL, "tables", (*MODEL.tables, newer))
            assert "Reviews" in commands.ok("tables", "create").out
        commands.ok("user", "list")
        with monkeypatch.context() as patch:
            patch.setattr(MODEL, "tables", (*MODEL.tables, newer))
            commands.ok("tables", "upgrade")
        assert "has added Reviews" in commands("user", "list").sentence

    def test_a_new_installation_needs_no_upgrade(self, on_dynamodb: Commands) -> None:
        on_dynamodb.ok("tables", "create")
        assert said(on_dynamodb, "upgrade")["level"] == "ok"
        assert on_dynamodb.ok("tables", "upgrade").out == "The data is complete.\n"
