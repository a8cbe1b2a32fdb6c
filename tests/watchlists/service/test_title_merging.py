"""Merging two titles that are one: everything moves once, whoever had both loses nothing."""

from __future__ import annotations

import asyncio

import pytest

from commonroom.accounts.tables import User
from commonroom.errors import Conflict, NotFound
from commonroom.store import Store, update
from commonroom.timers.tables import Timer
from commonroom.titles.stored_titles import id_of, load_title, store_title
from commonroom.titles.tables import TmdbClaim
from commonroom.titles.titles import TitleFacts, TitleId
from commonroom.watchlists.service import title_merging
from commonroom.watchlists.service.access import get_contents
from commonroom.watchlists.service.items import change_note
from commonroom.watchlists.service.lists import ListChange, change_list
from commonroom.watchlists.service.ratings import load_opinion, rate
from commonroom.watchlists.service.seen import follow_evenings, mark_seen
from commonroom.watchlists.service.title_merging import MERGE, merge_titles, preview_merge
from commonroom.watchlists.tables import Rating, Seen, TitleOnList, TitleRating, TitleReview
from tests.accounts.people import Watch
from tests.support.fixtures import either
from tests.watchlists.examples import (
    ALIEN,
    MATRIX,
    TITLES,
    asks,
    everything_of,
    list_of,
    somebody,
    tidied,
)
from tests.watchlists.import_files import NOW, check_watchlists, imported, ratings_now
from tests.watchlists.service.test_ratings import recount
from tests.watchlists.service.test_seen import AT

store = either

COPY = TitleId("MOVIE", "a-copy-of-the-matrix")


@pytest.fixture(autouse=True)
def _today(clock: Watch) -> None:
    clock.now = NOW


def facts(**more: object) -> TitleFacts:
    """The duplicate, as a file told of it."""
    known = {"content_type": "MOVIE", "content_id": COPY.content_id, "title": "Matrix, The"}
    return TitleFacts(**known | {"year": 1999} | more)  # type: ignore[arg-type]


@pytest.fixture
async def copy(store: Store, clock: Watch) -> TitleId:
    """A duplicate of the Matrix."""
    return id_of(await store_title(store, facts(imdb_id="tt0133093"), clock()))


async def merged(store: Store, clock: Watch, admin: User) -> None:
    """Both once they are one."""
    await merge_titles(asks(store, clock, admin), TITLES, COPY, MATRIX)
    for _ in range(3):
        await tidied(store, clock)
        clock.now += 100


async def nothing_left(store: Store) -> None:
    """Nothing of anybody's leads to the duplicate."""
    kinds = (Rating, Seen, TitleOnList, TitleRating, TitleReview)
    found = await everything_of(store.engine, *kinds)
    assert [one for one in found if one.content_id == COPY.content_id] == []  # type: ignore[attr-defined]
    await check_watchlists(store)
    await recount(store, MATRIX)


async def test_it_says_what_it_would_do_and_does_it(
    store: Store, clock: Watch, ada: User, ben: User, copy: TitleId
) -> None:
    mine = await list_of(store, clock, ben, ALIEN, copy, title="Mine")
    await change_note(asks(store, clock, ben), mine.watchlist_id, copy, "A note.")
    await change_list(asks(store, clock, ben), mine.watchlist_id, ListChange(cover=copy))
    await rate(asks(store, clock, ben), TITLES, copy, rating=8, review="Whoa.")
    said = await preview_merge(asks(store, clock, ada), TITLES, copy, MATRIX)
    assert (said.lists, said.opinions, said.seen) == (1, 1, 1)
    await merged(store, clock, ada)
    found = await get_contents(store, mine.watchlist_id)
    items = [(one.content_id, one.title, one.curator_note) for one in found.items]
    assert items == [
        (ALIEN.content_id, "Alien", None),
        (MATRIX.content_id, "The Matrix", "A note."),
    ]
    assert found.watchlist.cover_title == f"MOVIE#{MATRIX.content_id}"
    assert await ratings_now(store) == {"The Matrix": (8, "Whoa.")}
    kept = await load_title(store, copy)
    assert kept is not None
    assert (id_of(kept), kept.imdb_id) == (MATRIX, "tt0133093"), "its address leads there"
    assert "Matrix, The" in kept.other_titles
    await nothing_left(store)


