"""Pages of the library that people look for by what they want to do."""

from __future__ import annotations

from commonroom.http.words import lazy
from commonroom.joins.search_places import SearchPlace

PLACES = (
    SearchPlace(
        name=lazy("Import books and films"),
        address="/library/import",
        words=lazy("goodreads librarything csv upload add many shelf"),
        icon="import",
    ),
    SearchPlace(
        name=lazy("Lent and borrowed"),
        address="/library/loans",
        words=lazy("loans due return overdue who has"),
        icon="library",
    ),
    SearchPlace(
        name=lazy("Search your libraries"),
        address="/library/search",
        words=lazy("books shelf find"),
        icon="search",
    ),
)
