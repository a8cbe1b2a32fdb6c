"""Films, lists and curators as they are stored, and an indexer that follows them."""

from __future__ import annotations

from typing import Any

from commonroom.house.search import searchables
from commonroom.search.index import SearchIndex
from commonroom.search.indexing import Indexer
from commonroom.store import Store
from commonroom.store.streams import Worker
from commonroom.titles.search_documents import FILMS, SHOWS
from commonroom.titles.tables import Movie
from commonroom.watchlists.tables import Profile, Watchlist

AT = "2026-05-31T18:00:00.000Z"
BUILTIN = len(FILMS.builtin()) + len(SHOWS.builtin())


def movie(movie_id: str, title: str, **facts: Any) -> Movie:
    """A film that is stored."""
    return Movie(movie_id=movie_id, title=title, created_at=AT, updated_at=AT, **facts)


def a_list(watchlist_id: str, title: str, **facts: Any) -> Watchlist:
    """A public list."""
    facts = {"curator_id": "ada", "curator_name": "Ada"} | facts
    return Watchlist(watchlist_id=watchlist_id, title=title, created_at=AT, updated_at=AT, **facts)


def profile(user_id: str, username: str, **facts: Any) -> Profile:
    """An approved curator."""
    given: dict[str, Any] = {"is_curator": True, "curator_status": "approved"} | facts
    return Profile(user_id=user_id, username=username, created_at=AT, updated_at=AT, **given)


def indexer_of(store: Store, index: SearchIndex) -> Indexer:
    """What keeps an index of all rooms."""
    return Indexer(store, index, searchables())


async def follow(indexer: Indexer) -> int:
    """Lets the index follow all changes; says how many there were."""
    return await Worker(indexer.store, [indexer.consumer]).drain()
