"""The layout of an export, and how it comes to be."""

from __future__ import annotations

import gzip
import hashlib
import json
import stat
import tracemalloc
from base64 import b64encode
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from commonroom.store.declare.table import Table
from commonroom.store.embedded import EmbeddedEngine
from commonroom.store.engine import Rows
from commonroom.store.errors import Refused, Unavailable
from commonroom.store.transfer.exporter import DataFileWriter
from commonroom.store.values import Item
from tests.support.transfers import TABLES, checked, names, write_export

Make = Callable[[str], EmbeddedEngine]


def tree(folder: Path) -> list[str]:
    return [file.name for file in folder.rglob("*")]


def lines(path: Path) -> list[Any]:
    return [json.loads(line) for line in path.read_text().splitlines()]


async def test_a_table_is_laid_out_as_aws_lays_it_out(embedded: Make, tmp_path: Path) -> None:
    engine = embedded("source")
    await engine.load(names, [{"Name": "ada", "Age": 36, "Photo": b"\x00\xff"}])
    folder = tmp_path / "export"
    await write_export(engine, TABLES, folder)

    summary = json.loads((folder / "Names/manifest-summary.json").read_text())
    assert summary["version"] == "2020-06-30"
    assert summary["tableArn"].endswith(":table/Names")
    assert summary["itemCount"] == 1
    assert summary["outputFormat"] == "DYNAMODB_JSON"
    assert summary["exportType"] == "FULL_EXPORT"
    assert summary["manifestFilesS3Key"] == "Names/manifest-files.json"

    (file,) = lines(folder / "Names/manifest-files.json")
    data = (folder / file["dataFileS3Key"]).read_bytes()
    digest = hashlib.md5(data, usedforsecurity=False)
    assert file["itemCount"] == 1
    assert file["md5Checksum"] == b64encode(digest.digest()).decode()
    assert file["etag"] == digest.hexdigest()
    assert gzip.decompress(data) == (
        b'{"Item":{"Age":{"N":"36"},"Photo":{"B":"AP8="},"Name":{"S":"ada"}}}\n'
    )


async def test_the_file_on_top_says_what_there_is(embedded: Make, tmp_path: Path) -> None:
    engine = embedded("source")
    await engine.load(names, [{"Name": "ada"}])
    await write_export(engine, TABLES, tmp_path / "export")
    top = json.loads((tmp_path / "export/commonroom-export.json").read_text())
    assert top["format"] == 1
    assert top["tables"] == {"World": 0, "Readings": 0, "Names": 1}
    assert top["exported_at"].endswith("Z")


async def test_it_is_for_its_owner_alone(embedded: Make, tmp_path: Path) -> None:
    await write_export(embedded("source"), TABLES, tmp_path / "export")
    assert stat.S_IMODE((tmp_path / "export").stat().st_mode) == 0o700


def test_files_have_a_bounded_size(tmp_path: Path) -> None:
    with DataFileWriter(tmp_path, "Names/data", file_bytes=1000) as files:
        files.add({"Name": f"{number:04}"} for number in range(100))
    sizes = [len(gzip.decompress((tmp_path / one.name).read_bytes())) for one in files.written]
    assert len(sizes) > 3
    assert max(sizes) < 1100
    assert sum(one.item_count for one in files.written) == files.items == 100


async def test_a_folder_that_holds_something_is_refused(embedded: Make, tmp_path: Path) -> None:
    folder = tmp_path / "export"
    folder.mkdir()
    (folder / "mine.txt").write_text("mine")
    with pytest.raises(Refused, match="not empty"):
        await write_export(embedded("source"), TABLES, folder)
    assert [file.name for file in folder.iterdir()] == ["mine.txt"]


async def test_an_empty_folder_is_filled(embedded: Make, tmp_path: Path) -> None:
    (tmp_path / "export").mkdir()
    await write_export(embedded("source"), TABLES, tmp_path / "export")
    assert len(checked(TABLES, tmp_path / "export")) == len(TABLES)


class Failing:
    """A source that gives a page and then no more."""

    async def scan(self, table: Table, *, limit: int, start: Item | None = None) -> Rows[Item]:
        if start is not None:
            raise Unavailable("The store is gone.")
        return Rows([{"Name": "ada"}], {"Name": "ada"})


async def test_one_that_fails_half_way_leaves_nothing(tmp_path: Path) -> None:
    with pytest.raises(Unavailable):
        await write_export(Failing(), [names], tmp_path / "export")
    assert tree(tmp_path) == []


class Endless:
    """A source of many items that are made as they are asked for: about forty megabytes."""

    async def scan(self, table: Table, *, limit: int, start: Item | None = None) -> Rows[Item]:
        first = 0 if start is None else start["next"]
        text = "x" * 2000
        rows = [{"Name": f"{first + number:08}", "Text": text} for number in range(limit)]
        following = first + limit
        return Rows(rows, {"next": following} if following < 20_000 else None)


async def test_memory_does_not_grow_with_the_data(tmp_path: Path) -> None:
    tracemalloc.start()
    try:
        await write_export(Endless(), [names], tmp_path / "export")
        checked([names], tmp_path / "export")
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 8 * 1024 * 1024
