"""Each thing that can drift: named in a sentence, mended, and then all is well."""

from __future__ import annotations

from uuid import uuid4

import pytest
from msgspec.structs import replace

from commonroom.store import Store, delete
from commonroom.titles.stored_titles import title_ref
from commonroom.titles.tables import Movie, TmdbClaim
from commonroom.watchlists.service.access import get_contents
from tests.accounts.people import Watch
from tests.watchlists.checks.example import House
from tests.watchlists.checks.faults import BREAKS, Break
from tests.watchlists.examples import MATRIX, left_of_room, names, tidied


@pytest.fixture
async def house(store: Store, clock: Watch) -> House:
    """A room in which everything is as it should be."""
    return await House.furnished(store, clock)


async def break_and_mend(house: House, breaks: Break) -> None:
    """Holds that what is broken is named and mended, and that nothing else is touched."""
    kind, sentence = BREAKS[breaks]
    engine = house.store.engine
    before = await left_of_room(engine)
    await breaks(house)

    found = await house.drift()
    assert (kind, True) in [(one.check, sentence in one.detail) for one in found], found

    mended = await house.drift(repair=True)
    assert all(one.repaired for one in mended), mended
    await tidied(house.store, house.clock)
    assert await house.drift() == []
    assert await left_of_room(engine) == before
    items = (await get_contents(house.store, house.hers.watchlist_id)).items
    assert names(items) == ["The Matrix", "Alien", "Heat"]


async def test_where_nothing_is_broken_nothing_is_found(house: House) -> None:
    assert await house.drift() == []


@pytest.mark.parametrize("breaks", BREAKS, ids=lambda breaks: breaks.__name__)
async def test_what_is_broken_is_named_and_mended(house: House, breaks: Break) -> None:
    await break_and_mend(house, breaks)


async def test_one_after_the_other_is_named_and_mended_on_dynamodb(
    dynamodb: Store, clock: Watch
) -> None:
    house = await House.furnished(dynamodb, clock)
    for breaks in BREAKS:
        await break_and_mend(house, breaks)


async def test_a_list_of_which_everything_is_left_over_is_cleared(house: House) -> None:
    await house.store.write(delete(house.hers))
    for _ in range(3):
        await house.drift(repair=True)
    assert await house.drift() == []
    left = await left_of_room(house.store.engine)
    assert {"WatchlistItem", "Comment", "Saver", "BrowseEntry", "OwnedList"}.isdisjoint(left)


async def test_a_title_that_is_not_in_the_catalogue_is_left_to_people(house: House) -> None:
    await house.store.write(delete(title_ref(MATRIX)))
    found = [one for one in await house.drift(repair=True) if one.check == "orphans"]
    assert [("not in the catalogue" in one.detail, one.repaired) for one in found] == [
        (True, False)
    ]


async def test_an_account_that_is_not_there_is_left_to_people(house: House) -> None:
    await house.store.write(delete(house.ada))
    found = await house.drift(repair=True)
    assert [("does not exist" in one.detail, one.repaired) for one in found] == [(True, False)]


async def test_a_curator_without_a_status_is_left_to_people(house: House) -> None:
    await house.load(house.profile, isCurator=True, curatorStatus=None, curatorSince=None)
    found = await house.drift(repair=True)
    told = [(one.detail, one.repaired) for one in found if one.check == "curators"]
    assert any("of which status" in detail and not repaired for detail, repaired in told)


async def test_two_titles_with_one_tmdb_id_are_left_to_people(house: House) -> None:
    matrix = await house.store.get(title_ref(MATRIX))
    assert isinstance(matrix, Movie)
    double = replace(matrix, movie_id=str(uuid4()), tmdb_id="603")
    await house.load(double)
    await house.load(matrix, tmdbId="603")
    await house.load(TmdbClaim(content_type="MOVIE", tmdb_id="603", content_id=matrix.movie_id))
    found = [one for one in await house.drift(repair=True) if one.check == "claims"]
    assert [("merge them" in one.detail, one.repaired) for one in found] == [(True, False)]
