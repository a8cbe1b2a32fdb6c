"""The search index itself: what it takes, and that others get their turn while it is built.

What it finds is in `test_search.py`.
"""

from __future__ import annotations

import tracemalloc

from commonroom.library.rules.search import SearchEntry, parse_query
from commonroom.library.rules.search_index import BATCH, LibrarySearchIndex


def entries(number: int) -> list[SearchEntry]:
    return [
        SearchEntry(
            0, f"{one:032X}", f"Title {one} of Winter", "Seasons", (f"Ann Author{one % 50}",)
        )
        for one in range(number)
    ]


class TestBuilding:
    def test_pauses_all_the_time(self) -> None:
        pauses: list[None] = []

        LibrarySearchIndex("L", entries(10 * BATCH), lambda: pauses.append(None))

        assert len(pauses) > 5 * 10, "with its titles, and with the words of every field"

    def test_of_nothing_gives_an_index_of_nothing(self) -> None:
        what = parse_query("winter")
        assert what is not None
        assert LibrarySearchIndex("L", []).best(what, 10) == []


class TestMemory:
    def test_is_about_what_it_says(self) -> None:
        shelf = entries(3000)
        LibrarySearchIndex("L", shelf)  # whatever is made once
        tracemalloc.start()
        try:
            before, _ = tracemalloc.get_traced_memory()
            index = LibrarySearchIndex("L", shelf)
            after, _ = tracemalloc.get_traced_memory()
        finally:
            tracemalloc.stop()
        assert index.bytes <= after - before < 1.5 * index.bytes

    def test_is_a_few_hundred_bytes_for_an_item(self) -> None:
        assert LibrarySearchIndex("L", entries(3000)).bytes < 3000 * 300


def test_half_a_character_can_be_asked_for() -> None:
    what = parse_query("\ud800\ud800\ud800")
    assert what is not None
    assert LibrarySearchIndex("L", entries(3)).best(what, 10) == []
