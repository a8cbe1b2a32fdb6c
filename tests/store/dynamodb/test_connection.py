import pytest

from commonroom.store.dynamodb import DynamoEngine, DynamoSettings, connect
from commonroom.store.dynamodb.connection import Connection
from commonroom.store.errors import (
    BadCursor,
    BadKey,
    BadNumber,
    ItemTooLarge,
    NoCredentials,
    NotSupported,
    Refused,
    SameItemTwice,
    StoreError,
    TooManyOperations,
    Unavailable,
    UnknownTable,
    WrongType,
)
from tests.store.dynamodb.samples import PLAIN, book, numbered, put, shelf, timed
from tests.store.dynamodb.standin import Answer, StandIn, fault

FOUND = Answer({"Item": {"PK": {"S": "p"}, "SK": {"S": "1"}}})
EMPTY = fault("ValidationException", "Member must have length greater than or equal to 1")


async def get(standin: StandIn, **settings: float) -> object:
    async with DynamoEngine(Connection(standin.settings(**settings))) as engine:
        return await engine.get(shelf, ("p", "1"), PLAIN)


class TestTryingAgain:
    @pytest.mark.parametrize(
        "trouble",
        [
            fault("ThrottlingException", "Rate exceeded"),
            fault("ProvisionedThroughputExceededException"),
            fault("RequestLimitExceeded"),
            fault("TransactionConflictException"),
            fault("InternalServerError", status=500),
            Answer(b"<html>busy</html>", status=500),
            Answer(b"<html>busy</html>", status=503),
            Answer(b"<html>bad gateway</html>", status=502),
            Answer({}, status=504),
        ],
    )
    async def test_what_may_pass_is_tried_again(self, standin: StandIn, trouble: Answer) -> None:
        standin.answer(trouble, trouble, FOUND)
        assert await get(standin) == {"PK": "p", "SK": "1"}
        assert [request.action for request in standin.requests] == ["GetItem"] * 3

    async def test_an_answer_that_comes_too_late_is_asked_for_again(self, standin: StandIn) -> None:
        standin.answer(Answer(late=1.0), FOUND)
        assert await get(standin, attempt_seconds=0.2) == {"PK": "p", "SK": "1"}

    async def test_it_gives_up_when_the_time_is_over(self, standin: StandIn) -> None:
        standin.answer(*[fault("ThrottlingException")] * 1000)
        with pytest.raises(Unavailable, match="throttling"):
            await get(standin, seconds=0.3)
        assert len(standin.requests) > 1

    async def test_silence_to_the_end_is_said(self, standin: StandIn) -> None:
        standin.answer(*[Answer(late=1.0)] * 10)
        with pytest.raises(Unavailable, match="did not answer in time"):
            await get(standin, attempt_seconds=0.1, seconds=0.2)

    async def test_what_will_not_pass_is_asked_once(self, standin: StandIn) -> None:
        standin.answer(fault("ValidationException", "no"), FOUND)
        with pytest.raises(Refused):
            await get(standin)
        assert len(standin.requests) == 1


