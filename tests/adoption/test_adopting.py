"""`commonroom import --adopt`: tables that follow the data models, and hold nothing beyond them."""

from __future__ import annotations

import asyncio
import gzip
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from commonroom.house.consumers import data_consumers
from commonroom.model import MODEL
from commonroom.settings import Settings
from commonroom.store import Store
from commonroom.store.embedded import EmbeddedEngine
from commonroom.store.streams import Worker
from tests.cli.conftest import commonroom, nobodys_settings, on_dynamodb
from tests.support.budget import WHOLE_WALK
from tests.support.commands import Commands, snapshot
from tests.support.dynamodb_local import ROOT
from tests.support.foreign_tables import DOCUMENTS, Tables, every_row, write_aws_export, write_lines
from tests.support.sample_data import stored

__all__ = ["commonroom", "nobodys_settings", "on_dynamodb"]

FEW = 250
EACH = 10_000 if WHOLE_WALK else FEW
"""How many items of each document are adopted on both engines."""


@pytest.fixture(params=["embedded", "dynamodb"])
def either_engine(request: pytest.FixtureRequest) -> Commands:
    """The commands of an empty installation, once on each engine."""
    if request.param == "embedded":
        return request.getfixturevalue("commonroom")  # type: ignore[no-any-return]
    commands: Commands = request.getfixturevalue("on_dynamodb")
    commands.ok("tables", "create")
    return commands


def written(folder: Path, document: str, count: int) -> tuple[Tables, list[str]]:
    """The tables of a document in files, and how a command names them."""
    tables = DOCUMENTS[document](count)
    write_lines(folder, tables, prefix="prod-")
    words = [str(folder)]
    if document == "watchlists":  # its data model names no table
        words += ["--table", f"WorthWatch={folder}/prod-Worth.jsonl"]
    return tables, words


def adopt_and_check(commands: Commands, folder: Path, document: str, count: int) -> Any:
    tables, words = written(folder, document, count)
    told = commands.ok("import", "--adopt", *words, "--json").json
    assert told["items"] == len(list(every_row(tables)))
    assert (told["left"], told["set_aside"]) == (0, [])
    checked = commands.ok("check", "--json").json
    assert (checked["found"], checked["problems"]) == (0, [])
    assert checked["items"] >= told["items"]
    return told


class TestEveryDocument:
    @pytest.mark.parametrize("document", DOCUMENTS)
    def test_its_tables_are_adopted_and_nothing_is_wrong_with_them(
        self, either_engine: Commands, tmp_path: Path, document: str
    ) -> None:
        adopt_and_check(either_engine, tmp_path / "tables", document, EACH)

    def test_all_five_are_adopted_at_once_and_nobody_is_told(
        self, commonroom: Commands, tmp_path: Path
    ) -> None:
        every: Tables = {}
        for document in DOCUMENTS.values():
            for name, rows in document(FEW).items():
                every.setdefault("WorthWatch" if name == "Worth" else name, []).extend(rows)
        folder = write_lines(tmp_path / "tables", every)
        told = commonroom.ok("import", "--adopt", str(folder), "--json").json
        assert told["tables"] == {name: len(every[name]) for name in told["tables"]}
        assert (told["left"], told["set_aside"]) == (0, [])

        asyncio.run(drained(commonroom.data / "commonroom.db"))
        noted = stored(commonroom.data / "commonroom.db").get("Notifications", [])
        assert [one for one in noted if one["type"] == "NOTIFICATION"] == []
        assert commonroom.ok("check", "--json").json["found"] == 0


