import asyncio

import pytest

from commonroom.store.conditions import Compare, new, stored
from commonroom.store.dynamodb import DynamoEngine
from commonroom.store.dynamodb.connection import Connection
from commonroom.store.dynamodb_json import to_attributes
from commonroom.store.engine import AttributeChange, WriteOperation
from commonroom.store.errors import (
    BadKey,
    ConditionFailed,
    ItemTooLarge,
    Refused,
    SameItemTwice,
    Unavailable,
)
from tests.store.dynamodb.samples import (
    PLAIN,
    Clock,
    book,
    check,
    delete,
    put,
    query,
    shelf,
    timed,
    update,
)
from tests.store.dynamodb.standin import Answer, StandIn, fault

CONFLICT = {"Code": "TransactionConflict", "Message": "Transaction is ongoing for the item"}
THROTTLED = {"Code": "ThrottlingError", "Message": "Throughput exceeds the current limit"}
FINE = {"Code": "None"}
FAILED = {"Code": "ConditionalCheckFailed", "Message": "The conditional request failed"}


def cancelled(*reasons: object) -> Answer:
    return fault("TransactionCanceledException", "cancelled", CancellationReasons=list(reasons))


class TestOnTheRealThing:
    async def test_a_write_is_all_or_nothing(self, engine: DynamoEngine) -> None:
        await engine.write([put(shelf, book("1", A=1)), put(timed, {"Id": "x"})])
        with pytest.raises(ConditionFailed) as failed:
            await engine.write(
                [
                    put(shelf, book("2")),
                    check(timed, ("x",), stored),
                    delete(shelf, ("p", "1"), Compare("A", "=", 2)),
                    put(timed, {"Id": "x"}, new),
                ]
            )
        assert (failed.value.index, failed.value.item) == (2, book("1", A=1))
        assert await engine.get(shelf, ("p", "2"), PLAIN) is None
        assert await engine.get(shelf, ("p", "1"), PLAIN) is not None

    async def test_each_kind_of_operation_is_done(self, engine: DynamoEngine) -> None:
        await engine.write([put(shelf, book(sort)) for sort in "123"])
        await engine.write(
            [
                put(shelf, book("4"), new),
                update(shelf, ("p", "1"), AttributeChange("set", "A", 1)),
                delete(shelf, ("p", "2")),
                check(shelf, ("p", "3"), stored),
            ]
        )
        found = await engine.batch_get([(shelf, ("p", sort)) for sort in "1234"])
        assert found == [book("1", A=1), None, book("3"), book("4")]

    async def test_an_update_needs_the_item(self, engine: DynamoEngine) -> None:
        with pytest.raises(ConditionFailed) as failed:
            await engine.write([update(shelf, ("p", "1"), AttributeChange("set", "A", 1))])
        assert (failed.value.index, failed.value.item) == (0, None)

    async def test_an_update_of_nothing_only_checks(self, engine: DynamoEngine) -> None:
        with pytest.raises(ConditionFailed):
            await engine.write([update(shelf, ("p", "1"))])
        await engine.write([put(shelf, book("1"))])
        await engine.write([update(shelf, ("p", "1")), update(shelf, ("p", "2"), condition=None)])
        assert await engine.get(shelf, ("p", "2"), PLAIN) is None

    async def test_deleting_nothing_is_no_error(self, engine: DynamoEngine) -> None:
        await engine.write([delete(shelf, ("p", "1"))])

    async def test_a_hundred_operations_fit(self, engine: DynamoEngine) -> None:
        await engine.write([put(shelf, book(str(number)), new) for number in range(100)])
        with pytest.raises(ConditionFailed) as failed:
            await engine.write([put(shelf, book(str(number)), new) for number in range(99, 199)])
        assert failed.value.index == 0

    async def test_competing_writers_lose_no_addition(self, engine: DynamoEngine) -> None:
        await engine.write([put(shelf, book("1", A=0))])
        add = update(shelf, ("p", "1"), AttributeChange("add", "A", 1))
        await asyncio.gather(*[engine.write([add]) for _ in range(30)])
        assert await engine.get(shelf, ("p", "1"), PLAIN) == book("1", A=30)

    async def test_what_dynamodb_forbids_is_typed(self, engine: DynamoEngine) -> None:
        with pytest.raises(ItemTooLarge):
            await engine.write([put(shelf, book("1", Text="x" * 410_000))])
        with pytest.raises(ItemTooLarge):
            await engine.write([put(shelf, book("1", Text="x" * 410_000), new)])
        with pytest.raises(SameItemTwice):
            await engine.write([put(shelf, book("1")), delete(shelf, ("p", "1"))])
        with pytest.raises(BadKey):
            await engine.write([WriteOperation("put", shelf, ("p", "1"), item={"PK": "p"})])
        with pytest.raises(BadKey):
            await engine.write([put(shelf, book("1", G1=5, Title="t"), new)])


