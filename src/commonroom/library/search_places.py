"""Pages of the library that people look for by what they want to do."""

from __future__ import annotations

from commonroom.web.search.places import SearchPlace
from commonroom.web.words import later

PLACES = (
    SearchPlace(
        name=later("Import books and films"),
        address="/library/import",
        words=later("goodreads librarything csv upload add many shelf"),
        icon="import",
    ),
    SearchPlace(
        name=later("Lent and borrowed"),
        address="/library/loans",
        words=later("loans due return overdue who has"),
        icon="library",
    ),
    SearchPlace(
        name=later("Search your libraries"),
        address="/library/search",
        words=later("books shelf find"),
        icon="search",
    ),
)
