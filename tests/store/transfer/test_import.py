"""What is wrong with an export is found before anything is changed."""

from __future__ import annotations

import gzip
import hashlib
import json
import shutil
from base64 import b64encode
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from commonroom.store.declare.table import Table
from commonroom.store.embedded import EmbeddedEngine
from commonroom.store.errors import Unavailable
from commonroom.store.transfer import BadExport, load, nonempty_tables
from commonroom.store.values import Item
from tests.support.transfers import (
    TABLES,
    checked,
    everything,
    ignore,
    load_export,
    names,
    readings,
    write_export,
)
from tests.support.world import Book, world

Make = Callable[[str], EmbeddedEngine]


@pytest.fixture
async def export(embedded: Make, tmp_path: Path) -> Path:
    """An export with something in every table."""
    engine = embedded("source")
    await engine.load(names, [{"Name": "ada"}, {"Name": "bob"}])
    await engine.load(readings, [{"Sensor": 1, "Moment": 2.5}])
    await engine.load(world, [Book(house_id="h", book_id="b").to_item()])
    await write_export(engine, TABLES, tmp_path / "export")
    return tmp_path / "export"


async def test_keys_that_are_new_since_it_was_exported_are_made(
    embedded: Make, export: Path
) -> None:
    book = Book(house_id="h", book_id="b", owner_id="o", shelf="s", place=3)
    earlier = {
        name: value for name, value in book.to_item().items() if name not in book.schema.derived
    } | dict(zip(("PK", "SK"), book.ref.key, strict=True))
    source = embedded("earlier")
    await source.load(world, [earlier])
    await write_export(source, [world], export.parent / "earlier")
    target = embedded("target")

    await load_export(target, [world], export.parent / "earlier")

    assert await target.batch_get([(world, book.ref.key)]) == [book.to_item()]


def change(path: Path, **values: Any) -> None:
    """Changes entries of a JSON file; None takes one out."""
    found = json.loads(path.read_text()) | values
    path.write_text(json.dumps({name: one for name, one in found.items() if one is not None}))


def rewrite(table: Path, text: str, *, count: int = 2, name: str = "000000.json.gz") -> None:
    """Gives a table another data file, with manifests that agree with it."""
    data = gzip.compress(text.encode(errors="surrogatepass"))
    (table / "data" / name).write_bytes(data)
    digest = b64encode(hashlib.md5(data, usedforsecurity=False).digest()).decode()
    line = {"itemCount": count, "md5Checksum": digest, "dataFileS3Key": f"somewhere/data/{name}"}
    (table / "manifest-files.json").write_text(json.dumps(line) + "\n")


def two(first: str) -> str:
    return first + '\n{"Item":{"Name":{"S":"bob"}}}\n'


def emptied(export: Path) -> None:
    shutil.rmtree(export)
    export.mkdir()


def renamed(export: Path) -> None:
    (export / "Names").rename(export / "Other")
    change(export / "commonroom-export.json", tables={"World": 1, "Readings": 1, "Other": 2})


def point_to(export: Path, name: str) -> None:
    manifest = export / "Names/manifest-files.json"
    manifest.write_text(manifest.read_text().replace("000000.json.gz", name))


MANIFESTS: dict[str, tuple[Callable[[Path], object], str]] = {
    "no folder": (shutil.rmtree, "no folder"),
    "not an export": (emptied, "is no export"),
    "a newer format": (lambda e: change(e / "commonroom-export.json", format=2), "format 2"),
    "a file on top that is no JSON": (
        lambda e: (e / "commonroom-export.json").write_text("{"),
        "not as an export has it",
    ),
    "a table that is missing": (lambda e: shutil.rmtree(e / "Names"), "Names is missing"),
    "a table too many": (
        lambda e: shutil.copytree(e / "Names", e / "Other"),
        "Other is not in commonroom-export.json",
    ),
    "a table that nobody knows": (
        renamed,
        "the table Other, which Commonroom does not have",
    ),
    "counts on top that differ": (
        lambda e: change(
            e / "commonroom-export.json", tables={"World": 1, "Readings": 1, "Names": 3}
        ),
        "differ in their counts",
    ),
    "counts in the manifests that differ": (
        lambda e: change(e / "Names/manifest-summary.json", itemCount=3),
        "differ in their counts",
    ),
    "another output format": (
        lambda e: change(e / "Names/manifest-summary.json", outputFormat="ION"),
        "in ION",
    ),
    "an incremental export": (
        lambda e: change(e / "Names/manifest-summary.json", exportType="INCREMENTAL_EXPORT"),
        "INCREMENTAL_EXPORT",
    ),
    "a summary without a count": (
        lambda e: change(e / "Names/manifest-summary.json", itemCount=None),
        "itemCount",
    ),
    "no list of files": (
        lambda e: (e / "Names/manifest-files.json").unlink(),
        "cannot be read",
    ),
    "a data file that is missing": (
        lambda e: (e / "Names/data/000000.json.gz").unlink(),
        "which is not in",
    ),
    "a data file outside": (
        lambda e: point_to(e, ".."),
        "which is not in",
    ),
    "a data file that was changed": (
        lambda e: (e / "Names/data/000000.json.gz").write_bytes(gzip.compress(b"")),
        "checksum",
    ),
}

