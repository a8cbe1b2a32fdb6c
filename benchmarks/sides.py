"""The same two reads of DynamoDB in the words of three libraries."""

from __future__ import annotations

from typing import Any, Protocol

import boto3  # type: ignore[import-untyped] # it has no types of its own
from boto3.dynamodb.conditions import Key  # type: ignore[import-untyped] # as above

from benchmarks.library import PAGE, Book, by_title, media
from benchmarks.pynamo import books_at
from commonroom.store import Store

REGION = "local"


class Side(Protocol):
    """Reads one book by its key, or the first page of its owner's; both give back titles."""

    async def get(self, book: Book) -> str:
        """One book, as it was last written."""

    async def query(self, book: Book) -> list[str]:
        """A page of the index by title."""


class Ours:
    """The store, with its typed books."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def get(self, book: Book) -> str:
        """One book, from the fields of its key."""
        found = await self._store.get(
            Book.at(owner_id=book.owner_id, library_id=book.library_id, item_id=book.item_id)
        )
        assert found is not None
        return found.title

    async def query(self, book: Book) -> list[str]:
        """A page of an access pattern."""
        page = await self._store.page(by_title(owner_id=book.owner_id), limit=PAGE)
        return [one.title for one in page.items]


class Pynamo:
    """PynamoDB, with its typed books."""

    def __init__(self, endpoint: str) -> None:
        self._books = books_at(endpoint, REGION)

    async def get(self, book: Book) -> str:
        """One book, by its ready-made key."""
        partition, sort = book.ref.key
        return self._books.get(partition, sort, consistent_read=True).title

    async def query(self, book: Book) -> list[str]:
        """A page of a model's index."""
        sort = self._books.gsi2sk.startswith("item#")
        found = self._books.by_title.query(book.ref.key[0], sort, limit=PAGE)
        return [one.title for one in found]


class Boto:
    """boto3's resource, which gives plain dictionaries."""

    def __init__(self, endpoint: str) -> None:
        resource = boto3.resource("dynamodb", region_name=REGION, endpoint_url=endpoint)
        self._table: Any = resource.Table(media.name)

    async def get(self, book: Book) -> str:
        """One item, by its ready-made key."""
        partition, sort = book.ref.key
        answer = self._table.get_item(Key={"PK": partition, "SK": sort}, ConsistentRead=True)
        return str(answer["Item"]["Title"])

    async def query(self, book: Book) -> list[str]:
        """A page of an index."""
        partition = Key("GSI2PK").eq(book.ref.key[0])
        answer = self._table.query(
            IndexName="GSI2",
            KeyConditionExpression=partition & Key("GSI2SK").begins_with("item#"),
            Limit=PAGE,
        )
        return [item["Title"] for item in answer["Items"]]
