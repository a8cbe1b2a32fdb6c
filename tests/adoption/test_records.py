"""Records that hold only what a data model names are read, and keep all that they hold."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest

from commonroom.hangouts.tables import NOBODY, FriendGroup
from commonroom.model import MODEL
from commonroom.moments import UNKNOWN
from commonroom.store import Entity, Store, update
from commonroom.store.checking.checks import StoredEntity, decode_stored
from commonroom.store.declare.table import Table
from commonroom.store.transfer import check_items, load, read_export
from commonroom.store.values import same_value
from commonroom.watchlists.tables import WatchlistItem, items_of_watchlist
from tests.accounts.people import Watch
from tests.support.document_records import RECORDS
from tests.support.foreign_tables import write_aws_export
from tests.support.transfers import everything, ignore

CHANGED = (
    *("title", "name", "updated_at", "joined_at", "rated_at", "group_name", "voted_at"),
    *("picked_at", "cached_at", "saved_at", "comment_text", "id", "shared_from_name"),
    *("username", "display_name", "curator_note", "event", "status", "vote"),
)
"""Fields of which every kind has one that is in no primary key."""

TABLES = {table.name: table for table in MODEL.tables}


@pytest.fixture
def clock() -> Watch:
    """A day on which none of the records has expired."""
    watch = Watch()
    watch.now = 1_780_000_000
    return watch


async def imported(store: Store, folder: Path, document: str) -> None:
    """The records of a document, exported by AWS and imported."""
    rows: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for table, record in RECORDS[document]:
        rows[table].append({**record, "legacyNote": {"kept": [1, "two"]}})
    for table, several in rows.items():
        write_aws_export(folder / table, table, several)
    exports = read_export(folder, MODEL.tables)
    for export in exports:
        check_items(export, ignore)
    await load(store.engine, exports, ignore)


def key_of(table: Table, record: dict[str, Any]) -> tuple[Any, ...]:
    """Where a record is stored: moments stand in keys to the millisecond."""
    return tuple(
        part.replace(":00Z", ":00.000Z") if isinstance(part, str) else part
        for part in table.key_of(record)
    )


async def read(store: Store, table: Table, record: dict[str, Any]) -> Entity:
    (item,) = await store.engine.batch_get([(table, key_of(table, record))])
    assert item is not None, record
    found = decode_stored(table, item)
    assert isinstance(found, StoredEntity), found
    typed = await store.get(found.entity.ref)
    assert typed == found.entity
    return found.entity


@pytest.mark.parametrize("document", RECORDS)
async def test_every_record_of_a_data_model_is_read_after_an_import(
    either: Store, tmp_path: Path, document: str
) -> None:
    await imported(either, tmp_path / "export", document)
    for name, record in RECORDS[document]:
        table = TABLES[name]
        entity = await read(either, table, record)
        assert entity.ref.key == key_of(table, record)
        stored = entity.to_item()
        derived = {*table.key_attributes}
        for attribute, value in record.items():
            if attribute not in derived and value is not None:
                assert same_value(stored[attribute], value), (attribute, record)


@pytest.mark.parametrize("document", RECORDS)
async def test_what_is_written_to_a_record_leaves_all_else_as_it_was(
    either: Store, tmp_path: Path, document: str
) -> None:
    await imported(either, tmp_path / "export", document)
    for name, record in RECORDS[document]:
        table = TABLES[name]
        entity = await read(either, table, record)
        fields = [one for one in CHANGED if one not in entity.schema.primary_fields]
        field = next(one for one in fields if getattr(entity, one, None) is not None)
        before = await everything(either.engine, table)
        await either.write(update(entity, **{field: getattr(entity, field)}))
        after = await everything(either.engine, table)
        assert len(after) == len(before)
        (item,) = await either.engine.batch_get([(table, key_of(table, record))])
        assert item is not None
        assert item["legacyNote"] == {"kept": [1, "two"]}
        for attribute, value in record.items():
            if attribute not in table.key_attributes and value is not None:
                assert same_value(item[attribute], value), (attribute, record)


async def test_an_item_that_another_application_put_itself_is_read_by_its_key(
    either: Store,
) -> None:
    table = TABLES["WorthWatch"]
    _, record = RECORDS["watchlists"][2]
    await either.engine.load(table, [record])
    place = {"watchlist_id": record["PK"].removeprefix("WATCHLIST#")}
    (listed,) = [one async for one in either.all(items_of_watchlist(**place))]
    found = await either.get(
        WatchlistItem.at(**place, content_type="MOVIE", content_id="tt1234567")
    )
    assert found == listed
    assert found is not None
    assert found.watchlist_id == place["watchlist_id"]


async def test_whoever_reads_what_nobody_wrote_down_is_told_that_it_is_unknown(
    either: Store, tmp_path: Path
) -> None:
    await imported(either, tmp_path / "export", "hangouts")
    group = await either.get(FriendGroup.at(group_id="group-1"))
    assert group is not None
    assert (group.created_by, group.created_at) == (NOBODY, UNKNOWN)
