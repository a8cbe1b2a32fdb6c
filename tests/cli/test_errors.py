"""Whatever is wrong ends as one sentence and a 1, and changes nothing."""

from __future__ import annotations

import subprocess
import sys
from contextlib import closing
from pathlib import Path

import apsw
import pytest

from tests.support.commands import Commands, snapshot
from tests.support.dynamodb_local import ROOT, free_port

NEEDING_DATA = [
    ("check",),
    ("check", "--repair"),
    ("export", "out"),
    ("backup", "out.db"),
    ("tables", "create"),
    ("serve",),
]


@pytest.mark.parametrize("words", NEEDING_DATA)
class TestTheDataFile:
    def test_of_another_program(self, commonroom: Commands, words: tuple[str, ...]) -> None:
        commonroom.data.mkdir()
        with closing(apsw.Connection(str(commonroom.data / "commonroom.db"))) as other:
            other.execute("CREATE TABLE theirs (a)")
        before = snapshot(commonroom.data)
        assert "a database of another program" in commonroom(*words).sentence
        assert unchanged(commonroom.data, before)

    def test_that_is_none(self, commonroom: Commands, words: tuple[str, ...]) -> None:
        commonroom.data.mkdir()
        (commonroom.data / "commonroom.db").write_text("Dear diary, " * 500)
        before = snapshot(commonroom.data)
        assert "not a Commonroom data file" in commonroom(*words).sentence
        assert unchanged(commonroom.data, before)

    @pytest.mark.parametrize("start", [100, 4096])
    def test_that_is_damaged(self, lived_in: Commands, words: tuple[str, ...], start: int) -> None:
        if start > 100 and words[0] in ("tables", "serve"):
            return  # these read no more than they need; the doctor reads all of it
        file = lived_in.data / "commonroom.db"
        with file.open("r+b") as opened:
            opened.seek(start)
            opened.write(b"\xa5" * (3000 if start == 100 else file.stat().st_size - start))
        before = snapshot(lived_in.data)
        assert "is damaged" in lived_in(*words).sentence
        assert unchanged(lived_in.data, before)


def unchanged(data: Path, before: object) -> bool:
    """Whether all data is as it was, whatever SQLite and the secrets have put beside it."""
    now = dict(snapshot(data))
    now.pop("secrets.json", None)
    now.pop("commonroom.db-shm", None)
    return not now.pop("commonroom.db-wal", b"") and now == before


@pytest.mark.parametrize("words", [("tables", "create"), ("serve",)])
class TestTheDataFolder:
    def test_where_a_file_is_in_the_way(
        self, commonroom: Commands, tmp_path: Path, words: tuple[str, ...]
    ) -> None:
        (tmp_path / "data").write_text("I was here first")
        assert "data folder" in commonroom(*words).sentence
        assert (tmp_path / "data").read_text() == "I was here first"

    def test_that_may_not_be_written_to(self, commonroom: Commands, words: tuple[str, ...]) -> None:
        commonroom.data.mkdir(mode=0o555)
        # Root may write anywhere; nobody may not, but may not load our modules either.
        program = (
            "import os, sys, commonroom.cli.serve, commonroom.cli.tables, commonroom.house.server\n"
            "if os.geteuid() == 0: os.setuid(65534)\n"
            "commonroom.cli.main(sys.argv[1:])"
        )
        done = subprocess.run(
            [sys.executable, "-c", program, *words, "--data", str(commonroom.data)],
            cwd=ROOT,
            env={},
            check=False,
            capture_output=True,
            text=True,
        )
        assert done.returncode == 1, done.stderr
        assert done.stderr.startswith("Error: ")
        assert len(done.stderr.splitlines()) == 1
        assert str(commonroom.data) in done.stderr
        assert list(commonroom.data.iterdir()) == []


ON_DYNAMODB = [("check",), ("export", "out"), ("tables", "create"), ("serve",)]


@pytest.mark.parametrize("words", ON_DYNAMODB)
class TestDynamoDB:
    def test_that_is_not_there(
        self, commonroom: Commands, tmp_path: Path, words: tuple[str, ...]
    ) -> None:
        address = f"http://127.0.0.1:{free_port()}"
        sentence = commonroom(
            *words,
            COMMONROOM_STORE="dynamodb",
            COMMONROOM_DYNAMODB_REGION="local",
            COMMONROOM_DYNAMODB_ENDPOINT=address,
            AWS_ACCESS_KEY_ID="cli",
            AWS_SECRET_ACCESS_KEY="tests",
        ).sentence
        assert f"DynamoDB cannot be reached at {address}" in sentence
        assert not (tmp_path / "out").exists()

    def test_without_credentials(
        self, commonroom: Commands, tmp_path: Path, words: tuple[str, ...]
    ) -> None:
        sentence = commonroom(
            *words,
            COMMONROOM_STORE="dynamodb",
            COMMONROOM_DYNAMODB_REGION="local",
            COMMONROOM_DYNAMODB_ENDPOINT=f"http://127.0.0.1:{free_port()}",
        ).sentence
        assert "There are no credentials for DynamoDB" in sentence
        assert not (tmp_path / "out").exists()