class TestExpiredItems:
    @pytest.fixture
    async def engine(self, engine: DynamoEngine, clock: Clock) -> DynamoEngine:
        await engine.write([put(timed, {"Id": "x", "A": 1, "Until": clock.now})])
        return engine

    async def test_something_new_takes_their_place(self, engine: DynamoEngine) -> None:
        await engine.write([put(timed, {"Id": "x", "A": 2}, new)])
        assert await engine.get(timed, ("x",), PLAIN) == {"Id": "x", "A": 2}

    async def test_they_cannot_be_updated_and_are_not_shown(self, engine: DynamoEngine) -> None:
        with pytest.raises(ConditionFailed) as failed:
            await engine.write([update(timed, ("x",), AttributeChange("set", "A", 2))])
        assert failed.value.item is None

    async def test_their_attributes_fulfil_no_condition(self, engine: DynamoEngine) -> None:
        with pytest.raises(ConditionFailed):
            await engine.write([check(timed, ("x",), Compare("A", "=", 1))])
        await engine.write([check(timed, ("x",), Compare("A", "<>", 1))])

    async def test_what_lives_on_is_shown(self, engine: DynamoEngine, clock: Clock) -> None:
        item = {"Id": "y", "Until": clock.now + 1}
        await engine.write([put(timed, item)])
        with pytest.raises(ConditionFailed) as failed:
            await engine.write([put(timed, {"Id": "y"}, new)])
        assert failed.value.item == item


