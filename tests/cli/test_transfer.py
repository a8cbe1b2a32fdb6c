"""`commonroom export` and `commonroom import`."""

from __future__ import annotations

import gzip
import hashlib
import json
from base64 import b64encode
from contextlib import closing
from pathlib import Path

import apsw
import pytest

from commonroom.store.values import same_value
from tests.support.commands import Commands, snapshot
from tests.support.sample_data import BOOK, THINGS, USER, ruin, spoil, stored


@pytest.fixture
def export(lived_in: Commands, tmp_path: Path) -> Path:
    """An export of what is there."""
    lived_in.ok("export", str(tmp_path / "export"))
    return tmp_path / "export"


@pytest.fixture
def other(tmp_path: Path) -> Commands:
    """Another installation."""
    return Commands(tmp_path / "other")


class TestExport:
    def test_it_says_what_it_wrote(self, lived_in: Commands, tmp_path: Path) -> None:
        told = lived_in.ok("export", "everything", "--json").json
        assert told["items"] == len(THINGS)
        assert told["tables"]["MediaLibrary"] == 4
        assert (
            json.loads((tmp_path / "everything/commonroom-export.json").read_text())["tables"]
            == (told["tables"])
        )

    def test_what_only_this_engine_understands_stays_behind(self, export: Path) -> None:
        assert not (export / "Consumers").exists()

    def test_progress_is_plain_where_nobody_watches(self, lived_in: Commands) -> None:
        assert lived_in.ok("export", "one").err == "Exporting Users: 1\nExporting MediaLibrary: 4\n"
        assert lived_in.ok("export", "two", "--json").err == ""

    def test_without_data_there_is_nothing_to_export(self, commonroom: Commands) -> None:
        assert "There is no data file" in commonroom("export", "everything").sentence
        assert not commonroom.data.exists()

    def test_an_item_that_cannot_be_decoded_is_named(
        self, lived_in: Commands, tmp_path: Path
    ) -> None:
        ruin(lived_in.data / "commonroom.db", USER)
        sentence = lived_in("export", "everything").sentence
        assert "u-1 of Users cannot be decoded" in sentence
        assert "--salvage" in sentence
        assert not (tmp_path / "everything").exists()

    def test_a_folder_that_cannot_be_made_is_a_sentence(
        self, lived_in: Commands, tmp_path: Path
    ) -> None:
        (tmp_path / "file").write_text("in the way")
        assert str(tmp_path / "file") in lived_in("export", f"{tmp_path}/file/out").sentence

    def test_a_folder_that_holds_something_is_left_alone(
        self, lived_in: Commands, export: Path
    ) -> None:
        before = snapshot(export)
        assert "not empty" in lived_in("export", str(export)).sentence
        assert snapshot(export) == before


