import asyncio
from datetime import UTC, datetime
from typing import Any

import pytest

from commonroom.store.conditions import new
from commonroom.store.dynamodb import DynamoEngine, DynamoSettings
from commonroom.store.dynamodb.connection import Connection
from commonroom.store.dynamodb.streams import parse_record, sort_shards
from commonroom.store.engine import AttributeChange, ChangeRecord, Shard
from commonroom.store.errors import (
    NoCredentials,
    NotSupported,
    Refused,
    Unavailable,
    UnknownTable,
)
from tests.store.dynamodb.samples import book, delete, numbered, put, shelf, timed, update
from tests.store.dynamodb.standin import Answer, StandIn, fault

KEY = {"PK": {"S": "p"}, "SK": {"S": "1"}}


SHARD = "shardId-00000000000000000001-1"

OTHER, GONE = "shardId-00000000000000000002-2", "shardId-00000000000000000000-0"

POSITION = "12345678901234567890123"

STREAM = Answer(
    {"Table": {"LatestStreamArn": "arn:aws:dynamodb:eu-central-1:0:table/Shelf/stream/1"}}
)


def record(name: str, **more: Any) -> dict[str, Any]:
    moment = datetime(2030, 1, 1, tzinfo=UTC)
    body = {"Keys": KEY, "SequenceNumber": "7", "ApproximateCreationDateTime": moment}
    return {"eventName": name, "dynamodb": body, **more}


def test_a_record_is_told_in_our_words() -> None:
    given = record("MODIFY")
    given["dynamodb"] |= {"OldImage": {**KEY, "B": {"B": b"\x00"}}, "NewImage": KEY}
    assert parse_record(shelf, given) == ChangeRecord(
        table="Shelf",
        position="7",
        kind="modify",
        key=("p", "1"),
        old={"PK": "p", "SK": "1", "B": b"\x00"},
        new={"PK": "p", "SK": "1"},
        at=datetime(2030, 1, 1, tzinfo=UTC).timestamp(),
    )


def test_what_the_database_removed_by_itself_is_known() -> None:
    itself = {"Type": "Service", "PrincipalId": "dynamodb.amazonaws.com"}
    assert parse_record(shelf, record("REMOVE", userIdentity=itself)).by_ttl
    assert not parse_record(shelf, record("REMOVE")).by_ttl
    assert not parse_record(shelf, record("REMOVE", userIdentity={"Type": "Other"})).by_ttl


def test_parents_come_before_their_children() -> None:
    listed = {"c": "b", "b": "a", "a": "long gone", "d": None}
    assert sort_shards(listed) == [Shard("a"), Shard("b", "a"), Shard("c", "b"), Shard("d")]


async def first(engine: DynamoEngine, count: int, limit: int = 100) -> list[ChangeRecord]:
    """The first so many records of a stream; DynamoDB Local needs a moment to show them."""
    async with asyncio.timeout(60):
        while True:
            records = await everything(engine, limit)
            if len(records) >= count:
                return records
            await engine.wait_for_changes(0.05)


async def everything(engine: DynamoEngine, limit: int) -> list[ChangeRecord]:
    records: list[ChangeRecord] = []
    for shard in await engine.shards(shelf):
        position: str | None = None
        while True:
            changes = await engine.changes(shelf, shard.id, position, limit)
            records += changes.records
            assert len(changes.records) <= limit
            if not changes.records:
                break
            position = changes.position
    return records


