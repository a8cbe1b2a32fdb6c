"""Writing documents to OpenSearch in bulk: each by itself, those that were refused again."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeAlias

import msgspec

from commonroom.search.documents import Document, DocumentKey
from commonroom.search.index import IndexReplaced, IndexTicket, SearchUnavailable
from commonroom.search.opensearch.client import BUSY, OpenSearchClient, error_type
from commonroom.search.opensearch.mapping import key_text, stored

MAX_ACTIONS = 500
MAX_BYTES = 5_000_000
ATTEMPTS = 5
PAUSE_SECONDS = 0.5

Action: TypeAlias = bytes
"""One or two lines: what is done, and the document."""


def write_alias(index: str) -> str:
    """The name by which an index is written to; once it is gone, no write can make it anew."""
    return f"{index}-write"


def actions(
    ticket: IndexTicket, changes: Mapping[DocumentKey, Document | None]
) -> Iterator[Action]:
    """What is to be done with each document in each index; a lower version changes nothing."""
    for key, document in changes.items():
        source = None if document is None else msgspec.json.encode(stored(document))
        for index in ticket.indexes:
            action = {
                "_index": write_alias(index),
                "_id": key_text(key),
                "version": ticket.number,
                "version_type": "external",
            }
            if source is None:
                yield msgspec.json.encode({"delete": action}) + b"\n"
            else:
                yield msgspec.json.encode({"index": action}) + b"\n" + source + b"\n"


async def send(client: OpenSearchClient, some: Iterable[Action], *, refresh: bool) -> None:
    """Does all of it; what OpenSearch is too busy for is sent again."""
    for batch in _batches(some):
        await _send_batch(client, batch, refresh=refresh)


async def _send_batch(client: OpenSearchClient, batch: Sequence[Action], *, refresh: bool) -> None:
    parameters = {"require_alias": "true", "refresh": str(refresh).lower()}
    for attempt in range(ATTEMPTS):
        if attempt:
            pause = PAUSE_SECONDS * attempt * random.uniform(0.5, 1.0)  # noqa: S311 - no secret
            await asyncio.sleep(pause)
        answer = await client.write("POST", "/_bulk", b"".join(batch), **parameters)
        batch = list(_refused(batch, answer.body["items"]))
        if not batch:
            return
    raise SearchUnavailable("OpenSearch is too busy to take documents.")


def _refused(batch: Sequence[Action], items: Sequence[dict[str, Any]]) -> Iterator[Action]:
    """Yields the actions that are to be sent again; of each it is said what became of it."""
    for action, item in zip(batch, items, strict=True):
        (result,) = item.values()
        status = result["status"]
        if status in BUSY:
            yield action
        elif "error" not in result or status == 409:
            continue  # it was done, was gone already, or there is a newer version
        elif error_type(result) == "index_not_found_exception":
            raise IndexReplaced("The search index was replaced meanwhile.")
        else:
            raise SearchUnavailable(f"OpenSearch refuses a document: {error_type(result)}.")


def _batches(some: Iterable[Action]) -> Iterator[list[Action]]:
    batch: list[Action] = []
    size = 0
    for action in some:
        if batch and (len(batch) >= MAX_ACTIONS or size + len(action) > MAX_BYTES):
            yield batch
            batch, size = [], 0
        batch.append(action)
        size += len(action)
    if batch:
        yield batch