LINES: dict[str, tuple[str, str]] = {
    "no JSON": (two("{"), "line 1: This is no item"),
    "no item": (two('{"Name":{"S":"a"}}'), "line 1: This is no item"),
    "an item that is a list": (two('{"Item":[]}'), "line 1: This is no item"),
    "no key": (two('{"Item":{"Other":{"S":"a"}}}'), "key attribute Name is missing"),
    "an empty key": (two('{"Item":{"Name":{"S":""}}}'), "must not be empty"),
    "a key of the wrong type": (two('{"Item":{"Name":{"N":"1"}}}'), "must be text"),
    "a key that is too long": (two(f'{{"Item":{{"Name":{{"S":"{"n" * 2049}"}}}}}}'), "2048 bytes"),
    "text that is a number": (two('{"Item":{"Name":{"S":1}}}'), "type that it names"),
    "a number that is none": (
        two('{"Item":{"Name":{"S":"a"},"N":{"N":"' + "x" * 20 + '"}}}'),
        "line 1",
    ),
    "a number that would be rounded": (
        two('{"Item":{"Name":{"S":"a"},"N":{"N":"123456789012345678901234567890"}}}'),
        "more digits",
    ),
    "a fraction that would be rounded": (
        two('{"Item":{"Name":{"S":"a"},"N":{"L":[{"N":"0.12345678901234567890123"}]}}}'),
        "more digits",
    ),
    "a type that there is not": (two('{"Item":{"Name":{"S":"a"},"X":{"Q":"1"}}}'), "type"),
    "two types at once": (two('{"Item":{"Name":{"S":"a"},"X":{"S":"1","N":"1"}}}'), "one value"),
    "bytes that are no base64": (two('{"Item":{"Name":{"S":"a"},"X":{"B":"?"}}}'), "line 1"),
    "half of a surrogate pair": (two('{"Item":{"Name":{"S":"\\ud800"}}}'), "line 1"),
    "too deep": (
        two('{"Item":{"Name":{"S":"a"},"X":' + '{"L":[' * 60 + "]}" * 60 + "}}"),
        "levels deep",
    ),
    "endlessly deep": (
        two('{"Item":{"Name":{"S":"a"},"X":' + '{"L":[' * 90_000 + "]}" * 90_000 + "}}"),
        "line 1",
    ),
    "too large": (two(f'{{"Item":{{"Name":{{"S":"a"}},"X":{{"S":"{"x" * 410_000}"}}}}}}'), "bytes"),
    "too few": ('{"Item":{"Name":{"S":"bob"}}}\n', "has 1 items"),
    "too many": (two('{"Item":{"Name":{"S":"a"}}}') * 2, "has 4 items"),
}


class TestRefused:
    @pytest.mark.parametrize("what", MANIFESTS)
    async def test_manifests(self, export: Path, what: str) -> None:
        spoil, sentence = MANIFESTS[what]
        spoil(export)
        with pytest.raises(BadExport, match=sentence):
            checked(TABLES, export)

    @pytest.mark.parametrize("what", LINES)
    async def test_lines(self, export: Path, what: str) -> None:
        text, sentence = LINES[what]
        rewrite(export / "Names", text)
        with pytest.raises(BadExport, match=sentence) as refused:
            checked(TABLES, export)
        assert "000000.json.gz" in refused.value.detail, "it says where"

    @pytest.mark.parametrize("wrong", ['"Kind":{"L":[]}', '"ExpiresAt":{"S":"soon"}'])
    async def test_marks_that_every_reader_relies_on(self, export: Path, wrong: str) -> None:
        text = f'{{"Item":{{"PK":{{"S":"p"}},"SK":{{"S":"s"}},{wrong}}}}}\n'
        rewrite(export / "World", text, count=1)
        with pytest.raises(BadExport, match=r"must be (text|a number)"):
            checked(TABLES, export)

    async def test_a_file_that_is_not_compressed_to_its_end(self, export: Path) -> None:
        rewrite(export / "Names", two('{"Item":{"Name":{"S":"ada"}}}'))
        file = export / "Names/data/000000.json.gz"
        cut = file.read_bytes()[:-9]
        file.write_bytes(cut)
        digest = b64encode(hashlib.md5(cut, usedforsecurity=False).digest()).decode()
        manifest = export / "Names/manifest-files.json"
        manifest.write_text(json.dumps(json.loads(manifest.read_text()) | {"md5Checksum": digest}))
        with pytest.raises(BadExport, match="cannot be read to its end"):
            checked(TABLES, export)


