"""Facets: what a public list is found under, and what its card shows of its titles."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from math import ceil
from typing import TypeVar, cast

from commonroom.titles.titles import TitleId
from commonroom.watchlists.rules.lists import in_order, is_discoverable
from commonroom.watchlists.tables import BrowseEntry, Facet, Poster, Watchlist, WatchlistItem

T = TypeVar("T")

MAX_POSTERS = 5
MAX_GENRES = 3
"""How many genres a card names."""
SHARE = 5
"""A list is found under a genre or decade that at least one in five of its titles has. Else every
long list would be under almost all of them."""


def facets_of(found: Watchlist, items: Sequence[WatchlistItem]) -> set[str]:
    """Returns everything that a list is found under; nothing where nobody may come across it."""
    if not is_discoverable(found) or not items:
        return set()
    return {
        facet("curator", found.curator_id),
        *(facet("tag", tag) for tag in found.tags),
        *(facet("genre", genre) for genre, _ in _common(_genres(items), len(items))),
        *(facet("decade", str(decade)) for decade, _ in _common(_decades(items), len(items))),
        *(TitleId.of(one).text for one in items),
    }


def facet(name: Facet, value: str) -> str:
    """Returns a facet in one word; tags and genres are found whatever their case."""
    return f"{name}#{value.casefold() if name in ('tag', 'genre') else value}"


def entry(facet: str, listed_at: str, watchlist_id: str) -> BrowseEntry:
    """Returns a list's entry under a facet."""
    name, _, value = facet.partition("#")
    return BrowseEntry(
        facet=cast("Facet", name), value=value, listed_at=listed_at, watchlist_id=watchlist_id
    )


def posters_of(found: Watchlist, items: Sequence[WatchlistItem]) -> list[Poster]:
    """What a list's card shows: its first titles, before them the one chosen for the cover."""
    ordered = in_order(items)
    ordered.sort(key=lambda one: TitleId.of(one).text != found.cover_title)
    return [_poster(one) for one in ordered[:MAX_POSTERS]]


def genres_of(items: Sequence[WatchlistItem]) -> list[str]:
    """Returns the genres that most of a list's titles have."""
    return [genre for genre, _ in _common(_genres(items), len(items))][:MAX_GENRES]


def _poster(one: WatchlistItem) -> Poster:
    return Poster(
        **TitleId.of(one).key,
        title=one.title,
        year=one.year,
        genres=one.genres,
        poster_url=one.poster_url,
    )


def _genres(items: Iterable[WatchlistItem]) -> Counter[str]:
    return Counter(
        genre for one in items for genre in dict.fromkeys(one.genres) if "#" not in genre
    )


def _decades(items: Iterable[WatchlistItem]) -> Counter[int]:
    return Counter(one.year // 10 * 10 for one in items if one.year is not None)


def _common(counted: Counter[T], of: int) -> list[tuple[T, int]]:
    least = ceil(of / SHARE)
    return [(what, number) for what, number in counted.most_common() if number >= least]