class TestErrors:
    @pytest.mark.parametrize(
        "message, kind",
        [
            ("Item size has exceeded the maximum allowed size", ItemTooLarge),
            ("Item size to update has exceeded the maximum allowed size", ItemTooLarge),
            ("Nesting Levels have exceeded supported limits", ItemTooLarge),
            ("Transaction payload size cannot exceed 4MB. Payload Size: 4400101", ItemTooLarge),
            ("An operand in the update expression has an incorrect data type", WrongType),
            ("Number overflow. Attempting to store a number with magnitude larger …", BadNumber),
            ("Transaction request cannot include multiple operations on one item", SameItemTwice),
            ("Member must have length less than or equal to 100", TooManyOperations),
            ("The provided starting key is outside query boundaries", BadCursor),
            ("The provided key element does not match the schema", BadKey),
            ("One or more parameter values were invalid: Missing the key SK in the item", BadKey),
            ("Size of hashkey has exceeded the maximum size limit of2048 bytes", BadKey),
            ("Aggregated size of all range keys has exceeded the size limit of 1024", BadKey),
            ("ExpressionAttributeNames must not be empty for key :v", Refused),
            ("Something new", Refused),
        ],
    )
    async def test_a_refusal_is_typed_by_its_reason(
        self, standin: StandIn, message: str, kind: type[StoreError]
    ) -> None:
        standin.answer(fault("ValidationException", message))
        with pytest.raises(Refused) as refused:
            await get(standin)
        assert type(refused.value) is kind
        assert message in refused.value.detail

    @pytest.mark.parametrize(
        "code",
        [
            "AccessDeniedException",
            "ExpiredTokenException",
            "InvalidSignatureException",
            "MissingAuthenticationTokenException",
            "UnrecognizedClientException",
        ],
    )
    async def test_refused_credentials_are_said_at_once(self, standin: StandIn, code: str) -> None:
        standin.answer(fault(code, "The security token included in the request is invalid."))
        with pytest.raises(NoCredentials, match=code):
            await get(standin)
        assert len(standin.requests) == 1

    async def test_a_missing_table_is_named_with_its_prefix(self, standin: StandIn) -> None:
        standin.answer(fault("ResourceNotFoundException", "Requested resource not found"))
        with pytest.raises(UnknownTable, match="no table my-Shelf; `commonroom tables create`"):
            async with DynamoEngine(Connection(standin.settings(prefix="my-"))) as engine:
                await engine.get(shelf, ("p", "1"), PLAIN)

    async def test_all_tables_of_a_write_are_named(self, standin: StandIn) -> None:
        standin.answer(fault("ResourceNotFoundException"))
        with pytest.raises(UnknownTable, match="Shelf or Timed"):
            async with DynamoEngine(Connection(standin.settings())) as engine:
                await engine.write([put(shelf, book("1")), put(timed, {"Id": "1"})])

    async def test_all_tables_of_a_batch_are_named(self, standin: StandIn) -> None:
        standin.answer(fault("ResourceNotFoundException"))
        with pytest.raises(UnknownTable, match="Numbered or Timed"):
            async with DynamoEngine(Connection(standin.settings())) as engine:
                await engine.batch_get([(timed, ("1",)), (numbered, ("1", 2))])

    @pytest.mark.parametrize(
        "garbage",
        [
            Answer(b"<html>Welcome to nginx</html>"),
            Answer(b"\xff\xfe"),
            Answer(b"Not Found", status=404),
            Answer([1, 2], status=400),
        ],
    )
    async def test_what_is_not_dynamodb_is_named(self, standin: StandIn, garbage: Answer) -> None:
        standin.answer(garbage)
        with pytest.raises(Unavailable, match=f"{standin.endpoint} does not answer as DynamoDB"):
            await get(standin)

    async def test_an_unknown_code_is_passed_on(self, standin: StandIn) -> None:
        standin.answer(fault("BrandNewException", "Surprise"))
        with pytest.raises(Unavailable, match="answered BrandNewException: Surprise"):
            await get(standin)


class TestConnecting:
    async def test_an_endpoint_with_transactions_is_taken(self, standin: StandIn) -> None:
        standin.answer(EMPTY)
        async with await connect(standin.settings()) as engine:
            assert engine.name == "dynamodb"

    @pytest.mark.parametrize("answer", [fault("UnknownOperationException"), Answer({})])
    async def test_an_endpoint_without_transactions_is_refused(
        self, standin: StandIn, answer: Answer
    ) -> None:
        standin.answer(answer)
        with pytest.raises(NotSupported, match="has no transactions"):
            await connect(standin.settings())

    async def test_nobody_at_the_endpoint_is_said(self, standin: StandIn) -> None:
        settings = DynamoSettings("x", endpoint="http://127.0.0.1:9", connect_seconds=0.1)
        with pytest.raises(Unavailable, match=r"cannot be reached at http://127\.0\.0\.1:9"):
            await connect(settings)

    @pytest.mark.parametrize("endpoint", ["localhost:8000", "ftp://here", "http://", "http://a:b"])
    async def test_an_endpoint_that_is_no_address_is_said(self, endpoint: str) -> None:
        with pytest.raises(Unavailable, match="is no address"):
            await connect(DynamoSettings("x", endpoint=endpoint))

    async def test_the_real_thing_is_taken(self, settings: DynamoSettings) -> None:
        async with await connect(settings) as engine:
            assert await engine.sweep(10) == 0

    async def test_closing_lets_go_of_the_connections(self, standin: StandIn) -> None:
        connection = Connection(standin.settings())
        async with DynamoEngine(connection) as engine:
            await engine.get(shelf, ("p", "1"), PLAIN)
        with pytest.raises(Unavailable, match="closed"):
            await engine.get(shelf, ("p", "1"), PLAIN)
