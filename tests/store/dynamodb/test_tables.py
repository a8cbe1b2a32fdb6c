import asyncio

import pytest

from commonroom.store import Index, Store, Table, number
from commonroom.store.dynamodb import DynamoEngine, DynamoSettings
from commonroom.store.dynamodb.connection import Connection
from commonroom.store.dynamodb.schema import create_table_request, index_definition
from commonroom.store.dynamodb.tables import describe_table
from commonroom.store.errors import (
    BeingUpgraded,
    NotAdditive,
    Refused,
    Unavailable,
    UnknownTable,
)
from commonroom.store.upgrades.upgrade import Upgrade
from tests.store.dynamodb.samples import PLAIN, TABLES, book, numbered, query, shelf, timed
from tests.store.dynamodb.standin import Answer, StandIn, fault

MISSING = fault("ResourceNotFoundException")


async def test_what_is_missing_is_created_once(bare: DynamoEngine) -> None:
    assert await bare.missing_tables(TABLES) == ["Shelf", "Timed", "Numbered"]
    assert await bare.create_tables([shelf]) == ["Shelf"]
    assert await bare.missing_tables(TABLES) == ["Timed", "Numbered"]
    assert await bare.create_tables(TABLES) == ["Timed", "Numbered"]
    assert await bare.create_tables(TABLES) == []
    assert await bare.missing_tables(TABLES) == []


async def test_a_table_that_is_missing_is_said(bare: DynamoEngine) -> None:
    with pytest.raises(UnknownTable, match="test-Shelf"):
        await bare.get(shelf, ("p", "1"), PLAIN)


async def test_two_processes_may_create_at_once(
    bare: DynamoEngine, settings: DynamoSettings
) -> None:
    async with DynamoEngine(Connection(settings)) as other:
        await asyncio.gather(bare.create_tables(TABLES), other.create_tables(TABLES))
        assert await other.missing_tables(TABLES) == []


async def test_a_table_is_created_as_declared(
    engine: DynamoEngine, settings: DynamoSettings
) -> None:
    connection = Connection(settings)
    found = await describe_table(connection, shelf)
    ttl = await connection.send("DescribeTimeToLive", {"TableName": settings.table_name(timed)})
    await connection.close()
    assert found["TableName"] == "test-Shelf"
    assert found["BillingModeSummary"]["BillingMode"] == "PAY_PER_REQUEST"
    assert found["StreamSpecification"]["StreamViewType"] == "NEW_AND_OLD_IMAGES"
    indexes = {one["IndexName"]: one for one in found["GlobalSecondaryIndexes"]}
    assert indexes["KeysOnly"]["Projection"] == {"ProjectionType": "KEYS_ONLY"}
    assert indexes["ByTitle"]["KeySchema"] == [
        {"AttributeName": "G1", "KeyType": "HASH"},
        {"AttributeName": "Title", "KeyType": "RANGE"},
    ]
    assert ttl["TimeToLiveDescription"] == {"AttributeName": "Until", "TimeToLiveStatus": "ENABLED"}


async def test_a_table_of_an_earlier_version_gets_its_new_indexes_filled(
    bare: DynamoEngine, settings: DynamoSettings
) -> None:
    connection = Connection(settings)
    earlier = create_table_request(shelf, settings.table_name(shelf))
    indexes = earlier.pop("GlobalSecondaryIndexes")
    keys = {one["AttributeName"] for one in earlier["KeySchema"]}
    earlier["AttributeDefinitions"] = [
        one for one in earlier["AttributeDefinitions"] if one["AttributeName"] in keys
    ]
    await connection.send("CreateTable", earlier)
    await bare.load(shelf, [book("1", G1="g", Title="Emma")])

    assert await bare.missing_tables([shelf]) == ["Shelf"]
    assert await bare.create_tables([shelf]) == ["Shelf"]

    assert await bare.missing_tables([shelf]) == []
    found = await describe_table(connection, shelf)
    await connection.close()
    assert {one["IndexName"] for one in found["GlobalSecondaryIndexes"]} == {
        one["IndexName"] for one in indexes
    }
    rows = await bare.query(query(shelf, "g", index="ByTitle"), PLAIN)
    assert [one["Title"] for one in rows.items] == ["Emma"]


