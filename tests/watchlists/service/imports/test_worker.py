"""Rows become lists, ratings and marks, each once; what has no title is put aside."""

from __future__ import annotations

import pytest

from commonroom.accounts.context import Context
from commonroom.accounts.tables import User
from commonroom.store import Store
from commonroom.watchlists.service.imports.lifecycle import see_import
from commonroom.watchlists.tables import ImportRows, Watchlist
from tests.accounts.people import Watch
from tests.support.fixtures import either
from tests.watchlists.examples import everything_of
from tests.watchlists.import_files import (
    LETTERBOXD,
    NOW,
    imported,
    lists_now,
    prepared,
    ratings_now,
    seen_now,
)

store = either


@pytest.fixture(autouse=True)
def today(clock: Watch) -> None:
    """When the files were exported."""
    clock.now = NOW


class TestLetterboxd:
    async def test_an_archive_comes_in(self, store: Store, clock: Watch, ben: User) -> None:
        seen = await imported(store, clock, ben, LETTERBOXD, "letterboxd.zip")
        assert (seen.state, seen.failed, seen.unmatched) == ("done", 0, 0)
        assert await lists_now(store) == {
            "Letterboxd watchlist": [("Alien", None), ("Crouching Tiger, Hidden Dragon", None)],
            "Letterboxd likes": [("Heat", None)],
            "Autumn evenings": [("Heat", None), ("Alien", "Still holds up")],
        }
        assert await ratings_now(store) == {
            "603": (9, "Still good,\n& green."),
            "949": (1, None),
        }
        assert await seen_now(store) == {"603": "2023-05-05", "949": None, "348": None}
        assert (seen.added, seen.done, seen.of) == (8, 8, 8)
        assert await everything_of(store.engine, ImportRows) == []

    async def test_lists_are_private_and_keep_what_is_said_of_them(
        self, store: Store, clock: Watch, ben: User
    ) -> None:
        await imported(store, clock, ben, LETTERBOXD, "letterboxd.zip")
        found = {one.title: one for one in await everything_of(store.engine, Watchlist)}
        autumn = found["Autumn evenings"]
        assert not any(one.is_public for one in found.values())
        assert (autumn.description, autumn.tags) == ("Two lines,\nwith tea.", ["rain", "tea"])

    async def test_the_preview_says_what_happens(
        self, store: Store, clock: Watch, ben: User
    ) -> None:
        ready = await prepared(store, clock, ben, LETTERBOXD, "letterboxd.zip")
        assert ready.preview is not None
        said = ready.preview.outcome
        assert (said.new_lists, said.listed, said.rated, said.seen) == (3, 5, 2, 3)
        assert (said.reviewed, said.unmatched, said.already) == (1, 0, 0)
        assert (ready.state, ready.looked_up) == ("ready", 8)
        assert await lists_now(store) == {}


async def test_seeing_an_import_takes_two_requests(store: Store, clock: Watch, ben: User) -> None:
    from commonroom.store import counting

    await prepared(store, clock, ben, LETTERBOXD, "letterboxd.zip")
    with counting() as tally:
        await see_import(Context(store, ben))
    assert tally.requests == 2
