import msgspec
import pytest

from commonroom.store.dynamodb import DynamoEngine
from commonroom.store.dynamodb.connection import Connection
from commonroom.store.engine import Shape
from commonroom.store.errors import Unavailable, WrongType
from tests.store.dynamodb.samples import (
    PLAIN,
    Clock,
    book,
    numbered,
    of_kinds,
    put,
    shelf,
    timed,
)
from tests.store.dynamodb.standin import Answer, StandIn


class Numbered(msgspec.Struct):
    Id: str
    At: int


class TestGet:
    async def test_nothing_is_none(self, engine: DynamoEngine) -> None:
        assert await engine.get(shelf, ("p", "1"), PLAIN) is None

    async def test_an_item_comes_back_as_it_was_written(self, engine: DynamoEngine) -> None:
        item = book(
            "1", Text="ä", Float=0.1, Whole=-5, Yes=True, Bytes=b"\0", Deep={"a": [None, {}]}
        )
        await engine.write([put(shelf, item)])
        assert await engine.get(shelf, ("p", "1"), PLAIN) == item

    async def test_a_number_key_is_a_number(self, engine: DynamoEngine) -> None:
        await engine.write([put(numbered, {"Id": "x", "At": 5})])
        assert await engine.get(numbered, ("x", 5.0), PLAIN) == {"Id": "x", "At": 5}

    async def test_another_kind_is_none(self, engine: DynamoEngine) -> None:
        await engine.write([put(shelf, book("1"))])
        assert await engine.get(shelf, ("p", "1"), of_kinds("VIDEO")) is None
        assert await engine.get(shelf, ("p", "1"), of_kinds("BOOK", "VIDEO")) is not None

    async def test_an_expired_item_is_none(self, engine: DynamoEngine, clock: Clock) -> None:
        await engine.write([put(timed, {"Id": "x", "Until": clock.now + 1})])
        assert await engine.get(timed, ("x",), PLAIN) is not None
        clock.now += 1
        assert await engine.get(timed, ("x",), PLAIN) is None

    async def test_what_does_not_fit_its_type_is_said(self, engine: DynamoEngine) -> None:
        await engine.write([put(numbered, {"Id": "x", "At": 1.5})])
        shape = Shape(lambda _: None, lambda item: msgspec.convert(item, Numbered))
        with pytest.raises(WrongType, match="Numbered does not fit"):
            await engine.get(numbered, ("x", 1.5), shape)


class TestBatchGet:
    async def test_items_come_in_the_order_asked(self, engine: DynamoEngine, clock: Clock) -> None:
        await engine.load(shelf, [book(str(number)) for number in range(60)])
        await engine.load(timed, [{"Id": "gone", "Until": clock.now}, {"Id": "here"}])
        wanted = [
            (shelf, ("p", "7")),
            (timed, ("here",)),
            (timed, ("gone",)),
            (shelf, ("p", "none")),
            (shelf, ("p", "3")),
            (shelf, ("p", "7")),
        ]
        assert await engine.batch_get(wanted) == [
            book("7"),
            {"Id": "here"},
            None,
            None,
            book("3"),
            book("7"),
        ]

    async def test_a_hundred_large_items_are_followed_up(self, engine: DynamoEngine) -> None:
        # More than the 16 MB that one answer may hold.
        items = [book(str(number), Text="x" * 200_000) for number in range(100)]
        await engine.load(shelf, items)
        found = await engine.batch_get([(shelf, ("p", str(number))) for number in range(100)])
        assert found == items

    async def test_nothing_asked_is_nothing_found(self, standin: StandIn) -> None:
        async with DynamoEngine(Connection(standin.settings())) as engine:
            assert await engine.batch_get([]) == []
        assert standin.requests == []

    async def test_unprocessed_keys_are_asked_for_again(self, standin: StandIn) -> None:
        one, two = ({"PK": {"S": "p"}, "SK": {"S": sort}} for sort in "12")
        left = {"Shelf": {"Keys": [two], "ConsistentRead": True}}
        standin.answer(
            Answer({"Responses": {"Shelf": [one]}, "UnprocessedKeys": left}),
            Answer({"Responses": {}, "UnprocessedKeys": left}),
            Answer({"Responses": {"Shelf": [two]}, "UnprocessedKeys": {}}),
        )
        async with DynamoEngine(Connection(standin.settings())) as engine:
            found = await engine.batch_get([(shelf, ("p", "2")), (shelf, ("p", "1"))])
        assert found == [{"PK": "p", "SK": "2"}, {"PK": "p", "SK": "1"}]
        assert [request.payload["RequestItems"] for request in standin.requests[1:]] == [left] * 2

    async def test_keys_that_stay_unprocessed_are_given_up(self, standin: StandIn) -> None:
        left = {"Shelf": {"Keys": [{"PK": {"S": "p"}, "SK": {"S": "1"}}]}}
        standin.answer(*[Answer({"Responses": {}, "UnprocessedKeys": left})] * 1000)
        with pytest.raises(Unavailable, match="unread"):
            async with DynamoEngine(Connection(standin.settings(seconds=0.2))) as engine:
                await engine.batch_get([(shelf, ("p", "1"))])