class TestOnTheRealThing:
    async def test_every_change_is_told_in_order(self, engine: DynamoEngine) -> None:
        item = book("1", B=b"\x00\xff", N=1.5)
        await engine.write([put(shelf, item)])
        await engine.write([update(shelf, ("p", "1"), AttributeChange("set", "N", 2))])
        await engine.write([put(shelf, {**item, "N": 2})])
        await engine.write([delete(shelf, ("p", "1"))])
        records = await first(engine, 3, limit=2)
        changed = {**item, "N": 2}
        assert [(one.kind, one.old, one.new) for one in records] == [
            ("insert", None, item),
            ("modify", item, changed),
            ("remove", changed, None),
        ]
        assert {one.key for one in records} == {("p", "1")}
        assert not any(one.by_ttl for one in records)
        assert all(one.at > 1_600_000_000 for one in records)

    async def test_a_transaction_tells_of_each_item(self, engine: DynamoEngine) -> None:
        await engine.write([put(shelf, book(sort), new) for sort in "123"])
        assert {one.key[1] for one in await first(engine, 3)} == set("123")

    async def test_a_position_is_where_another_reader_goes_on(
        self, engine: DynamoEngine, settings: DynamoSettings
    ) -> None:
        for sort in "123":
            await engine.write([put(shelf, book(sort))])
        oldest = (await first(engine, 3))[0]
        shard = (await engine.shards(shelf))[0]
        async with DynamoEngine(Connection(settings)) as other:
            changes = await other.changes(shelf, shard.id, oldest.position, 10)
            assert [one.key[1] for one in changes.records] == ["2", "3"]
            again = await other.changes(shelf, shard.id, changes.position, 10)
            assert (again.records, again.position) == ([], changes.position)
            await engine.write([put(shelf, book("4"))])
            await first(engine, 4)
            later = await other.changes(shelf, shard.id, again.position, 10)
            assert [one.key[1] for one in later.records] == ["4"]
            assert not later.ended

    async def test_a_table_without_stream_has_no_shards(self, engine: DynamoEngine) -> None:
        assert await engine.shards(numbered) == []

    async def test_a_table_that_is_missing_is_said(self, bare: DynamoEngine) -> None:
        with pytest.raises(UnknownTable, match="test-Shelf"):
            await bare.shards(shelf)

    async def test_a_table_made_anew_has_a_new_stream(
        self, engine: DynamoEngine, settings: DynamoSettings
    ) -> None:
        await engine.write([put(shelf, book("1"))])
        await first(engine, 1)
        [old] = await engine.shards(shelf)
        connection = Connection(settings)
        await connection.send("DeleteTable", {"TableName": "test-Shelf"})
        await connection.close()
        await engine.create_tables([shelf])
        await engine.write([put(shelf, book("2"))])
        assert {one.key[1] for one in await first(engine, 1)} == {"2"}
        assert (await engine.changes(shelf, old.id, None, 10)).ended

    async def test_waiting_ends_by_itself(self, engine: DynamoEngine) -> None:
        await engine.wait_for_changes(0.01)

    async def test_waiting_ends_with_a_write_of_this_process(self, engine: DynamoEngine) -> None:
        waiting = asyncio.create_task(engine.wait_for_changes(600))
        await asyncio.sleep(0)
        await engine.write([put(shelf, book("1"))])
        await waiting


