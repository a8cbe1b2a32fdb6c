"""What follows from changes of lists: entries, cards, and clearing up."""

from __future__ import annotations

import pytest

from commonroom.accounts.tables import User
from commonroom.notifications.tables import Notification
from commonroom.store import Store, counting, update
from commonroom.store.streams import Change
from commonroom.watchlists.consumers import lists as consumers
from commonroom.watchlists.service import collaborators, curators, discovery, facets, saves
from commonroom.watchlists.service.access import get_contents
from commonroom.watchlists.service.comments import add_comment
from commonroom.watchlists.service.copies import copy_list
from commonroom.watchlists.service.items import remove_item
from commonroom.watchlists.service.lists import ListChange, change_list, delete_list
from commonroom.watchlists.service.moves import Target, move_item
from commonroom.watchlists.tables import (
    BrowseEntry,
    Facet,
    ListFacets,
    SavedWatchlist,
    WatchlistItem,
)
from tests.accounts.people import Meanwhile, Watch
from tests.watchlists.examples import (
    ALIEN,
    DARK,
    HEAT,
    MATRIX,
    add_item,
    asks,
    everything_of,
    left_of_room,
    list_of,
    now_of,
    stock,
    stocked,
    tidied,
)


async def under(store: Store, facet: Facet, value: str) -> list[str]:
    """The titles of the lists under a facet."""
    return [one.title for one in (await discovery.browse(store, facet, value)).items]