class TestImport:
    def test_an_item_that_does_not_decode_is_refused_with_its_line(
        self, lived_in: Commands, other: Commands, tmp_path: Path
    ) -> None:
        spoil(lived_in.data / "commonroom.db", BOOK, Title=7)
        lived_in.ok("export", "spoilt")
        refused = other("import", "spoilt").sentence
        assert "spoilt/MediaLibrary/data/000000.json.gz, line 4:" in refused
        assert "Title" in refused
        assert not other.data.exists()

    def test_what_cannot_be_stored_is_set_aside_with_its_reason(
        self, lived_in: Commands, other: Commands, tmp_path: Path
    ) -> None:
        spoil(lived_in.data / "commonroom.db", BOOK, Title=7)
        lived_in.ok("export", "spoilt")
        told = other.ok("import", "spoilt", "--set-aside", "aside.jsonl").out
        assert "Set 1 items aside in aside.jsonl" in told
        [line] = (tmp_path / "aside.jsonl").read_text().splitlines()
        aside = json.loads(line)
        assert (aside["table"], aside["line"]) == ("MediaLibrary", 4)
        assert "Title" in aside["reason"]
        assert json.loads(aside["text"])["Item"]["Title"] == {"N": "7"}
        assert sum(map(len, stored(other.data / "commonroom.db").values())) == len(THINGS) - 1

    def test_where_everything_can_be_stored_nothing_is_set_aside(
        self, other: Commands, export: Path, tmp_path: Path
    ) -> None:
        other.ok("import", str(export), "--set-aside", "aside.jsonl")
        assert not (tmp_path / "aside.jsonl").exists()

    def test_index_keys_are_computed_anew_whatever_the_file_says(
        self, lived_in: Commands, other: Commands, tmp_path: Path
    ) -> None:
        lived_in.ok("export", "all")
        rewrite(tmp_path / "all" / "MediaLibrary", GSI1SK={"S": ""}, GSI2SK={"N": "7"})
        other.ok("import", "all")
        assert stored(other.data / "commonroom.db") == stored(lived_in.data / "commonroom.db")

    def test_everything_is_there_again(
        self, lived_in: Commands, other: Commands, export: Path
    ) -> None:
        told = other.ok("import", str(export), "--json").json
        assert told["items"] == len(THINGS)
        assert stored(other.data / "commonroom.db") == stored(lived_in.data / "commonroom.db")
        other.ok("check")

    def test_it_notes_when_so_that_nobody_is_told_again_of_what_it_brings(
        self, other: Commands, export: Path
    ) -> None:
        other.ok("import", str(export))
        with closing(apsw.Connection(str(other.data / "commonroom.db"))) as connection:
            kinds = connection.execute("SELECT kind FROM Consumers").fetchall()
        assert ("IMPORT",) in kinds

    def test_by_way_of_dynamodb_nothing_is_lost(
        self, lived_in: Commands, on_dynamodb: Commands, other: Commands, export: Path
    ) -> None:
        assert "tables create" in on_dynamodb("import", str(export)).sentence
        on_dynamodb.ok("tables", "create")
        on_dynamodb.ok("import", str(export))
        assert "There is data in" in on_dynamodb("import", str(export)).sentence
        on_dynamodb.ok("import", str(export), "--replace")
        on_dynamodb.ok("check")
        on_dynamodb.ok("export", "back")
        other.ok("import", "back")
        before = stored(lived_in.data / "commonroom.db")
        after = stored(other.data / "commonroom.db")
        assert before.keys() == after.keys()
        for name, items in before.items():
            found = {(one.get("PK"), one.get("SK")): one for one in after[name]}
            assert len(found) == len(items)
            assert all(same_value(one, found[one.get("PK"), one.get("SK")]) for one in items)

    def test_data_that_is_there_is_not_touched_without_being_told_to(
        self, lived_in: Commands, export: Path
    ) -> None:
        spoil(lived_in.data / "commonroom.db", BOOK, Title="Renamed")
        before = stored(lived_in.data / "commonroom.db")
        sentence = lived_in("import", str(export)).sentence
        assert "There is data in Users, MediaLibrary" in sentence
        assert "--replace" in sentence
        assert stored(lived_in.data / "commonroom.db") == before
        lived_in.ok("import", str(export), "--replace")
        (book,) = [
            one for one in stored(lived_in.data / "commonroom.db")["MediaLibrary"] if "Title" in one
        ]
        assert book["Title"] == BOOK.title

    def test_a_table_of_aws_by_itself(self, other: Commands, export: Path, tmp_path: Path) -> None:
        (export / "Users").rename(tmp_path / "01693685827463-2d8752fd")
        summary = tmp_path / "01693685827463-2d8752fd/manifest-summary.json"
        made = json.loads(summary.read_text())
        made["tableArn"] = "arn:aws:dynamodb:eu-west-1:123456789012:table/prod-Users"
        summary.write_text(json.dumps(made))
        told = other.ok(
            "import", str(summary.parent), "--json", COMMONROOM_DYNAMODB_PREFIX="prod-"
        ).json
        assert told == {"items": 1, "tables": {"Users": 1}, "set_aside": 0}

    def test_what_is_wrong_changes_nothing(self, other: Commands, export: Path) -> None:
        other.ok("tables", "create")
        before = snapshot(other.data)
        data = next((export / "MediaLibrary/data").iterdir())
        data.write_bytes(data.read_bytes()[:-1])
        assert "checksum" in other("import", str(export)).sentence
        assert snapshot(other.data) == before

    def test_not_even_a_data_folder_is_made(self, other: Commands, export: Path) -> None:
        (export / "Users").rename(export / "People")
        assert "The table People is not in" in other("import", str(export)).sentence
        assert not other.data.exists()


