from datetime import UTC, datetime
from typing import Any

from commonroom.store.dynamodb.records import change, in_order
from commonroom.store.engine import ChangeRecord, Shard
from tests.store.dynamodb.samples import shelf

KEY = {"PK": {"S": "p"}, "SK": {"S": "1"}}


def record(name: str, **more: Any) -> dict[str, Any]:
    moment = datetime(2030, 1, 1, tzinfo=UTC)
    body = {"Keys": KEY, "SequenceNumber": "7", "ApproximateCreationDateTime": moment}
    return {"eventName": name, "dynamodb": body, **more}


def test_a_record_is_told_in_our_words() -> None:
    given = record("MODIFY")
    given["dynamodb"] |= {"OldImage": {**KEY, "B": {"B": b"\x00"}}, "NewImage": KEY}
    assert change(shelf, given) == ChangeRecord(
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
    assert change(shelf, record("REMOVE", userIdentity=itself)).by_ttl
    assert not change(shelf, record("REMOVE")).by_ttl
    assert not change(shelf, record("REMOVE", userIdentity={"Type": "Other"})).by_ttl


def test_parents_come_before_their_children() -> None:
    listed = {"c": "b", "b": "a", "a": "long gone", "d": None}
    assert in_order(listed) == [Shard("a"), Shard("b", "a"), Shard("c", "b"), Shard("d")]