class TestRequests:
    @pytest.fixture
    async def engine(self, standin: StandIn) -> object:
        async with DynamoEngine(Connection(standin.settings())) as engine:
            yield engine

    async def test_shards_are_listed_page_by_page(
        self, standin: StandIn, engine: DynamoEngine
    ) -> None:
        first: dict[str, Any] = {"StreamStatus": "ENABLED", "LastEvaluatedShardId": OTHER}
        first["Shards"] = [{"ShardId": OTHER, "ParentShardId": SHARD}]
        second = {"StreamStatus": "ENABLED", "Shards": [{"ShardId": SHARD, "ParentShardId": GONE}]}
        standin.answer(
            STREAM, Answer({"StreamDescription": first}), Answer({"StreamDescription": second})
        )
        shards = await engine.shards(shelf)
        assert [(shard.id, shard.parent) for shard in shards] == [(SHARD, None), (OTHER, SHARD)]
        assert standin.requests[2].payload["ExclusiveStartShardId"] == OTHER

    async def test_an_iterator_is_kept_for_the_next_records(
        self, standin: StandIn, engine: DynamoEngine
    ) -> None:
        standin.answer(
            STREAM,
            Answer({"ShardIterator": "i1"}),
            Answer({"Records": [], "NextShardIterator": "i2"}),
            Answer({"Records": []}),
        )
        assert not (await engine.changes(shelf, SHARD, None, 5000)).ended
        assert (await engine.changes(shelf, SHARD, None, 10)).ended
        iterator, first, second = (request.payload for request in standin.requests[1:])
        assert iterator["ShardIteratorType"] == "TRIM_HORIZON"
        assert first == {"ShardIterator": "i1", "Limit": 1000}
        assert second == {"ShardIterator": "i2", "Limit": 10}

    async def test_readers_at_several_positions_keep_an_iterator_each(
        self, standin: StandIn, engine: DynamoEngine
    ) -> None:
        standin.answer(
            STREAM,
            Answer({"ShardIterator": "i1"}),
            Answer({"Records": [], "NextShardIterator": "i2"}),
            Answer({"ShardIterator": "j1"}),
            Answer({"Records": [], "NextShardIterator": "j2"}),
            Answer({"Records": [], "NextShardIterator": "i3"}),
            Answer({"Records": [], "NextShardIterator": "j3"}),
        )
        for _ in "12":
            await engine.changes(shelf, SHARD, None, 10)
            await engine.changes(shelf, SHARD, POSITION, 10)
        used = [one.payload.get("ShardIterator") for one in standin.requests[1:]]
        assert used == [None, "i1", None, "j1", "i2", "j2"]

    async def test_an_expired_iterator_is_replaced(
        self, standin: StandIn, engine: DynamoEngine
    ) -> None:
        standin.answer(
            STREAM,
            Answer({"ShardIterator": "i1"}),
            fault("ExpiredIteratorException"),
            Answer({"ShardIterator": "i2"}),
            Answer({"Records": []}),
        )
        changes = await engine.changes(shelf, SHARD, POSITION, 10)
        assert (changes.position, changes.trimmed) == (POSITION, False)
        types = [one.payload.get("ShardIteratorType") for one in standin.requests]
        assert types == [None, "AFTER_SEQUENCE_NUMBER", None, "AFTER_SEQUENCE_NUMBER", None]

    @pytest.mark.parametrize("when", ["asking for the iterator", "asking for records"])
    async def test_a_position_that_is_no_longer_kept_starts_with_the_oldest(
        self, standin: StandIn, engine: DynamoEngine, when: str
    ) -> None:
        trimmed = fault("TrimmedDataAccessException")
        first = [trimmed] if "iterator" in when else [Answer({"ShardIterator": "i1"}), trimmed]
        standin.answer(STREAM, *first, Answer({"ShardIterator": "i2"}), Answer({"Records": []}))
        changes = await engine.changes(shelf, SHARD, POSITION, 10)
        assert changes.trimmed
        assert standin.requests[-2].payload["ShardIteratorType"] == "TRIM_HORIZON"
        assert standin.requests[-1].payload["ShardIterator"] == "i2"

    async def test_a_shard_that_is_gone_has_ended(
        self, standin: StandIn, engine: DynamoEngine
    ) -> None:
        standin.answer(STREAM, fault("ResourceNotFoundException"))
        changes = await engine.changes(shelf, SHARD, POSITION, 10)
        assert (changes.records, changes.ended, changes.trimmed) == ([], True, True)

    async def test_a_table_whose_stream_is_off_is_said(
        self, standin: StandIn, engine: DynamoEngine
    ) -> None:
        standin.answer(Answer({"Table": {"TableStatus": "ACTIVE"}}))
        with pytest.raises(NotSupported, match="Timed has no stream"):
            await engine.shards(timed)

    async def test_a_stream_that_was_switched_off_is_looked_for_again(
        self, standin: StandIn, engine: DynamoEngine
    ) -> None:
        off = {"StreamStatus": "DISABLED", "Shards": [{"ShardId": GONE}]}
        on = {"StreamStatus": "ENABLED", "Shards": [{"ShardId": SHARD}]}
        standin.answer(
            STREAM, Answer({"StreamDescription": off}), STREAM, Answer({"StreamDescription": on})
        )
        assert [shard.id for shard in await engine.shards(shelf)] == [SHARD]

    async def test_a_stream_that_stays_away_is_said(
        self, standin: StandIn, engine: DynamoEngine
    ) -> None:
        gone = fault("ResourceNotFoundException")
        standin.answer(STREAM, gone, STREAM, gone)
        with pytest.raises(Unavailable, match="no longer where it was"):
            await engine.shards(shelf)

    async def test_a_position_that_cannot_be_is_refused(
        self, standin: StandIn, engine: DynamoEngine
    ) -> None:
        standin.answer(STREAM)
        with pytest.raises(Refused, match="SequenceNumber"):
            await engine.changes(shelf, SHARD, "1", 10)

    async def test_refused_credentials_are_said(
        self, standin: StandIn, engine: DynamoEngine
    ) -> None:
        standin.answer(STREAM, fault("UnrecognizedClientException"))
        with pytest.raises(NoCredentials):
            await engine.shards(shelf)

    async def test_a_stream_that_cannot_be_reached_is_said(self, standin: StandIn) -> None:
        standin.answer(STREAM, *[Answer(late=1.0)] * 10)
        async with DynamoEngine(Connection(standin.settings(attempt_seconds=0.2))) as engine:
            with pytest.raises(Unavailable, match="cannot be reached"):
                await engine.shards(shelf)

    async def test_throttling_is_tried_again(self, standin: StandIn, engine: DynamoEngine) -> None:
        shards = Answer({"StreamDescription": {"StreamStatus": "ENABLED", "Shards": []}})
        standin.answer(STREAM, fault("ThrottlingException"), shards)
        assert await engine.shards(shelf) == []

    async def test_an_endpoint_without_streams_is_said(
        self, standin: StandIn, engine: DynamoEngine
    ) -> None:
        standin.answer(STREAM, fault("UnknownOperationException"))
        with pytest.raises(NotSupported):
            await engine.shards(shelf)


async def test_nobody_at_the_endpoint_is_said() -> None:
    settings = DynamoSettings("x", endpoint="http://127.0.0.1:9", seconds=0.1)
    with pytest.raises(Unavailable):
        async with DynamoEngine(Connection(settings)) as engine:
            await engine.shards(shelf)
