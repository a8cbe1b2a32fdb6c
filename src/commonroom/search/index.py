"""The search index: what both engines can do. Nobody else knows which of them it is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar, Protocol

import msgspec
from msgspec import Struct

from commonroom.errors import CommonroomError
from commonroom.search.documents import Document, DocumentKey
from commonroom.search.hits import IndexHit
from commonroom.search.queries import SearchQuery

MICROSECONDS = 1_000_000
LEASE_SECONDS = 30.0
"""How long nobody else continues with a reindex whose process has given no sign."""


class SearchUnavailable(CommonroomError):
    """The index cannot be asked right now."""

    status: ClassVar[int] = 503
    title = "Search is not available"


class IndexReplaced(SearchUnavailable):
    """The index was replaced meanwhile: what was worked out for the old one is worked out anew."""


class ReindexUnderWay(CommonroomError):
    """Another process indexes everything already."""

    status: ClassVar[int] = 409
    title = "Reindex under way"
    sentence = (
        "Another process is building the search index already. If it was stopped, wait half a "
        "minute and try again."
    )


class IndexTicket(Struct, frozen=True):
    """A number that grows with every ticket, taken *before* what is stored is read.

    It is the version of what is written with it, and older versions never replace newer ones. So
    the last reader wins, in whichever order writes arrive: what is stored is read after a ticket
    was taken, so a higher ticket saw at least as much.
    """

    number: int
    indexes: tuple[str, ...]
    """What it was taken for: the index, and one that is being built to replace it."""


class Reindex(Struct, frozen=True, kw_only=True):
    """A reindex under way, as it is stored with the index."""

    since: int
    """The first ticket of it: what is older at the end is left over."""
    declared: str
    """The fingerprint of what is to be indexed; another one starts over."""
    holder: str
    leased_until: float
    table: int = 0
    """How many tables are done."""
    start: bytes | None = None
    """Where the table that it is at continues."""
    done: int = 0
    """How many documents were written."""

    def is_held_by_other(self, holder: str, now: float) -> bool:
        """Whether another process is at it, as far as clocks can tell."""
        beyond = now + 2 * LEASE_SECONDS  # then the clock was put back
        return self.holder != holder and now < self.leased_until < beyond

    def check_held(self, known: Reindex | None) -> None:
        """Refuses where another process continues with it, by what is `known` of it now."""
        if known is None or (known.holder, known.since) != (self.holder, self.since):
            raise IndexReplaced("Another process goes on with this reindex.")


encode_reindex = msgspec.msgpack.Encoder().encode
decode_reindex = msgspec.msgpack.Decoder(Reindex).decode


def next_number(last: int, now: float) -> int:
    """Returns the next ticket's: later than every other, and than those of a state that is lost."""
    return max(last + 1, int(now * MICROSECONDS))


class IndexState(Struct, frozen=True, kw_only=True):
    """How an index is doing."""

    documents: int
    declared: str = ""
    """The fingerprint of what it was completely indexed from; empty before it was."""
    reindex: Reindex | None = None


class SearchIndex(Protocol):
    """An index of documents; `SearchUnavailable` where it cannot be asked."""

    name: str

    async def search(self, query: SearchQuery) -> list[IndexHit]:
        """Returns what matches, the best first."""

    async def ticket(self) -> IndexTicket:
        """Returns the next ticket."""

    async def apply(
        self, ticket: IndexTicket, changes: Mapping[DocumentKey, Document | None]
    ) -> None:
        """Puts documents, or removes them where there is None; each unless it is newer."""

    async def read(self, keys: Sequence[DocumentKey]) -> dict[DocumentKey, Document]:
        """Returns those of these documents that are there."""

    async def keys(self, after: DocumentKey | None, limit: int) -> list[DocumentKey]:
        """Returns which documents there are, in an order that stays the same."""

    async def state(self) -> IndexState:
        """Returns how it is doing."""

    async def is_complete(self) -> bool:
        """Whether everything was indexed; before that, what is not found may exist all the same."""

    def new_holder(self) -> str:
        """Returns a name for who reindexes."""

    async def begin_reindex(self, declared: str, holder: str, now: float) -> Reindex | None:
        """Begins to index everything, or resumes it; None while another process is at it."""

    async def save_reindex(self, reindex: Reindex) -> None:
        """Remembers how far it has come; `IndexReplaced` where another process is at it."""

    async def finish_reindex(self, reindex: Reindex) -> None:
        """Takes out what is left over from before, and answers from what is new."""

    async def verify(self) -> None:
        """Looks whether the index itself is whole; one that is not is made anew, and empty."""

    async def reclaim_space(self) -> None:
        """Leaves nothing readable of documents that were removed."""

    async def close(self) -> None:
        """Lets go of it."""
