"""DynamoDB Streams: its shards and records as the engine contract has them."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Literal

from commonroom.store.declare.table import Table
from commonroom.store.dynamodb.connection import Connection
from commonroom.store.dynamodb.errors import missing_table
from commonroom.store.dynamodb.stream_client import GONE, TRIMMED, StreamClient, StreamMoved
from commonroom.store.dynamodb.tables import describe_table
from commonroom.store.dynamodb_json import Attributes, AttributeValue, from_attributes
from commonroom.store.engine import ChangeRecord, Changes, Shard
from commonroom.store.errors import NotSupported
from commonroom.store.values import Item

if TYPE_CHECKING:
    from types_aiobotocore_dynamodbstreams.type_defs import (
        DescribeStreamInputTypeDef,
        GetRecordsOutputTypeDef,
    )


KINDS: dict[str, Literal["insert", "modify", "remove"]] = {
    "INSERT": "insert",
    "MODIFY": "modify",
    "REMOVE": "remove",
}


MAX_RECORDS = 1000
"""How many records one request may give."""

MAX_ITERATORS = 1000


def parse_record(table: Table, record: Mapping[str, Any]) -> ChangeRecord:
    """Returns one record of a stream."""
    body = record["dynamodb"]
    who = record.get("userIdentity") or {}
    return ChangeRecord(
        table=table.name,
        position=body["SequenceNumber"],
        kind=KINDS[record["eventName"]],
        key=table.key_of(from_attributes(body["Keys"])),
        old=_image(body.get("OldImage")),
        new=_image(body.get("NewImage")),
        at=body["ApproximateCreationDateTime"].timestamp(),
        by_ttl=who.get("Type") == "Service" and who.get("PrincipalId") == "dynamodb.amazonaws.com",
    )


def sort_shards(listed: Mapping[str, str | None]) -> list[Shard]:
    """Shards, given with their parents, so that each comes after its parent."""
    ordered: dict[str, Shard] = {}

    def place(shard: str) -> None:
        if shard in ordered:
            return
        parent = listed[shard]
        # A parent that is no longer listed has no more records to wait for.
        known = parent if parent in listed else None
        if known is not None:
            place(known)
        ordered[shard] = Shard(shard, known)

    for shard in listed:
        place(shard)
    return list(ordered.values())


def _image(attributes: Mapping[str, Any] | None) -> Item | None:
    return None if attributes is None else from_attributes(_typed(attributes))


def _typed(attributes: Mapping[str, Any]) -> Attributes:
    return {name: _with_type(value) for name, value in attributes.items()}


def _with_type(value: AttributeValue) -> AttributeValue:
    """A value under its type: DynamoDB Local leaves it out for an empty map, in streams only."""
    match value:
        case {"M": inner}:
            return {"M": _typed(inner)}
        case {"L": inner}:
            return {"L": [_with_type(one) for one in inner]}
    return value or {"M": {}}


class Streams:
    """Reads streams, and remembers where each shard's next records are."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._client = StreamClient(connection)
        self._arns: dict[str, str] = {}
        self._iterators: OrderedDict[tuple[str, str, str | None], str] = OrderedDict()
        """Where the records after a position are; several readers may be at several positions."""

    async def shards(self, table: Table) -> list[Shard]:
        """Returns the parts of a table's stream, parents before children."""
        if not table.stream:
            return []
        with suppress(StreamMoved):
            status, listed = await self._list_shards(table)
            if status != "DISABLED":
                return sort_shards(listed)
        # The table may have been created anew, and have another stream now.
        self._arns.pop(table.name, None)
        _, listed = await self._list_shards(table)
        return sort_shards(listed)

    async def changes(self, table: Table, shard: str, after: str | None, limit: int) -> Changes:
        """Records of a shard after a position."""
        try:
            answer, trimmed = await self._read(table, shard, after, min(limit, MAX_RECORDS))
        except StreamMoved as moved:
            if moved.code != GONE:
                raise
            # The table was created anew, or the shard is older than what is kept.
            self._arns.pop(table.name, None)
            return Changes([], after, ended=True, trimmed=True)
        records = [parse_record(table, record) for record in answer["Records"]]
        position = records[-1].position if records else after
        following = answer.get("NextShardIterator")
        if following is not None:
            self._iterators[table.name, shard, position] = following
        if len(self._iterators) > MAX_ITERATORS:
            self._iterators.popitem(last=False)
        return Changes(records, position, ended=following is None, trimmed=trimmed)

    async def close(self) -> None:
        """Lets go of the connections."""
        await self._client.close()

    async def _list_shards(self, table: Table) -> tuple[str, dict[str, str | None]]:
        """Returns a stream's status, and its shards with their parents."""
        arn = await self._arn(table)
        listed: dict[str, str | None] = {}
        request: DescribeStreamInputTypeDef = {"StreamArn": arn}
        while True:
            answer = await self._client.call(lambda client: client.describe_stream(**request))
            stream = answer["StreamDescription"]
            listed |= {shard["ShardId"]: shard.get("ParentShardId") for shard in stream["Shards"]}
            last = stream.get("LastEvaluatedShardId")
            if not last:
                return stream["StreamStatus"], listed
            request["ExclusiveStartShardId"] = last

    async def _read(
        self, table: Table, shard: str, after: str | None, limit: int
    ) -> tuple[GetRecordsOutputTypeDef, bool]:
        """Records after a position, or the oldest where that is no longer kept, and which."""
        iterator, trimmed = self._iterators.pop((table.name, shard, after), ""), False
        if not iterator:
            iterator, trimmed = await self._iterator(table, shard, after)
        try:
            return await self._records(iterator, limit), trimmed
        except StreamMoved as moved:
            if moved.code == GONE:
                raise
            # An iterator lives for a quarter of an hour, and a record for a day.
            is_old = moved.code == TRIMMED
            anew, trimmed = await self._iterator(table, shard, None if is_old else after)
            return await self._records(anew, limit), trimmed or is_old

    async def _records(self, iterator: str, limit: int) -> GetRecordsOutputTypeDef:
        return await self._client.call(
            lambda client: client.get_records(ShardIterator=iterator, Limit=limit)
        )

    async def _iterator(self, table: Table, shard: str, after: str | None) -> tuple[str, bool]:
        """Returns where to read after a position, and whether that is no longer kept."""
        arn = await self._arn(table)
        if after is not None:
            try:
                answer = await self._client.call(
                    lambda client: client.get_shard_iterator(
                        StreamArn=arn,
                        ShardId=shard,
                        ShardIteratorType="AFTER_SEQUENCE_NUMBER",
                        SequenceNumber=after,
                    )
                )
                return answer["ShardIterator"], False
            except StreamMoved as moved:
                if moved.code != TRIMMED:
                    raise
        answer = await self._client.call(
            lambda client: client.get_shard_iterator(
                StreamArn=arn, ShardId=shard, ShardIteratorType="TRIM_HORIZON"
            )
        )
        return answer["ShardIterator"], after is not None

    async def _arn(self, table: Table) -> str:
        if table.name not in self._arns:
            found = await describe_table(self._connection, table)
            name = self._connection.settings.table_name(table)
            if not found:
                raise missing_table([name])
            if "LatestStreamArn" not in found:
                raise NotSupported(f"The table {name} has no stream; it must be switched on there.")
            self._arns[table.name] = found["LatestStreamArn"]
        return self._arns[table.name]
