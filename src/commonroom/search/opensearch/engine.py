"""An index in OpenSearch, which several machines share: an alias leads to the one that answers."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from uuid import uuid4

import msgspec
from msgspec.structs import replace

from commonroom.search.documents import Document, DocumentKey
from commonroom.search.hits import IndexHit
from commonroom.search.index import LEASE_SECONDS, IndexState, IndexTicket, Reindex
from commonroom.search.opensearch import bulk, queries
from commonroom.search.opensearch.client import OpenSearchClient
from commonroom.search.opensearch.finding import OpenSearchFinder
from commonroom.search.opensearch.mapping import FORMAT, INDEX, key_of, key_text
from commonroom.search.opensearch.state import StateDocument, StoredState
from commonroom.search.queries import SearchQuery, parse


class OpenSearchIndex:
    """Documents in an OpenSearch of the operator's."""

    name = "opensearch"

    def __init__(
        self,
        client: OpenSearchClient,
        prefix: str,
        *,
        refresh: bool = False,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._client = client
        self._alias = f"{prefix}-search"
        self._state = StateDocument(client, f"{prefix}-search-state")
        self._refresh = refresh
        """Whether what is written is found at once, instead of within a second: for tests."""
        self._clock = clock

    async def search(self, query: SearchQuery) -> list[IndexHit]:
        """Returns what matches, the best first: one request, or two where little does."""
        terms = parse(query.text)
        if terms is None or query.limit < 1:
            return []
        return await OpenSearchFinder(self._client, self._alias, query, terms).run()

    async def ticket(self) -> IndexTicket:
        """Returns the next ticket, and what is to be written to with it."""

        def take(state: StoredState) -> IndexTicket:
            return IndexTicket(state.take_ticket(self._clock()), state.indexes)

        return await self._state.change(take)

    async def apply(
        self, ticket: IndexTicket, changes: Mapping[DocumentKey, Document | None]
    ) -> None:
        """Puts documents, or removes them where there is None; each unless it is newer."""
        await bulk.send(self._client, bulk.actions(ticket, changes), refresh=self._refresh)

    async def read(self, keys: Sequence[DocumentKey]) -> dict[DocumentKey, Document]:
        """Returns those of these documents that are there."""
        if not keys:
            return {}
        ids = [key_text(key) for key in keys]
        answer = await self._client.read("POST", f"/{self._alias}/_mget", {"ids": ids})
        found = [] if answer.is_missing else answer.body["docs"]
        return {
            key_of(one["_id"]): msgspec.convert(one["_source"]["document"], Document)
            for one in found
            if one.get("found")
        }

    async def keys(self, after: DocumentKey | None, limit: int) -> list[DocumentKey]:
        """Returns which documents there are, in the order of their keys."""
        body = queries.keys_after(None if after is None else key_text(after), limit)
        answer = await self._client.read("POST", f"/{self._alias}/_search", body)
        found = [] if answer.is_missing else answer.body["hits"]["hits"]
        return [key_of(one["_id"]) for one in found]

    async def state(self) -> IndexState:
        """Returns how it is doing; an index that is gone has never been complete."""
        stored = await self._state.read()
        documents = await self._count()
        declared, _, form = stored.declared.rpartition(".")
        is_whole = documents is not None and form == str(FORMAT)
        return IndexState(
            documents=documents or 0,
            declared=declared if is_whole else "",
            reindex=stored.reindex,
        )

    async def is_complete(self) -> bool:
        """Whether everything was indexed, in the form of today."""
        return (await self.state()).declared != ""

    def new_holder(self) -> str:
        """Returns a name that nobody else has."""
        return uuid4().hex

    async def begin_reindex(self, declared: str, holder: str, now: float) -> Reindex | None:
        """Begins to build another index, or resumes it; None while another process is at it."""
        made = f"{self._alias}-{uuid4().hex[:12]}"
        is_first = not await self._answering()
        is_made = False
        stored = await self._state.read()
        if not _can_go_on(stored, declared, holder, now):
            # Before anybody is told to write to it.
            await self._make_index(made, is_first=is_first)
            is_made = True

        def take(state: StoredState) -> tuple[Reindex | None, str | None]:
            known, until = state.reindex, now + LEASE_SECONDS
            if known is not None and known.is_held_by_other(holder, now):
                return None, None
            if _can_go_on(state, declared, holder, now) and known is not None:
                state.reindex = replace(known, holder=holder, leased_until=until)
                return state.reindex, None
            if not is_made:
                return None, None  # another process has ended it since: look again
            given_up, state.target = state.target, made
            if is_first:
                state.current = made
            state.reindex = Reindex(
                since=state.take_ticket(self._clock()),
                declared=declared,
                holder=holder,
                leased_until=until,
            )
            return state.reindex, given_up

        begun, given_up = await self._state.change(take)
        if is_made and (await self._state.read()).target != made:
            given_up = made
        if given_up is not None:
            await self._client.write("DELETE", f"/{given_up}")
        return begun

    async def save_reindex(self, reindex: Reindex) -> None:
        """Remembers how far it has come."""

        def save(state: StoredState) -> None:
            state.check_held(reindex)
            state.reindex = reindex

        await self._state.change(save)

    async def finish_reindex(self, reindex: Reindex) -> None:
        """Lets the new index answer from one moment to the next, and removes the old one."""
        state = await self._state.read()
        state.check_held(reindex)
        target = state.target
        await self._client.write("POST", f"/{target}/_refresh")
        old = [name for name in await self._answering() if name != target]
        swap = [
            {"add": {"index": target, "alias": self._alias}},
            *({"remove_index": {"index": name}} for name in old),
        ]
        await self._client.write("POST", "/_aliases", {"actions": swap})

        def end(state: StoredState) -> None:
            state.check_held(reindex)
            state.current, state.target = target, None
            state.declared = f"{reindex.declared}.{FORMAT}"
            state.reindex = None

        await self._state.change(end)

    async def verify(self) -> None:
        """Lets searches see all that was written; OpenSearch looks after its own files."""
        await self._client.write("POST", f"/{self._alias}/_refresh")

    async def reclaim_space(self) -> None:
        """Nothing: OpenSearch merges what was removed away by itself."""

    async def close(self) -> None:
        """Lets go of connections."""
        await self._client.close()

    async def _count(self) -> int | None:
        """Returns how many documents there are; None where there is no index."""
        answer = await self._client.read("GET", f"/{self._alias}/_count")
        return None if answer.is_missing else int(answer.body["count"])

    async def _answering(self) -> list[str]:
        """Returns the indexes to which the alias leads: one, or none before the first."""
        answer = await self._client.read("GET", f"/_alias/{self._alias}")
        return [] if answer.is_missing else list(answer.body)

    async def _make_index(self, name: str, *, is_first: bool) -> None:
        """Makes an index; where there is no other, it answers at once, with what it has so far."""
        aliases: dict[str, dict[str, str]] = {bulk.write_alias(name): {}}
        if is_first:
            aliases[self._alias] = {}
        await self._client.create(name, INDEX | {"aliases": aliases})


def _can_go_on(state: StoredState, declared: str, holder: str, now: float) -> bool:
    """Whether there is a reindex under way to resume, or to leave to another process."""
    known = state.reindex
    if known is None:
        return False
    return known.is_held_by_other(holder, now) or known.declared == declared