class TestEntries:
    async def test_a_public_list_is_found_by_tag_genre_decade_title_and_curator(
        self, store: Store, clock: Watch, ada: User
    ) -> None:
        await list_of(store, clock, ada, MATRIX, ALIEN, DARK, title="Space", tags=["Sci-Fi"])
        await list_of(store, clock, ada, MATRIX, title="Hidden", is_public=False)
        clock.forward(1)
        await list_of(store, clock, ada, HEAT, ALIEN, title="Crime")
        await tidied(store, clock)
        assert await under(store, "tag", " SCI-FI ") == ["Space"]
        assert await under(store, "genre", "science fiction") == ["Crime", "Space"]
        assert await under(store, "decade", "1970") == ["Crime", "Space"]
        assert await under(store, "decade", "2010") == ["Space"]
        assert await under(store, "MOVIE", MATRIX.content_id) == ["Space"]
        assert await under(store, "SHOW", DARK.content_id) == ["Space"]
        assert await under(store, "curator", ada.user_id) == ["Crime", "Space"]
        with counting() as count:
            await discovery.browse(store, "decade", "1970")
        assert count.requests == 2

    async def test_they_are_paged_newest_first(self, store: Store, clock: Watch, ada: User) -> None:
        for number in range(5):
            clock.forward(1)
            await list_of(store, clock, ada, MATRIX, title=str(number))
        await tidied(store, clock)
        seen, cursor = [], None
        for _ in range(3):
            page = await discovery.browse(store, "MOVIE", "603", limit=2, cursor=cursor)
            seen += [one.title for one in page.items]
            cursor = page.cursor
        assert (seen, cursor) == (["4", "3", "2", "1", "0"], None)

    async def test_they_follow_what_is_on_the_list_and_whether_it_is_public(
        self, store: Store, clock: Watch, ada: User
    ) -> None:
        made = await list_of(store, clock, ada, MATRIX, ALIEN, title="Space", tags=["Old"])
        await tidied(store, clock)
        ctx = asks(store, clock, ada)
        await remove_item(ctx, made.watchlist_id, ALIEN)
        await change_list(ctx, made.watchlist_id, ListChange(tags=["New"]))
        await tidied(store, clock)
        assert await under(store, "MOVIE", ALIEN.content_id) == []
        assert (await under(store, "tag", "old"), await under(store, "tag", "new")) == (
            [],
            ["Space"],
        )
        for is_public in (False, True):
            await change_list(ctx, made.watchlist_id, ListChange(is_public=is_public))
            await tidied(store, clock)
            entries = await everything_of(store.engine, BrowseEntry)
            assert bool(entries) is is_public
            assert len(await everything_of(store.engine, ListFacets)) == int(is_public)

    async def test_a_list_that_has_turned_private_is_hidden_before_its_entries_go(
        self, store: Store, clock: Watch, ada: User
    ) -> None:
        made = await list_of(store, clock, ada, MATRIX)
        await tidied(store, clock)
        await change_list(asks(store, clock, ada), made.watchlist_id, ListChange(is_public=False))
        assert await everything_of(store.engine, BrowseEntry)
        assert await under(store, "MOVIE", "603") == []

    async def test_a_suspended_curators_lists_are_hidden_and_brought_back(
        self, store: Store, clock: Watch, ada: User, root: User
    ) -> None:
        await list_of(store, clock, ada, MATRIX, title="Space")
        await tidied(store, clock)
        for step in ("suspend", "reinstate"):
            clock.forward(1)
            ctx = asks(store, clock, root)
            if step == "suspend":
                await curators.decide(ctx, ada.user_id, "suspend", "Spam.")
            else:
                await curators.decide(ctx, ada.user_id, "reinstate")
            await tidied(store, clock)
            expected = [] if step == "suspend" else ["Space"]
            assert await under(store, "MOVIE", "603") == expected
            assert await under(store, "curator", ada.user_id) == expected
            assert [one.title for one in (await discovery.newest(store)).items] == expected

    async def test_many_are_written_in_several_steps_of_which_each_can_be_the_last(
        self, store: Store, clock: Watch, ada: User, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(facets, "BATCH", 7)
        await stock(store, 40)
        made = await list_of(store, clock, ada, *(stocked(number) for number in range(40)))
        found = await get_contents(store, made.watchlist_id)
        change = facets.facet_change(found, None)
        await store.write(*facets.describing_writes(found.watchlist, change, {}))
        await self._as_kept(store, 7)
        await tidied(store, clock)
        await self._as_kept(store, 40 + 4)

    async def _as_kept(self, store: Store, number: int) -> None:
        """Holds that the entries are exactly those that the list's facets name."""
        (kept,) = await everything_of(store.engine, ListFacets)
        entries = await everything_of(store.engine, BrowseEntry)
        assert sorted(f"{one.facet}#{one.value}" for one in entries) == kept.facets
        assert len(entries) == number

    async def test_a_change_that_is_handled_twice_writes_nothing_more(
        self, store: Store, clock: Watch, ada: User
    ) -> None:
        made = await list_of(store, clock, ada, MATRIX)
        await tidied(store, clock)
        with counting() as count:
            await facets.refresh_facets(store, made.watchlist_id)
        assert count.writes == 0


class TestCards:
    async def test_show_the_first_titles_and_the_chosen_one_before_them(
        self, store: Store, clock: Watch, ada: User
    ) -> None:
        made = await list_of(store, clock, ada, MATRIX, ALIEN, HEAT)
        ctx = asks(store, clock, ada)
        await tidied(store, clock)
        card = await now_of(store, made)
        assert [one.title for one in card.posters] == ["The Matrix", "Alien", "Heat"]
        assert card.genres[0] == "Science Fiction"
        await move_item(ctx, made.watchlist_id, HEAT, Target(place=1))
        await change_list(ctx, made.watchlist_id, ListChange(cover=ALIEN))
        await tidied(store, clock)
        card = await now_of(store, made)
        assert [one.title for one in card.posters] == ["Alien", "Heat", "The Matrix"]


class TestDeletion:
    async def test_takes_everything_along_but_what_followers_dismiss_themselves(
        self, store: Store, clock: Watch, ada: User, ben: User, eve: User
    ) -> None:
        before = await left_of_room(store.engine)
        made = await list_of(store, clock, ada, MATRIX, ALIEN, tags=["Noir"])
        key = await collaborators.create_link(asks(store, clock, ada), made.watchlist_id, "join")
        await collaborators.join(asks(store, clock, eve), made.watchlist_id, key)
        await saves.follow_list(asks(store, clock, ben), made.watchlist_id)
        await add_comment(asks(store, clock, ben), made.watchlist_id, "Fine.")
        await tidied(store, clock)
        await delete_list(asks(store, clock, ada), made.watchlist_id)
        await tidied(store, clock)
        left = await left_of_room(store.engine)
        profiles = {"Profile": 2, "UsernameClaim": 2, "EmailClaim": 2}
        assert {kind: number - before.get(kind, 0) for kind, number in left.items()} == {
            **dict.fromkeys(before, 0),
            **profiles,
            "SavedWatchlist": 1,
            "DaySaves": 1,
        }
        await saves.unfollow_list(asks(store, clock, ben), made.watchlist_id)
        assert await everything_of(store.engine, SavedWatchlist) == []

    async def test_does_nothing_where_the_list_is_there(
        self, store: Store, clock: Watch, ada: User
    ) -> None:
        made = await list_of(store, clock, ada, MATRIX)
        await consumers.clear_deleted_list(
            store, Change(type(made), "remove", made.ref.key, made, None, 0.0, False)
        )
        assert len(await everything_of(store.engine, WatchlistItem)) == 1


class TestCollaborators:
    async def test_the_owner_is_told_who_joined_and_those_who_left_are_not_named(
        self, store: Store, clock: Watch, ada: User, ben: User
    ) -> None:
        made = await list_of(store, clock, ada, MATRIX)
        key = await collaborators.create_link(asks(store, clock, ada), made.watchlist_id, "join")
        await collaborators.join(asks(store, clock, ben), made.watchlist_id, key)
        added = await add_item(asks(store, clock, ben), made.watchlist_id, "MOVIE", "348")
        await tidied(store, clock)
        told = await everything_of(store.engine, Notification)
        assert [one.facts["who"] for one in told if one.kind == "watchlist_joined"] == ["ben"]
        assert (await now_of(store, added)).added_by == ben.user_id
        await collaborators.leave(asks(store, clock, ben), made.watchlist_id)
        await tidied(store, clock)
        assert (await now_of(store, added)).added_by is None

    async def test_who_is_back_before_it_is_followed_is_named_by_what_they_add(
        self, store: Store, clock: Watch, ada: User, ben: User
    ) -> None:
        made = await list_of(store, clock, ada, MATRIX)
        key = await collaborators.create_link(asks(store, clock, ada), made.watchlist_id, "join")
        await collaborators.join(asks(store, clock, ben), made.watchlist_id, key)
        added = await add_item(asks(store, clock, ben), made.watchlist_id, "MOVIE", "348")
        before = await now_of(store, made)
        await collaborators.leave(asks(store, clock, ben), made.watchlist_id)
        left = await now_of(store, made)

        async def come_back() -> None:
            again = await collaborators.create_link(
                asks(store, clock, ada), made.watchlist_id, "join"
            )
            await collaborators.join(asks(store, clock, ben), made.watchlist_id, again)

        interrupted = Meanwhile(store, come_back, before_writing=WatchlistItem)
        change = Change(type(made), "modify", made.ref.key, before, left, clock(), by_ttl=False)
        await consumers.follow_collaborators(interrupted, change)
        assert (await now_of(store, added)).added_by == ben.user_id


async def test_a_copy_that_was_interrupted_goes_on_by_itself(
    store: Store, clock: Watch, ada: User, ben: User
) -> None:
    made = await list_of(store, clock, ada, MATRIX, ALIEN)
    copy = await copy_list(asks(store, clock, ben), made.watchlist_id)
    await remove_item(asks(store, clock, ben), copy.watchlist_id, MATRIX)
    await store.write(update(copy.ref, is_being_copied=True))
    clock.forward(61)
    await tidied(store, clock)
    done = await now_of(store, copy)
    assert (done.item_count, done.is_being_copied) == (2, False)