class TestRequests:
    @pytest.fixture
    async def quick(self, standin: StandIn) -> object:
        async with DynamoEngine(Connection(standin.settings(attempt_seconds=0.2))) as engine:
            yield engine

    async def test_every_write_is_a_transaction_with_a_token_of_its_own(
        self, standin: StandIn, quick: DynamoEngine
    ) -> None:
        await quick.write([put(shelf, book("1"))])
        await quick.write([delete(shelf, ("p", "1"))])
        await quick.write([put(shelf, book("1"), new)])
        await quick.write([put(shelf, book("1")), delete(shelf, ("p", "2"))])
        await quick.write([update(shelf, ("p", "1"), AttributeChange("set", "A", 1))])
        assert {request.action for request in standin.requests} == {"TransactWriteItems"}
        tokens = [request.payload["ClientRequestToken"] for request in standin.requests]
        assert len(set(tokens)) == 5

    async def test_a_retry_carries_the_same_token(
        self, standin: StandIn, quick: DynamoEngine
    ) -> None:
        standin.answer(
            Answer(late=1.0),
            fault("InternalServerError", status=500),
            fault("TransactionInProgressException"),
            cancelled(FINE, CONFLICT),
            cancelled(THROTTLED, FINE),
        )
        await quick.write([put(shelf, book("1"), new), delete(shelf, ("p", "2"))])
        assert len(standin.requests) == 6
        assert all(request == standin.requests[0] for request in standin.requests)

    async def test_a_write_that_went_unanswered_is_not_done_twice(
        self, engine: DynamoEngine, standin: StandIn, empty_dynamodb: str
    ) -> None:
        await engine.write([put(shelf, book("1", A=0))])
        through = standin.settings(prefix="test-", attempt_seconds=0.5)
        done, again = (Answer(late=late, forward=empty_dynamodb) for late in (2.0, 0.0))
        standin.answer(done, again)
        async with DynamoEngine(Connection(through)) as hindered:
            await hindered.write([update(shelf, ("p", "1"), AttributeChange("add", "A", 1))])
        assert len(standin.requests) == 2
        assert await engine.get(shelf, ("p", "1"), PLAIN) == book("1", A=1)

    @pytest.mark.parametrize("operation", [delete(shelf, ("p", "1")), put(shelf, book("1", A=1))])
    async def test_a_write_that_went_unanswered_leaves_alone_what_was_written_since(
        self,
        engine: DynamoEngine,
        standin: StandIn,
        empty_dynamodb: str,
        operation: WriteOperation,
    ) -> None:
        await engine.write([put(shelf, book("1", A=0))])
        written_since = asyncio.Event()
        standin.answer(
            Answer(late=2.0, forward=empty_dynamodb),
            Answer(forward=empty_dynamodb, after=written_since),
        )
        through = standin.settings(prefix="test-", attempt_seconds=1.0)
        async with DynamoEngine(Connection(through)) as hindered:
            writing = asyncio.create_task(hindered.write([operation]))
            while await engine.get(shelf, ("p", "1"), PLAIN) == book("1", A=0):
                pass  # every read waits for its answer
            await engine.write([put(shelf, book("1", A=2))])
            written_since.set()
            await writing
        assert len(standin.requests) >= 2
        assert await engine.get(shelf, ("p", "1"), PLAIN) == book("1", A=2)

    async def test_what_is_computed_here_carries_the_same_token_in_a_retry(
        self, engine: DynamoEngine, standin: StandIn, empty_dynamodb: str
    ) -> None:
        await engine.write([put(shelf, book("1", A=0.1, Map={"a": 1}))])
        read = await engine.get(shelf, ("p", "1"), PLAIN)
        assert read is not None
        responses = {"Responses": {"test-Shelf": [to_attributes(read)]}}
        standin.answer(
            Answer(responses),
            Answer(late=2.0, forward=empty_dynamodb),
            Answer(forward=empty_dynamodb),
        )
        through = standin.settings(prefix="test-", attempt_seconds=1.0)
        async with DynamoEngine(Connection(through)) as hindered:
            await hindered.write([update(shelf, ("p", "1"), AttributeChange("add", "A", 0.2))])
        actions = [request.action for request in standin.requests]
        assert actions == ["BatchGetItem", "TransactWriteItems", "TransactWriteItems"]
        assert standin.requests[1] == standin.requests[2]
        assert await engine.get(shelf, ("p", "1"), PLAIN) == book("1", A=0.3, Map={"a": 1})

    async def test_what_is_computed_here_is_computed_anew_where_somebody_was_quicker(
        self, engine: DynamoEngine, standin: StandIn, empty_dynamodb: str
    ) -> None:
        await engine.write([put(shelf, book("1", A=0.1))])
        stale = {"Responses": {"test-Shelf": [to_attributes(book("1", A=0.1))]}}
        fresh = {"Responses": {"test-Shelf": [to_attributes(book("1", A=0.5))]}}
        await engine.write([put(shelf, book("1", A=0.5))])
        standin.answer(Answer(stale), Answer(through=empty_dynamodb), Answer(fresh))
        standin.answer(Answer(through=empty_dynamodb))
        settings = standin.settings(prefix="test-")
        async with DynamoEngine(Connection(settings)) as hindered:
            await hindered.write([update(shelf, ("p", "1"), AttributeChange("add", "A", 0.2))])
        assert await engine.get(shelf, ("p", "1"), PLAIN) == book("1", A=0.7)
        tokens = [one.payload.get("ClientRequestToken") for one in standin.requests]
        assert tokens[0] is tokens[2] is None
        assert tokens[1] != tokens[3], "it is another write"

    async def test_whoever_is_never_quick_enough_is_told_so(self, standin: StandIn) -> None:
        read = {"Responses": {"Shelf": [to_attributes(book("1", A=0.1))]}}
        failed = {**FAILED, "Item": to_attributes(book("1", A=0.5))}
        standin.answer(*[Answer(read), cancelled(failed)] * 1000)
        with pytest.raises(Unavailable, match="in the way"):
            async with DynamoEngine(Connection(standin.settings(seconds=0.3))) as engine:
                await engine.write([update(shelf, ("p", "1"), AttributeChange("add", "A", 0.2))])

    async def test_lasting_conflicts_are_given_up(self, standin: StandIn) -> None:
        standin.answer(*[cancelled(CONFLICT)] * 1000)
        with pytest.raises(Unavailable, match="in the way"):
            async with DynamoEngine(Connection(standin.settings(seconds=0.2))) as engine:
                await engine.write([put(shelf, book("1"), new)])

    async def test_a_failed_condition_counts_more_than_a_conflict(
        self, standin: StandIn, quick: DynamoEngine
    ) -> None:
        standin.answer(cancelled(CONFLICT, FINE, FAILED))
        with pytest.raises(ConditionFailed) as failed:
            await quick.write([put(shelf, book(sort), new) for sort in "123"])
        assert failed.value.index == 2

    async def test_the_first_reason_decides(self, standin: StandIn, quick: DynamoEngine) -> None:
        invalid = {"Code": "ValidationError", "Message": "Item size to update has exceeded …"}
        standin.answer(cancelled(FINE, invalid, FAILED), cancelled(FINE, FAILED, invalid))
        write = [put(shelf, book(sort), new) for sort in "123"]
        with pytest.raises(ItemTooLarge):
            await quick.write(write)
        with pytest.raises(ConditionFailed):
            await quick.write(write)

    async def test_reasons_without_a_message_are_understood(
        self, standin: StandIn, quick: DynamoEngine
    ) -> None:
        standin.answer(cancelled({"Code": "ConditionalCheckFailed"}))
        with pytest.raises(ConditionFailed):
            await quick.write([put(shelf, book("1"), new)])

    async def test_a_reason_nobody_knows_is_passed_on(
        self, standin: StandIn, quick: DynamoEngine
    ) -> None:
        standin.answer(cancelled({"Code": "ItemCollectionSizeLimitExceeded", "Message": ""}))
        with pytest.raises(Refused, match="ItemCollectionSizeLimitExceeded"):
            await quick.write([put(shelf, book("1"), new)])


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