class TestSalvage:
    def test_of_a_sound_file_is_everything(
        self, lived_in: Commands, other: Commands, tmp_path: Path
    ) -> None:
        told = lived_in.ok("export", "--salvage", "all").out
        assert f"Exported {len(THINGS)} items" in told
        assert "Nothing is missing." in told
        other.ok("import", "all")
        assert same_value(
            stored(other.data / "commonroom.db"), stored(lived_in.data / "commonroom.db")
        )

    def test_leaves_out_what_cannot_be_decoded_and_lists_it(
        self, lived_in: Commands, other: Commands, tmp_path: Path
    ) -> None:
        ruin(lived_in.data / "commonroom.db", USER)
        spoil(lived_in.data / "commonroom.db", BOOK, Title=7)
        ended = lived_in("export", "--salvage", "rest", "--json")
        assert ended.code == 3
        assert ended.json["complete"] is False
        assert ended.json["items"] == len(THINGS) - 2
        report = json.loads((tmp_path / "rest" / "commonroom-salvage.json").read_text())
        assert report["tables"]["Users"]["lost_items"][0]["key"] == ["u-1"]
        [book] = report["tables"]["MediaLibrary"]["lost_items"]
        assert book["item"]["Title"] == {"N": "7"}, "what is left of it is there"
        other.ok("import", "rest")

    def test_brings_out_of_a_damaged_file_what_an_export_cannot(
        self, lived_in: Commands, tmp_path: Path
    ) -> None:
        file = lived_in.data / "commonroom.db"
        with file.open("r+b") as data:
            data.seek(4096 * (root_of(file, "Users") - 1))
            data.write(bytes(4096))
        assert "commonroom export --salvage" in lived_in("export", "all").sentence
        ended = lived_in("export", "--salvage", "rest")
        assert ended.code == 3
        assert "Lost of Users: 1 items" in ended.out
        assert "commonroom-salvage.json" in ended.out
        assert (tmp_path / "rest" / "MediaLibrary").is_dir()

    def test_is_for_a_data_file(self, on_dynamodb: Commands) -> None:
        assert "there is no data file" in on_dynamodb("export", "--salvage", "all").sentence


def rewrite(table: Path, **attributes: object) -> None:
    """Gives every item of an exported table other attributes, and the manifest its checksum."""
    data = table / "data" / "000000.json.gz"
    lines = [json.loads(line) for line in gzip.decompress(data.read_bytes()).splitlines()]
    changed = [{"Item": line["Item"] | attributes} for line in lines]
    data.write_bytes(gzip.compress(b"".join(json.dumps(one).encode() + b"\n" for one in changed)))
    manifest = table / "manifest-files.json"
    listed = json.loads(manifest.read_text())
    digest = hashlib.md5(data.read_bytes(), usedforsecurity=False).digest()
    manifest.write_text(json.dumps(listed | {"md5Checksum": b64encode(digest).decode()}) + "\n")


def root_of(file: Path, name: str) -> int:
    connection = apsw.Connection(str(file))
    root: int = connection.execute("SELECT rootpage FROM sqlite_schema WHERE name = ?", (name,)).get
    connection.close()
    return root