AWS_SUMMARY = {
    "version": "2020-06-30",
    "exportArn": "arn:aws:dynamodb:eu-west-1:123456789012:table/ours-Names/export/0169-2d87",
    "startTime": "2026-11-04T07:28:34.028Z",
    "endTime": "2026-11-04T07:33:43.897Z",
    "tableArn": "arn:aws:dynamodb:eu-west-1:123456789012:table/ours-Names",
    "tableId": "12345a12-abcd-123a-ab12-1234abc12345",
    "exportTime": "2026-11-04T07:28:34.028Z",
    "s3Bucket": "exports",
    "s3Prefix": None,
    "s3SseAlgorithm": "AES256",
    "s3SseKmsKeyId": None,
    "manifestFilesS3Key": "AWSDynamoDB/0169-2d87/manifest-files.json",
    "billedSizeBytes": 0,
    "itemCount": 2,
    "outputFormat": "DYNAMODB_JSON",
    "exportType": "FULL_EXPORT",
}


def aws_export(folder: Path, **changed: Any) -> Path:
    """What AWS leaves in S3 for one table, copied to a folder."""
    (folder / "data").mkdir(parents=True)
    (folder / "manifest-summary.json").write_text(json.dumps(AWS_SUMMARY | changed))
    sets = '{"Item":{"Name":{"S":"ada"},"Tags":{"SS":["x","y"]},"Sizes":{"NS":["1","2.5"]}}}'
    rewrite(folder, two(sets), name="asdl123dasas.json.gz")
    (folder / "_started").touch()
    return folder


class TestMadeByAws:
    async def test_the_table_is_told_by_its_address(self, embedded: Make, tmp_path: Path) -> None:
        folder = aws_export(tmp_path / "0169-2d87")
        exports = checked(TABLES, folder, prefix="ours-")
        assert [one.table for one in exports] == [names]
        engine = embedded("target")
        await load(engine, exports, ignore)
        ada, bob = await everything(engine, names)
        assert ada == {"Name": "ada", "Tags": ["x", "y"], "Sizes": [1, 2.5]}
        assert bob == {"Name": "bob"}

    def test_or_by_the_folder(self, tmp_path: Path) -> None:
        (one,) = checked(TABLES, aws_export(tmp_path / "Names", tableArn=""))
        assert one.table is names

    def test_several_tables_can_lie_side_by_side(self, tmp_path: Path) -> None:
        aws_export(tmp_path / "one")
        assert [one.table for one in checked(TABLES, tmp_path, prefix="ours-")] == [names]

    def test_a_table_of_somebody_else_is_refused(self, tmp_path: Path) -> None:
        with pytest.raises(BadExport, match="ours-Names"):
            checked(TABLES, aws_export(tmp_path / "0169"))


async def test_a_table_is_in_use_when_it_holds_something_that_has_not_expired(
    embedded: Make,
) -> None:
    engine = embedded("target")
    assert await nonempty_tables(engine, TABLES) == []
    expired = [Book(house_id="h", book_id=str(n), expires_at=1).to_item() for n in range(300)]
    await engine.load(world, expired)
    assert await nonempty_tables(engine, TABLES) == []
    await engine.load(world, [Book(house_id="h", book_id="last").to_item()])
    assert await nonempty_tables(engine, TABLES) == ["World"]


async def test_items_with_the_same_key_are_replaced_and_others_stay(
    embedded: Make, export: Path
) -> None:
    engine = embedded("target")
    await engine.load(names, [{"Name": "ada", "Old": True}, {"Name": "eve"}])
    await load_export(engine, TABLES, export)
    assert await everything(engine, names) == [{"Name": "ada"}, {"Name": "bob"}, {"Name": "eve"}]


class Full(EmbeddedEngine):
    """An engine whose disk is full after the first table."""

    async def load(self, table: Table, items: Any) -> None:
        if table is names:
            raise Unavailable("There is no room left.")
        await super().load(table, items)


async def test_one_that_stops_half_way_says_how_to_go_on(tmp_path: Path, export: Path) -> None:
    engine = Full(tmp_path / "full.db", TABLES)
    with pytest.raises(Unavailable, match=r"stopped after 2 items.*--replace"):
        await load_export(engine, TABLES, export)
    found: list[Item] = await everything(engine, readings)
    assert len(found) == 1
    await engine.close()