class TestUpgrade:
    """What is otherwise in a table of an earlier version."""

    async def test_a_stream_and_a_ttl_are_switched_on(
        self, bare: DynamoEngine, settings: DynamoSettings
    ) -> None:
        plain = Table("Timed", room="tests", partition="Id", indexes=timed.indexes)
        await bare.create_tables([plain])
        await bare.load(plain, [{"Id": "a", "Group": "g", "Until": 2_000_000_000}])

        said: list[str] = []
        await bare.upgrade_tables([timed], said.append)

        connection = Connection(settings)
        found = await describe_table(connection, timed)
        ttl = await connection.send("DescribeTimeToLive", {"TableName": settings.table_name(timed)})
        await connection.close()
        assert found["StreamSpecification"]["StreamEnabled"] is True
        assert ttl["TimeToLiveDescription"]["AttributeName"] == "Until"
        assert said == ["Switching the stream of Timed on."]

    async def test_an_index_that_is_declared_otherwise_is_made_anew(
        self, bare: DynamoEngine
    ) -> None:
        def numbered_by(index: Index) -> Table:
            return Table("Numbered", room="tests", partition="Id", indexes=[index])

        before = numbered_by(Index("ByName", "Name", keys_only=True))
        after = numbered_by(Index("ByName", "Name", number("Rank")))
        await bare.create_tables([before])
        items = [{"Id": f"{n}", "Name": "x", "Rank": 9 - n} for n in range(5)]
        await bare.load(before, items)

        found = await bare.examine_tables([after])
        assert (found.missing, found.unready) == ([], [("Numbered", "ByName")])
        assert found.counts == {"Numbered": 5}
        said: list[str] = []
        await bare.upgrade_tables([after], said.append)

        assert (await bare.examine_tables([after])).unready == []
        rows = await bare.query(query(after, "x", index="ByName"), PLAIN)
        assert rows.items == items[::-1]
        assert len(said) == 1
        await bare.upgrade_tables([after], said.append)
        assert len(said) == 1, "what is done is not done again"

    async def test_an_index_that_is_no_longer_declared_is_left_and_said(
        self, engine: DynamoEngine
    ) -> None:
        fewer = Table(
            "Shelf",
            room="tests",
            partition="PK",
            sort="SK",
            discriminator="Kind",
            stream=True,
            indexes=shelf.indexes[1:],
        )
        said: list[str] = []
        await engine.upgrade_tables([fewer], said.append)
        assert len(said) == 1
        assert "ByTitle of Shelf is no longer used" in said[0]
        assert (await engine.query(query(shelf, "g", index="ByTitle"), PLAIN)).items == []

    async def test_another_primary_key_is_refused(self, engine: DynamoEngine) -> None:
        other = Table("Shelf", room="tests", partition="Id")
        with pytest.raises(NotAdditive, match="test-Shelf has another primary key"):
            await engine.examine_tables([other])


async def test_an_index_that_is_being_made_is_not_asked(standin: StandIn) -> None:
    table = Table("Names", room="tests", partition="Id", indexes=[Index("ByName", "Name")])

    def described(status: str) -> Answer:
        index = {**index_definition(table.indexes[0]), "IndexStatus": status}
        return Answer({"Table": {"TableStatus": "ACTIVE", "GlobalSecondaryIndexes": [index]}})

    nothing = Answer({"Items": []})
    making, made = described("CREATING"), described("ACTIVE")
    standin.answer(making, making, nothing, made, nothing, nothing)
    async with DynamoEngine(Connection(standin.settings())) as engine:
        upgrade = Upgrade(Store(engine), [table])
        assert await upgrade.examine_tables() == []
        assert not await upgrade.is_complete()
        with pytest.raises(BeingUpgraded):
            await engine.query(query(table, "x", index="ByName"), PLAIN)
        assert await upgrade.is_complete()
        assert (await engine.query(query(table, "x", index="ByName"), PLAIN)).items == []
    assert [request.action for request in standin.requests] == [
        *("DescribeTable", "DescribeTable", "Query"),
        *("DescribeTable", "Query", "Query"),
    ]


async def test_a_new_table_is_waited_for_and_made_complete(standin: StandIn) -> None:
    def status(word: str) -> Answer:
        return Answer({"Table": {"TableStatus": word}})

    standin.answer(
        MISSING,
        fault("LimitExceededException", "too many tables are being created"),
        Answer({}),
        status("CREATING"),
        status("ACTIVE"),
        fault("ContinuousBackupsUnavailableException"),
        Answer({}),
        fault("ValidationException", "TimeToLive is already enabled"),
    )
    async with DynamoEngine(Connection(standin.settings())) as engine:
        assert await engine.create_tables([timed]) == ["Timed"]
    assert [request.action for request in standin.requests] == [
        "DescribeTable",
        "CreateTable",
        "CreateTable",
        "DescribeTable",
        "DescribeTable",
        "UpdateContinuousBackups",
        "UpdateContinuousBackups",
        "UpdateTimeToLive",
    ]
    created, recoverable, expiring = (standin.requests[place].payload for place in (1, 5, 7))
    assert created["SSESpecification"] == {"Enabled": True}
    assert created["StreamSpecification"]["StreamEnabled"] is True
    assert recoverable["PointInTimeRecoverySpecification"] == {"PointInTimeRecoveryEnabled": True}
    assert expiring["TimeToLiveSpecification"] == {"AttributeName": "Until", "Enabled": True}


async def test_an_upgrade_makes_a_restored_table_complete_again(standin: StandIn) -> None:
    restored = Answer({"Table": {"TableStatus": "ACTIVE"}})
    standin.answer(restored, restored, Answer({}), restored, Answer({}), Answer({}))
    plain = Table("Timed", room="tests", partition="Id", ttl="Until", stream=True)
    async with DynamoEngine(Connection(standin.settings())) as engine:
        await engine.upgrade_tables([plain], lambda _: None)
    assert [request.action for request in standin.requests] == [
        "DescribeTable",
        "DescribeTable",
        "UpdateTable",
        "DescribeTable",
        "UpdateTimeToLive",
        "UpdateContinuousBackups",
    ]


async def test_a_table_that_never_becomes_active_is_given_up(standin: StandIn) -> None:
    creating = Answer({"Table": {"TableStatus": "CREATING"}})
    standin.answer(MISSING, Answer({}), *[creating] * 1000)
    with pytest.raises(Unavailable, match="Numbered does not become active"):
        async with DynamoEngine(Connection(standin.settings(creation_seconds=0.1))) as engine:
            await engine.create_tables([numbered])


async def test_a_ttl_that_is_refused_is_said(standin: StandIn) -> None:
    standin.answer(
        MISSING,
        Answer({}),
        Answer({"Table": {"TableStatus": "ACTIVE"}}),
        Answer({}),
        fault("ValidationException", "Time to live has been modified multiple times"),
    )
    with pytest.raises(Refused, match="multiple times"):
        async with DynamoEngine(Connection(standin.settings())) as engine:
            await engine.create_tables([timed])