async def test_whoever_has_both_keeps_what_is_later_and_loses_no_words(
    store: Store, clock: Watch, ada: User, ben: User, copy: TitleId
) -> None:
    ctx = asks(store, clock, ben)
    mine = await list_of(store, clock, ben, MATRIX, copy, title="Mine")
    for title, note in ((MATRIX, "First."), (copy, "Second.")):
        await change_note(ctx, mine.watchlist_id, title, note)
    await rate(ctx, TITLES, MATRIX, rating=4, review="Words.")
    await mark_seen(ctx, TITLES, MATRIX, "2020-01-01")
    clock.forward(60)
    await rate(asks(store, clock, ben), TITLES, copy, rating=9)
    await mark_seen(asks(store, clock, ben), TITLES, copy, "2022-02-02")
    await follow_evenings(store, clock(), facts(), {ben.user_id: {"evening": AT}}, {})
    await merged(store, clock, ada)
    found = await get_contents(store, mine.watchlist_id)
    assert [one.curator_note for one in found.items] == ["First.\n\nSecond."]
    assert found.watchlist.item_count == 1
    assert await ratings_now(store) == {"The Matrix": (9, "Words.")}
    seen = (await load_opinion(store, ben.user_id, MATRIX)).seen
    assert seen is not None
    assert (seen.seen_on, seen.other_days) == ("2020-01-01", ["2022-02-02"])
    assert (seen.own, list(seen.evenings)) == ("hand", ["evening"])
    await nothing_left(store)


async def test_the_next_file_and_whoever_has_the_old_address_find_the_other(
    store: Store, clock: Watch, ada: User, ben: User, copy: TitleId
) -> None:
    await merged(store, clock, ada)
    await rate(asks(store, clock, ben), TITLES, copy, rating=7)
    file = b'Date,Name,Year,Letterboxd URI,Rating\n2024-01-01,"Matrix, The",1999,u,4\n'
    await imported(store, clock, ada, file, "ratings.csv")
    assert {one.content_id for one in await everything_of(store.engine, Rating)} == {"603"}
    await nothing_left(store)


@pytest.mark.parametrize("ids", [{"imdb_id": "tt0000001"}, {"tmdb_id": 12345}])
async def test_two_ids_are_never_merged(
    store: Store, clock: Watch, ada: User, ids: dict[str, object]
) -> None:
    await store_title(store, facts(**ids), clock())
    target = await load_title(store, MATRIX)
    assert target is not None
    await store.write(update(target, imdb_id="tt0133093", tmdb_id="603"))
    for deed in (preview_merge, merge_titles):
        with pytest.raises(Conflict, match="different titles"):
            await deed(asks(store, clock, ada), TITLES, COPY, MATRIX)


async def test_neither_a_show_nor_itself_nor_what_a_source_knows(
    store: Store, clock: Watch, ada: User, copy: TitleId
) -> None:
    ctx = asks(store, clock, ada)
    for source, target in (
        (copy, copy),
        (MATRIX, copy),
        (copy, TitleId("SHOW", "1396")),
    ):
        with pytest.raises(Conflict):
            await merge_titles(ctx, TITLES, source, target)
    with pytest.raises(NotFound):
        await merge_titles(ctx, TITLES, TitleId("MOVIE", "nothing"), MATRIX)


async def test_a_tmdb_id_goes_to_the_title_that_stays(
    store: Store, clock: Watch, ada: User
) -> None:
    await store_title(store, facts(), clock())
    own = TitleId("MOVIE", "made-here")
    made = TitleFacts(content_type="MOVIE", content_id="made-here", title="The Matrix", year=1999)
    await store_title(store, made, clock())
    copy = await load_title(store, COPY)
    assert copy is not None
    await store.write(update(copy, tmdb_id="4711"))
    await merge_titles(asks(store, clock, ada), TITLES, COPY, own)
    claim = await store.get(TmdbClaim.at(content_type="MOVIE", tmdb_id="4711"))
    assert claim is not None
    assert claim.content_id == "made-here"


async def test_it_goes_on_where_it_was_interrupted_while_people_go_on(
    store: Store, clock: Watch, ada: User, copy: TitleId, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(title_merging, "TOGETHER", 2)
    people = [await somebody(store, clock, f"Person {number}") for number in range(5)]
    for number, one in enumerate(people):
        await list_of(store, clock, one, copy, title="Mine")
        await rate(asks(store, clock, one), TITLES, copy, rating=number + 1, review="Hm.")
    await merge_titles(asks(store, clock, ada), TITLES, copy, MATRIX)
    (waiting,) = [one for one in await everything_of(store.engine, Timer) if one.kind == MERGE]
    # Two processes at once, and somebody who rates the title that stays meanwhile.
    await asyncio.gather(
        title_merging.go_on_merging(store, waiting, clock()),
        title_merging.go_on_merging(store, waiting, clock()),
        rate(asks(store, clock, people[0]), TITLES, MATRIX, rating=10),
        return_exceptions=True,
    )
    for _ in range(3):
        await tidied(store, clock)
        clock.now += 100
    found = {one.user_id: one.rating for one in await everything_of(store.engine, Rating)}
    assert found.keys() == {one.user_id for one in people}
    assert found[people[4].user_id] == 5
    assert found[people[0].user_id] == 10
    await nothing_left(store)
