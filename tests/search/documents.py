"""Documents to be found, and what was found, in a word."""

from __future__ import annotations

from typing import Any

from commonroom.search.documents import Document, DocumentKey
from commonroom.search.index import SearchIndex
from commonroom.search.queries import SearchQuery


def film(title: str, popularity: int = 0, **facts: Any) -> Document:
    """A film; its id is its title, unless it is given."""
    facts = {"id": title, "address": f"/films/{title}"} | facts
    return Document(kind="film", title=title, popularity=popularity, **facts)


def watchlist(title: str, popularity: int = 0, **facts: Any) -> Document:
    """A list."""
    facts = {"id": title, "address": f"/lists/{title}"} | facts
    return Document(kind="list", title=title, popularity=popularity, **facts)


async def put(index: SearchIndex, *documents: Document) -> None:
    """Puts documents into an index."""
    await index.apply(await index.ticket(), {one.key: one for one in documents})


async def remove(index: SearchIndex, *keys: DocumentKey) -> None:
    """Takes documents out."""
    await index.apply(await index.ticket(), dict.fromkeys(keys))


async def titles(index: SearchIndex, text: str, **wanted: Any) -> list[str]:
    """The titles that are found, the best first."""
    return [hit.document.title for hit in await index.search(SearchQuery(text=text, **wanted))]
