"""`commonroom backup` and `commonroom restore`."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.commands import Commands, snapshot
from tests.support.sample_data import BOOK, fill, spoil, stored


@pytest.fixture
def backup(lived_in: Commands, tmp_path: Path) -> Path:
    """A backup after which the book was renamed."""
    file = tmp_path / "backup.db"
    lived_in.ok("backup", str(file))
    spoil(lived_in.data / "commonroom.db", BOOK, Title="Renamed")
    return file


def titles(file: Path) -> list[str]:
    return [item["Title"] for item in stored(file)["MediaLibrary"] if "Title" in item]


class TestBackup:
    def test_it_says_how_large_the_file_is(self, lived_in: Commands, tmp_path: Path) -> None:
        file = tmp_path / "backup.db"
        told = lived_in.ok("backup", str(file), "--json").json
        assert told == {"file": str(file), "bytes": file.stat().st_size}
        assert stored(file) == stored(lived_in.data / "commonroom.db")

    def test_it_overwrites_only_when_told_to(self, lived_in: Commands, backup: Path) -> None:
        before = backup.read_bytes()
        assert "exists already" in lived_in("backup", str(backup)).sentence
        assert backup.read_bytes() == before
        lived_in.ok("backup", str(backup), "--force")
        assert titles(backup) == ["Renamed"]

    def test_without_data_there_is_nothing_to_back_up(
        self, commonroom: Commands, tmp_path: Path
    ) -> None:
        assert "There is no data file" in commonroom("backup", str(tmp_path / "b.db")).sentence
        assert not commonroom.data.exists()


class TestRestore:
    def test_it_asks_before_it_replaces_data(self, lived_in: Commands, backup: Path) -> None:
        before = snapshot(lived_in.data)
        for answer in ("n\n", ""):
            assert lived_in("restore", str(backup), answer=answer).code == 1
            assert snapshot(lived_in.data) == before
        ended = lived_in.ok("restore", str(backup), answer="y\n")
        assert titles(lived_in.data / "commonroom.db") == [BOOK.title]
        (kept,) = lived_in.data.glob("commonroom.db.before-restore-*")
        assert str(kept) in ended.out
        assert titles(kept) == ["Renamed"]

    def test_or_is_told_not_to_ask(self, lived_in: Commands, backup: Path) -> None:
        told = lived_in.ok("restore", str(backup), "--yes", "--json").json
        assert titles(lived_in.data / "commonroom.db") == [BOOK.title]
        assert Path(told["kept"]).exists()

    def test_where_there_is_no_data_it_need_not_ask(self, tmp_path: Path, backup: Path) -> None:
        fresh = Commands(tmp_path / "fresh")
        assert fresh.ok("restore", str(backup), "--json").json["kept"] is None
        assert titles(fresh.data / "commonroom.db") == [BOOK.title]
        assert fresh.data.stat().st_mode & 0o777 == 0o700

    def test_what_is_no_backup_changes_nothing_and_nobody_is_asked(
        self, lived_in: Commands, tmp_path: Path
    ) -> None:
        (tmp_path / "list.txt").write_text("milk, bread, candles" * 50)
        before = snapshot(lived_in.data)
        assert "not a Commonroom data file" in lived_in("restore", "list.txt").sentence
        assert snapshot(lived_in.data) == before

    def test_a_restored_installation_goes_on(self, lived_in: Commands, backup: Path) -> None:
        lived_in.ok("restore", str(backup), "--yes")
        lived_in.ok("check")
        fill(lived_in.data / "commonroom.db", [BOOK])
        lived_in.ok("doctor")


@pytest.mark.parametrize("words", [("backup", "b.db"), ("restore", "b.db", "--yes")])
def test_dynamodb_has_other_ways(commonroom: Commands, words: tuple[str, ...]) -> None:
    environment = {"COMMONROOM_STORE": "dynamodb", "COMMONROOM_DYNAMODB_REGION": "local"}
    sentence = commonroom(*words, **environment).sentence
    assert "point-in-time recovery" in sentence
    assert "commonroom export" in sentence


class TestTheNewestBackup:
    def test_is_restored_with_one_command(self, lived_in: Commands) -> None:
        folder = lived_in.data / "backups"
        folder.mkdir()
        for day in (14, 15):
            lived_in.ok("backup", str(folder / f"commonroom-202611{day}T033000Z.db"))
            spoil(lived_in.data / "commonroom.db", BOOK, Title=f"After the {day}th")
        ended = lived_in.ok("restore", "--newest", "--yes", "--json")
        assert ended.json["backup"].endswith("commonroom-20261115T033000Z.db")
        assert titles(lived_in.data / "commonroom.db") == ["After the 14th"]

    def test_is_passed_over_where_it_is_damaged(self, lived_in: Commands) -> None:
        folder = lived_in.data / "backups"
        folder.mkdir()
        lived_in.ok("backup", str(folder / "commonroom-20261114T033000Z.db"))
        (folder / "commonroom-20261115T033000Z.db").write_bytes(b"cut off")
        ended = lived_in.ok("restore", "--newest", "--yes", "--json")
        assert ended.json["backup"].endswith("commonroom-20261114T033000Z.db")

    def test_must_be_there(self, lived_in: Commands) -> None:
        assert "There is no whole backup" in lived_in("restore", "--newest", "--yes").sentence

    def test_is_not_meant_together_with_a_file(self, lived_in: Commands, backup: Path) -> None:
        for words in ((), (str(backup), "--newest")):
            ended = lived_in("restore", *words)
            assert ended.code == 2
            assert "Name a backup, or take --newest." in ended.err
