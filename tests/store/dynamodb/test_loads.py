import pytest

from commonroom.store.dynamodb import DynamoEngine
from commonroom.store.dynamodb.connection import Connection
from commonroom.store.errors import BadKey, Unavailable
from tests.store.dynamodb.samples import PLAIN, book, query, shelf
from tests.store.dynamodb.standin import Answer, StandIn, fault


async def test_many_items_are_loaded(engine: DynamoEngine) -> None:
    await engine.load(shelf, [book(f"{number:04}") for number in range(260)])
    rows = await engine.query(query(shelf, "p", limit=1000), PLAIN)
    assert len(rows.items) == 260


async def test_of_one_key_the_last_item_stays(engine: DynamoEngine) -> None:
    await engine.load(shelf, [book("1", A=number) for number in range(60)])
    assert await engine.get(shelf, ("p", "1"), PLAIN) == book("1", A=59)


async def test_nothing_to_load_is_no_request(standin: StandIn) -> None:
    async with DynamoEngine(Connection(standin.settings())) as engine:
        await engine.load(shelf, [])
    assert standin.requests == []


async def test_unprocessed_items_are_sent_again(standin: StandIn) -> None:
    left = {"Shelf": [{"PutRequest": {"Item": {"PK": {"S": "p"}, "SK": {"S": "2"}}}}]}
    standin.answer(
        Answer({"UnprocessedItems": left}), Answer({"UnprocessedItems": left}), Answer({})
    )
    async with DynamoEngine(Connection(standin.settings())) as engine:
        await engine.load(shelf, [book("1"), book("2")])
    sent = [request.payload["RequestItems"] for request in standin.requests]
    assert [len(items["Shelf"]) for items in sent] == [2, 1, 1]
    assert sent[1:] == [left, left]


async def test_items_that_stay_unprocessed_are_given_up(standin: StandIn) -> None:
    left = {"Shelf": [{"PutRequest": {"Item": {"PK": {"S": "p"}, "SK": {"S": "1"}}}}]}
    standin.answer(*[Answer({"UnprocessedItems": left})] * 1000)
    with pytest.raises(Unavailable, match="unwritten"):
        async with DynamoEngine(Connection(standin.settings(seconds=0.2))) as engine:
            await engine.load(shelf, [book("1")])


async def test_the_first_failure_ends_the_load(standin: StandIn) -> None:
    standin.answer(*[fault("ValidationException", "Type mismatch for key PK")] * 1000)
    with pytest.raises(BadKey):
        async with DynamoEngine(Connection(standin.settings())) as engine:
            await engine.load(shelf, [book(str(number)) for number in range(1000)])
    assert len(standin.requests) < 40