class TestFiles:
    def test_an_export_of_aws_is_adopted_under_whatever_name_its_table_had(
        self, commonroom: Commands, tmp_path: Path
    ) -> None:
        tables = DOCUMENTS["watchlists"](FEW)
        export = write_aws_export(tmp_path / "export", "Stack-Table-1ABC", tables["Worth"])
        told = commonroom.ok("import", "--adopt", "--table", f"WorthWatch={export}", "--json").json
        assert told["tables"] == {"WorthWatch": len(tables["Worth"])}

    def test_an_export_of_aws_names_its_table_itself(
        self, commonroom: Commands, tmp_path: Path
    ) -> None:
        tables = DOCUMENTS["shareables"](FEW)
        for name, rows in tables.items():
            write_aws_export(tmp_path / "all" / f"01-{name}-x", f"prod-{name}", rows)
        told = commonroom.ok("import", "--adopt", str(tmp_path / "all"), "--json").json
        assert told["tables"] == {name: len(rows) for name, rows in tables.items()}

    def test_exports_of_aws_are_found_as_a_bucket_has_them(
        self, commonroom: Commands, tmp_path: Path
    ) -> None:
        tables = DOCUMENTS["shareables"](FEW)
        for name, rows in tables.items():
            write_aws_export(tmp_path / "bucket/AWSDynamoDB" / f"01-{name}", name, rows)
        told = commonroom.ok("import", "--adopt", str(tmp_path / "bucket"), "--json").json
        assert told["tables"] == {name: len(rows) for name, rows in tables.items()}

    @pytest.mark.parametrize(
        "other", [{"outputFormat": "ION"}, {"exportType": "INCREMENTAL_EXPORT"}, {"itemCount": 5}]
    )
    def test_an_export_of_another_kind_or_a_part_of_one_is_refused(
        self, commonroom: Commands, tmp_path: Path, other: dict[str, Any]
    ) -> None:
        rows = DOCUMENTS["shareables"](FEW)["Shareables"]
        export = write_aws_export(tmp_path / "Shareables", "Shareables", rows)
        summary = export / "manifest-summary.json"
        summary.write_text(json.dumps(json.loads(summary.read_bytes()) | other))
        refused = commonroom("import", "--adopt", str(export)).sentence
        assert "can be imported" in refused or "differ in their counts" in refused
        assert not commonroom.data.exists()

    def test_a_file_of_an_export_that_was_changed_is_refused(
        self, commonroom: Commands, tmp_path: Path
    ) -> None:
        rows = DOCUMENTS["shareables"](FEW)["Shareables"]
        export = write_aws_export(tmp_path / "Shareables", "Shareables", rows)
        file = next((export / "data").iterdir())
        file.write_bytes(file.read_bytes()[:-1])
        refused = commonroom("import", "--adopt", str(export)).sentence
        assert "was changed or damaged" in refused
        assert not commonroom.data.exists()

    def test_files_of_no_table_are_a_sentence(self, commonroom: Commands, tmp_path: Path) -> None:
        (tmp_path / "notes.jsonl").write_text("{}\n")
        refused = commonroom("import", "--adopt", str(tmp_path)).sentence
        assert "--table says which is of which" in refused

    def test_a_table_that_nobody_has_is_a_sentence(
        self, commonroom: Commands, tmp_path: Path
    ) -> None:
        (tmp_path / "a.jsonl").write_text("{}\n")
        words = ("import", "--adopt", "--table", f"Films={tmp_path}/a.jsonl")
        assert "Commonroom has no table Films" in commonroom(*words).sentence

    def test_data_that_is_there_already_is_left_alone(
        self, commonroom: Commands, tmp_path: Path
    ) -> None:
        adopt_and_check(commonroom, tmp_path / "one", "shareables", FEW)
        _, words = written(tmp_path / "two", "shareables", FEW // 2)
        before = stored(commonroom.data / "commonroom.db")
        assert "There is data in Shareables" in commonroom("import", "--adopt", *words).sentence
        assert stored(commonroom.data / "commonroom.db") == before


class TestWhatDoesNotFit:
    def test_is_set_aside_with_its_reason_and_adopted_once_it_fits(
        self, commonroom: Commands, tmp_path: Path
    ) -> None:
        tables, words = written(tmp_path / "tables", "library", FEW)
        lost = tables["Users"][0]["user_id"]
        write_lines(tmp_path / "tables", tables | {"Users": tables["Users"][1:]}, prefix="prod-")
        with (tmp_path / "tables/prod-MediaLibrary.jsonl").open("a") as lines:
            lines.write('no json\n{"PK": "owner#X", "SK": "library#Y", "EntityType": "LIBRARY"}\n')
        told = commonroom.ok("import", "--adopt", *words, "--json").json
        assert any("The account that owns" in one["reason"] for one in told["set_aside"])

        lines_ = (tmp_path / "tables.set-aside.jsonl").read_text().splitlines()
        aside = [json.loads(line) for line in lines_]
        owner = f"owner#{lost.replace('-', '').upper()}"
        of_lost = [row for row in tables["MediaLibrary"] if row["PK"] == owner]
        kept = [one for one in aside if one["key"] and one["key"][0] == owner]
        documented = {"LIBRARY", "COLLECTION", "BOOK", "VIDEO", "EVENT", "SHARED_LIBRARY"}
        back = [one for one in kept if one["item"]["EntityType"]["S"] in documented]
        assert len(back) == len(of_lost)
        reasons = {one["reason"] for one in aside}
        assert any("no item in JSON" in one for one in reasons)
        assert any("LibraryName" in one for one in reasons)
        assert commonroom.ok("check").code == 0

    def test_a_second_account_with_the_same_address_is(
        self, commonroom: Commands, tmp_path: Path
    ) -> None:
        tables = DOCUMENTS["movie night"](FEW)
        twice = {**tables["Users"][0], "user_id": "another"}
        tables["Users"] = [*tables["Users"], {**twice, "email": twice["email"].upper()}]
        write_lines(tmp_path / "tables", tables)
        told = commonroom.ok("import", "--adopt", str(tmp_path / "tables"), "--json").json
        (aside,) = told["set_aside"]
        assert aside["reason"] == "Another account has the same e-mail address; change one of them."
        assert commonroom.ok("check").code == 0


class TestPeople:
    def test_come_in_by_a_link_to_choose_a_password(
        self, commonroom: Commands, tmp_path: Path
    ) -> None:
        tables, words = written(tmp_path / "tables", "movie night", FEW)
        commonroom.ok("import", "--adopt", *words)
        address = tables["Users"][0]["email"].lower()
        assert "/reset/" in commonroom.ok("user", "reset-link", address).out
        commonroom.ok("user", "make-admin", address)
        listed = commonroom.ok("user", "list", "--json").json
        assert [one["email"] for one in listed if one["is_admin"]] == [tables["Users"][0]["email"]]

    def test_of_watchlists_have_accounts_of_their_profiles(
        self, commonroom: Commands, tmp_path: Path
    ) -> None:
        tables, words = written(tmp_path / "tables", "watchlists", FEW)
        commonroom.ok("import", "--adopt", *words)
        profiles = [row for row in tables["Worth"] if row["entityType"] == "USER"]
        listed = commonroom.ok("user", "list", "--json").json
        assert {one["email"] for one in listed} == {one["email"] for one in profiles}


async def drained(file: Path) -> None:
    """Lets all consumers handle what was adopted."""
    store = Store(EmbeddedEngine(file, MODEL.tables, durability="OFF"))
    await Worker(store, data_consumers(Settings(data=file.parent))).drain()
    await store.close()


class TestDryRun:
    def test_says_what_would_happen_and_writes_nothing(
        self, either_engine: Commands, tmp_path: Path
    ) -> None:
        tables, words = written(tmp_path / "tables", "movie night", FEW)
        before = snapshot(tmp_path)
        told = either_engine.ok("import", "--adopt", *words, "--dry-run", "--json").json
        assert told["items"] == len(list(every_row(tables)))
        assert told["repairs"]
        assert snapshot(tmp_path) == before
        assert either_engine.environment.get("COMMONROOM_STORE") or not either_engine.data.exists()
        if either_engine.environment.get("COMMONROOM_STORE"):
            assert either_engine.ok("check", "--json").json["items"] == 0

    def test_knows_who_is_there_already(self, commonroom: Commands, tmp_path: Path) -> None:
        tables, words = written(tmp_path / "tables", "hangouts", FEW)
        write_lines(tmp_path / "people", {"Users": tables.pop("Users")})
        commonroom.ok("import", "--adopt", str(tmp_path / "people"))
        (tmp_path / "tables/prod-Users.jsonl").unlink()
        told = commonroom.ok("import", "--adopt", *words, "--dry-run", "--json").json
        assert (told["left"], told["set_aside"]) == (0, [])


class TestInterrupted:
    @pytest.mark.parametrize("said", ["adopting", "checking"])
    def test_a_kill_in_the_middle_is_no_loss(
        self, commonroom: Commands, tmp_path: Path, said: str
    ) -> None:
        _, words = written(tmp_path / "tables", "watchlists", 1500)
        killed_while(said, commonroom, words)
        assert commonroom("check", "--json").json["items"] > 0

        told = commonroom.ok("import", "--adopt", *words, "--json").json
        assert (told["left"], told["set_aside"]) == (0, [])
        whole = Commands(tmp_path / "whole")
        whole.ok("import", "--adopt", *words)
        assert comparable(commonroom) == comparable(whole)
        assert commonroom.ok("check", "--json").json["found"] == 0


def killed_while(doing: str, commands: Commands, words: list[str]) -> None:
    """Starts an adoption in a process that is killed once it is at something."""
    command = [sys.executable, "-m", "tests.adoption.adopting_process", doing, *words]
    environment = {**commands.environment, "PATH": "/usr/bin:/bin"}
    with subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"there\n"
        process.kill()


def comparable(commands: Commands) -> Any:
    """All that is exported, in an order that does not depend on when it was stored."""
    folder = commands.data.with_suffix(".export")
    commands.ok("export", str(folder))
    lines = {
        path.parent.parent.name: gzip.decompress(path.read_bytes()).splitlines()
        for path in folder.glob("*/data/*.json.gz")
    }
    return {name: sorted(map(_ordered, several)) for name, several in lines.items()}


def _ordered(line: bytes) -> str:
    return json.dumps(json.loads(line), sort_keys=True)
