"""The state of an index in OpenSearch: one document, changed only as it was last seen."""

from __future__ import annotations

import asyncio
import random
from base64 import b64decode, b64encode
from collections.abc import Callable
from typing import Any, TypeVar

import msgspec
from msgspec import Struct

from commonroom.search.index import (
    Reindex,
    SearchUnavailable,
    decode_reindex,
    encode_reindex,
    next_number,
)
from commonroom.search.opensearch.client import OpenSearchClient
from commonroom.search.opensearch.mapping import STATE_INDEX

T = TypeVar("T")

ATTEMPTS = 20
PAUSE_SECONDS = 0.1


class StoredState(Struct, kw_only=True, omit_defaults=True):
    """What is stored."""

    ticket: int = 0
    current: str | None = None
    """The index that answers."""
    target: str | None = None
    """The one that is being built to replace it."""
    declared: str = ""
    reindex_bytes: str | None = None

    @property
    def reindex(self) -> Reindex | None:
        """The reindex under way."""
        stored = self.reindex_bytes
        return None if stored is None else decode_reindex(b64decode(stored))

    @reindex.setter
    def reindex(self, under_way: Reindex | None) -> None:
        encoded = None if under_way is None else b64encode(encode_reindex(under_way)).decode()
        self.reindex_bytes = encoded

    @property
    def indexes(self) -> tuple[str, ...]:
        """What is written to."""
        return tuple(dict.fromkeys(filter(None, (self.current, self.target))))

    def take_ticket(self, now: float) -> int:
        """Returns the number of the next ticket."""
        self.ticket = next_number(self.ticket, now)
        return self.ticket

    def check_held(self, reindex: Reindex) -> None:
        """Refuses where another process continues with a reindex."""
        reindex.check_held(self.reindex)


class StateDocument:
    """The one document; every change holds what it was worked out from."""

    def __init__(self, client: OpenSearchClient, index: str) -> None:
        self._client = client
        self._index = index
        self._path = f"/{index}/_doc/state"

    async def read(self) -> StoredState:
        """Returns the state as it is; nothing is made where there is none."""
        answer = await self._client.read("GET", self._path)
        return StoredState() if answer.is_missing else _state(answer.body)

    async def change(self, work: Callable[[StoredState], T]) -> T:
        """Changes the state, and returns what the work gives, which may be called again."""
        for attempt in range(ATTEMPTS):
            if attempt:
                await asyncio.sleep(PAUSE_SECONDS * random.random())  # noqa: S311 - no secret
            state, seen = await self._seen()
            result = work(state)
            body = {"state": msgspec.to_builtins(state)}
            written = await self._client.write("PUT", self._path, body, **seen)
            if not written.is_conflict:
                return result
        raise SearchUnavailable("Too many processes change the search index at once.")

    async def _seen(self) -> tuple[StoredState, dict[str, str]]:
        """Returns the state, and what must still hold when it is changed."""
        answer = await self._client.read("GET", self._path)
        if answer.is_missing:
            if "error" in answer.body:  # not even its index is there
                await self._client.create(self._index, STATE_INDEX)
            return StoredState(), {"op_type": "create"}
        seen = {
            "if_seq_no": str(answer.body["_seq_no"]),
            "if_primary_term": str(answer.body["_primary_term"]),
        }
        return _state(answer.body), seen


def _state(body: dict[str, Any]) -> StoredState:
    return msgspec.convert(body["_source"]["state"], StoredState)
