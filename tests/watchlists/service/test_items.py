"""Items: added, noted, moved, removed."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from commonroom.accounts.tables import User
from commonroom.errors import Conflict, Forbidden, InvalidField, NotFound
from commonroom.moments import iso
from commonroom.store import Store, counting, create, delete, update
from commonroom.titles.stored_titles import title_ref
from commonroom.titles.tables import TmdbClaim
from commonroom.titles.titles import TitleId
from commonroom.watchlists.rules.lists import GAP
from commonroom.watchlists.service import moves
from commonroom.watchlists.service.access import get_contents
from commonroom.watchlists.service.items import (
    AlreadyListed,
    NewWatchlistItem,
    add_items,
    change_note,
    remove_item,
)
from commonroom.watchlists.service.lists import ListChange, change_list
from commonroom.watchlists.service.moves import Target, move_item
from commonroom.watchlists.tables import TitleOnList, Watchlist, WatchlistItem
from tests.accounts.people import Meanwhile, Watch
from tests.watchlists.examples import (
    ALIEN,
    DARK,
    HEAT,
    MATRIX,
    TITLES,
    add_item,
    asks,
    everything_of,
    list_of,
    movie,
    names,
    now_of,
    stock,
    stocked,
)


async def order(store: Store, made: Watchlist) -> list[str]:
    return names((await get_contents(store, made.watchlist_id)).items)


class TestAdding:
    async def test_a_title_comes_to_the_end_with_what_a_list_shows_of_it(
        self, store: Store, clock: Watch, ada: User
    ) -> None:
        made = await list_of(store, clock, ada, MATRIX)
        ctx = asks(store, clock, ada)
        with counting() as count:
            added = await add_item(ctx, made.watchlist_id, "SHOW", DARK.content_id, " Watch it. ")
        assert (count.reads, count.writes) == (2, 1)
        assert added == await now_of(store, added)
        assert (added.title, added.year, added.number_of_seasons) == ("Dark", 2017, 3)
        assert (added.curator_note, added.added_by) == ("Watch it.", ada.user_id)
        after = await now_of(store, made)
        assert (after.item_count, after.added_count, after.revision) == (2, 2, 2)
        assert after.updated_at == iso(clock())
        assert await order(store, made) == ["The Matrix", "Dark"]
        pointers = await everything_of(store.engine, TitleOnList)
        assert {(one.content_type, one.content_id) for one in pointers} == {
            ("MOVIE", "603"),
            ("SHOW", "70523"),
        }

    async def test_several_in_a_row_are_added_in_one_write(
        self, store: Store, clock: Watch, ada: User
    ) -> None:
        await stock(store, 30)
        made = await list_of(store, clock, ada)
        wanted = [NewWatchlistItem("MOVIE", stocked(number).content_id) for number in range(30)]
        with counting() as count:
            await add_items(asks(store, clock, ada), TITLES, made.watchlist_id, wanted)
        assert (count.reads, count.writes) == (2, 1)
        assert await order(store, made) == [f"Film {10_000 + number}" for number in range(30)]

    async def test_a_title_that_is_there_already_is_named_and_nothing_is_added(
        self, store: Store, clock: Watch, ada: User
    ) -> None:
        made = await list_of(store, clock, ada, MATRIX)
        wanted = [NewWatchlistItem("MOVIE", one.content_id) for one in (ALIEN, MATRIX)]
        with pytest.raises(AlreadyListed) as refused:
            await add_items(asks(store, clock, ada), TITLES, made.watchlist_id, wanted)
        assert refused.value.extensions == {"content_type": "MOVIE", "content_id": "603"}
        assert (await now_of(store, made)).item_count == 1

    async def test_a_title_that_the_catalogue_does_not_have_is_not_found(
        self, store: Store, clock: Watch, ada: User
    ) -> None:
        made = await list_of(store, clock, ada)
        for content_id in ("999999999", "a#b", "", "x" * 200):
            with pytest.raises(NotFound):
                await add_item(asks(store, clock, ada), made.watchlist_id, "MOVIE", content_id)

    async def test_a_title_of_the_catalogue_is_stored_with_its_first_use(
        self, store: Store, clock: Watch, ada: User
    ) -> None:
        made = await list_of(store, clock, ada)
        claim = TmdbClaim.at(content_type="MOVIE", tmdb_id="603")
        await store.write(delete(title_ref(MATRIX)), delete(claim))
        added = await add_item(asks(store, clock, ada), made.watchlist_id, "MOVIE", "603")
        assert (added.title, added.year) == ("The Matrix", 1999)
        assert await store.get(title_ref(MATRIX)) is not None

    async def test_what_does_not_fit_is_refused(
        self, store: Store, clock: Watch, ada: User
    ) -> None:
        made = await list_of(store, clock, ada)
        ctx = asks(store, clock, ada)
        twice = [NewWatchlistItem("MOVIE", "603")] * 2
        for wanted in ([], twice, [NewWatchlistItem("MOVIE", str(number)) for number in range(31)]):
            with pytest.raises(InvalidField):
                await add_items(ctx, TITLES, made.watchlist_id, wanted)
        with pytest.raises(InvalidField):
            await add_item(ctx, made.watchlist_id, "MOVIE", "603", "x" * 1001)

    async def test_a_list_holds_500(self, store: Store, clock: Watch, ada: User) -> None:
        made = await list_of(store, clock, ada, MATRIX)
        await store.write(update(made.ref, item_count=499))
        await add_item(asks(store, clock, ada), made.watchlist_id, "MOVIE", ALIEN.content_id)
        with pytest.raises(Conflict):
            await add_item(asks(store, clock, ada), made.watchlist_id, "MOVIE", HEAT.content_id)

    async def test_others_cannot_add(
        self, store: Store, clock: Watch, ada: User, ben: User
    ) -> None:
        shown = await list_of(store, clock, ada)
        hidden = await list_of(store, clock, ada, is_public=False)
        with pytest.raises(Forbidden):
            await add_item(asks(store, clock, ben), shown.watchlist_id, "MOVIE", "603")
        with pytest.raises(NotFound):
            await add_item(asks(store, clock, ben), hidden.watchlist_id, "MOVIE", "603")

    async def test_facts_that_change_meanwhile_are_the_new_ones(
        self, store: Store, clock: Watch, ada: User
    ) -> None:
        made = await list_of(store, clock, ada)
        renamed = update(title_ref(MATRIX), title="Matrix, The")
        meanwhile = Meanwhile(store, lambda: store.write(renamed), before_writing=WatchlistItem)
        added = await add_item(asks(meanwhile, clock, ada), made.watchlist_id, "MOVIE", "603")
        assert added.title == "Matrix, The"


class TestNotesAndRemoval:
    async def test_a_note_is_changed_and_taken_out(
        self, store: Store, clock: Watch, ada: User
    ) -> None:
        made = await list_of(store, clock, ada, MATRIX)
        ctx = asks(store, clock, ada)
        assert (await change_note(ctx, made.watchlist_id, MATRIX, "Red pill.")).curator_note
        changed = await change_note(ctx, made.watchlist_id, MATRIX, "")
        assert changed == await now_of(store, changed)
        assert changed.curator_note is None
        with pytest.raises(NotFound):
            await change_note(ctx, made.watchlist_id, ALIEN, "x")
        with pytest.raises(InvalidField):
            await change_note(ctx, made.watchlist_id, MATRIX, "x" * 1001)

    async def test_what_is_removed_leaves_no_trace_but_the_count_of_additions(
        self, store: Store, clock: Watch, ada: User
    ) -> None:
        made = await list_of(store, clock, ada, MATRIX, ALIEN)
        ctx = asks(store, clock, ada)
        await change_list(ctx, made.watchlist_id, ListChange(cover=MATRIX))
        await remove_item(ctx, made.watchlist_id, MATRIX)
        after = await now_of(store, made)
        assert (after.item_count, after.added_count, after.cover_title) == (1, 2, None)
        assert await order(store, made) == ["Alien"]
        assert len(await everything_of(store.engine, TitleOnList)) == 1
        with pytest.raises(NotFound):
            await remove_item(ctx, made.watchlist_id, MATRIX)


class TestMoving:
    @pytest.mark.parametrize(
        "move, expected",
        [
            ((HEAT, Target(place=1)), ["Heat", "The Matrix", "Alien", "Dark"]),
            ((MATRIX, Target(place=99)), ["Alien", "Heat", "Dark", "The Matrix"]),
            ((MATRIX, Target(after=ALIEN)), ["Alien", "The Matrix", "Heat", "Dark"]),
            ((DARK, Target(before=ALIEN)), ["The Matrix", "Dark", "Alien", "Heat"]),
            ((ALIEN, Target(place=2)), ["The Matrix", "Alien", "Heat", "Dark"]),
            ((ALIEN, Target(before=ALIEN)), ["The Matrix", "Alien", "Heat", "Dark"]),
        ],
    )
    async def test_an_item_goes_where_it_is_wanted(
        self,
        store: Store,
        clock: Watch,
        ada: User,
        move: tuple[TitleId, Target],
        expected: Sequence[str],
    ) -> None:
        made = await list_of(store, clock, ada, MATRIX, ALIEN, HEAT, DARK)
        before = {
            one.title: one.position for one in await everything_of(store.engine, WatchlistItem)
        }
        with counting() as count:
            given = await move_item(asks(store, clock, ada), made.watchlist_id, *move)
        assert names(given) == await order(store, made) == expected
        assert (count.reads, count.writes) in ((1, 1), (1, 0))
        after = {
            one.title: one.position for one in await everything_of(store.engine, WatchlistItem)
        }
        assert sum(before[name] != after[name] for name in after) <= 1, "one item is rewritten"

    async def test_where_to_must_be_said_once_and_be_on_the_list(
        self, store: Store, clock: Watch, ada: User
    ) -> None:
        made = await list_of(store, clock, ada, MATRIX, ALIEN)
        ctx = asks(store, clock, ada)
        for to in (Target(), Target(place=1, after=ALIEN)):
            with pytest.raises(InvalidField):
                await move_item(ctx, made.watchlist_id, MATRIX, to)
        with pytest.raises(NotFound):
            await move_item(ctx, made.watchlist_id, MATRIX, Target(after=HEAT))
        with pytest.raises(NotFound):
            await move_item(ctx, made.watchlist_id, HEAT, Target(place=1))

    async def test_room_is_made_where_the_numbers_have_run_out(
        self, store: Store, clock: Watch, ada: User, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(moves, "BATCH", 2)
        await stock(store, 6)
        made = await list_of(store, clock, ada, *(stocked(number) for number in range(6)))
        expected = [f"Film {10_000 + number}" for number in range(6)]
        for number in range(45):
            moving = stocked(2 + number % 4)
            await move_item(asks(store, clock, ada), made.watchlist_id, moving, Target(place=2))
            name = f"Film {moving.content_id}"
            expected.remove(name)
            expected.insert(1, name)
            assert await order(store, made) == expected
        items = await everything_of(store.engine, WatchlistItem)
        assert len({one.position for one in items}) == 6
        assert (await now_of(store, made)).last_position >= max(one.position for one in items)
        assert max(one.position for one in items) > 7 * GAP, "they had run out"

    async def test_a_title_that_goes_while_it_is_added_is_not_found(
        self, store: Store, clock: Watch, ada: User
    ) -> None:
        made = await list_of(store, clock, ada)
        made_up = movie("made-up", "Made up")
        await store.write(create(made_up))
        gone = delete(made_up)
        meanwhile = Meanwhile(store, lambda: store.write(gone), before_writing=WatchlistItem)
        with pytest.raises(NotFound):
            await add_item(asks(meanwhile, clock, ada), made.watchlist_id, "MOVIE", "made-up")
