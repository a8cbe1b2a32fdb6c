"""Search across everything that somebody owns or is shared."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import Any

import pytest

from commonroom.accounts.context import Context
from commonroom.accounts.tables import User
from commonroom.errors import InvalidField
from commonroom.library.service.collections import change_collection, delete_collection
from commonroom.library.service.items import change_item, delete_item
from commonroom.library.service.libraries import (
    change_library,
    delete_library,
    leave,
    share,
    unshare,
)
from commonroom.library.service.loans import lend
from commonroom.library.service.moves import move_item
from commonroom.library.service.search import SearchPage, search
from commonroom.library.service.search_cache import MAX_SECONDS, SearchCache
from commonroom.library.tables import Book, Library, SharedLibrary, Video
from commonroom.store import Store, counting, update
from commonroom.store.errors import BadCursor
from tests.accounts.people import Watch
from tests.library.bookcase import book_of, collection_of, library_of, video_of


@dataclass
class Room:
    """A store, its clock, and what a process remembers."""

    store: Store
    clock: Watch
    memory: SearchCache

    async def book(self, person: User, library: Library, title: str, **given: Any) -> Book:
        return await book_of(self.store, self.clock, person, library, title, **given)

    async def share(self, person: User, library: Library, to: User) -> SharedLibrary:
        return await share(
            Context(self.store, person, self.clock()), library.library_id, to.email or ""
        )

    async def change(self, person: User, item: Book | Video, **given: Any) -> None:
        place = (item.library_id, item.item_id)
        await change_item(Context(self.store, person, self.clock()), *place, given=given)

    async def search(self, person: User, text: str, **more: Any) -> SearchPage:
        return await search(Context(self.store, person), self.memory, text, **more)

    async def finds(self, person: User, text: str, **more: Any) -> list[str]:
        """The titles that somebody finds, the best first."""
        return [one.item.title for one in (await self.search(person, text, **more)).hits]


@pytest.fixture
def room(store: Store, clock: Watch) -> Room:
    """The library, in which nobody has searched yet."""
    return Room(store, clock, SearchCache(clock=clock))


class TestReach:
    async def test_covers_all_of_ones_own_libraries_and_those_that_are_shared(
        self, room: Room, ada: User, ben: User, home: Library
    ) -> None:
        attic = await library_of(room.store, room.clock, ada, "Attic")
        bens = await library_of(room.store, room.clock, ben, "Ben’s")
        await room.book(ada, home, "Winter at home")
        await video_of(room.store, room.clock, ada, attic, "Winter in the attic")
        await room.book(ben, bens, "Winter at Ben’s")
        await room.share(ben, bens, ada)
        found = await room.search(ada, "winter")
        assert [(one.item.title, one.library_name, one.is_owner) for one in found.hits] == [
            ("Winter at Ben’s", "Ben’s", False),
            ("Winter at home", "Home", True),
            ("Winter in the attic", "Attic", True),
        ]
        assert {one.library_id for one in found.hits} == {
            one.library_id for one in (home, attic, bens)
        }

    async def test_finds_by_tag_publisher_and_translator_but_not_by_what_is_private(
        self, room: Room, ada: User, ben: User, home: Library
    ) -> None:
        await room.book(
            ada,
            home,
            "Friend",
            tags=["naples"],
            publisher="Europa",
            contributors=["Ann Goldstein (Translator)"],
            review="Marvellous",
        )
        await room.share(ada, home, ben)
        for person in (ada, ben):
            for words in ("naples", "europa", "goldstein", "naples goldstien"):
                assert await room.finds(person, words) == ["Friend"], words
            assert await room.finds(person, "marvellous") == []

    async def test_leaves_strangers_with_nothing(
        self, room: Room, ada: User, eve: User, home: Library
    ) -> None:
        await room.book(ada, home, "Emma")
        assert await room.finds(ada, "emma") == ["Emma"]
        assert await room.finds(eve, "emma") == []

    async def test_shows_only_the_shared_one_of_somebodys_libraries(
        self, room: Room, ada: User, ben: User, home: Library
    ) -> None:
        attic = await library_of(room.store, room.clock, ada, "Attic")
        await room.book(ada, home, "Emma")
        await room.book(ada, attic, "Emma’s secret")
        await room.share(ada, home, ben)
        assert await room.finds(ben, "emma") == ["Emma"]
        assert await room.finds(ada, "emma") == ["Emma", "Emma’s secret"]
        assert await room.finds(ben, "emma") == ["Emma"]

    async def test_keeps_borrowers_to_the_owner(
        self, room: Room, ada: User, ben: User, home: Library
    ) -> None:
        emma = await room.book(ada, home, "Emma")
        await room.share(ada, home, ben)
        await lend(
            Context(room.store, ada, room.clock()),
            home.library_id,
            emma.item_id,
            to="Tom",
            due="2290-01-01",
            past_due=True,
        )
        (mine,) = (await room.search(ada, "emma")).hits
        (theirs,) = (await room.search(ben, "emma")).hits
        assert (mine.item.lent_to, theirs.item.lent_to) == ("Tom", None)
        assert theirs.item.due_date is None
        assert await room.finds(ben, "tom") == await room.finds(ada, "tom") == []

    @pytest.mark.parametrize("by", ["owner", "recipient"])
    async def test_ends_with_the_share(
        self, room: Room, ada: User, ben: User, home: Library, by: str
    ) -> None:
        await room.book(ada, home, "Emma")
        pointer = await room.share(ada, home, ben)
        assert await room.finds(ben, "emma") == ["Emma"]
        if by == "owner":
            await unshare(
                Context(room.store, ada, room.clock()), home.library_id, pointer.shared_to_id
            )
        else:
            await leave(Context(room.store, ben, room.clock()), home.library_id)
        assert await room.finds(ben, "emma") == []

    async def test_does_not_trust_a_pointer_alone(
        self, room: Room, ada: User, ben: User, home: Library
    ) -> None:
        await room.book(ada, home, "Emma")
        await room.share(ada, home, ben)
        await room.store.write(update(home.ref, shared_to_ids=[]))
        assert await room.finds(ben, "emma") == []


class TestFreshness:
    """Each is searched for before and after, so that there is something to remember."""

    async def test_what_was_just_added_is_found(self, room: Room, ada: User, home: Library) -> None:
        assert await room.finds(ada, "emma") == []
        await room.book(ada, home, "Emma")
        assert await room.finds(ada, "emma") == ["Emma"]

    async def test_another_process_finds_it_too(self, room: Room, ada: User, home: Library) -> None:
        elsewhere = SearchCache(clock=room.clock)
        assert (await search(Context(room.store, ada), elsewhere, "emma")).hits == []
        await room.book(ada, home, "Emma")
        assert await room.finds(ada, "emma") == ["Emma"]
        assert len((await search(Context(room.store, ada), elsewhere, "emma")).hits) == 1

    async def test_what_was_changed_is_found_by_what_is_new(
        self, room: Room, ada: User, home: Library
    ) -> None:
        emma = await room.book(ada, home, "Emma", authors=["Somebody"])
        assert await room.finds(ada, "emma somebody") == ["Emma"]
        await room.change(ada, emma, title="Persuasion")
        assert await room.finds(ada, "persuasion somebody") == ["Persuasion"]
        assert await room.finds(ada, "emma") == []
        await room.change(ada, emma, authors=["Jane Austen"])
        assert await room.finds(ada, "persuasion austen") == ["Persuasion"]
        assert await room.finds(ada, "somebody") == []

    async def test_people_of_a_film_are_found(self, room: Room, ada: User, home: Library) -> None:
        film = await video_of(
            room.store,
            room.clock,
            ada,
            home,
            "Alien",
            directors=["Ridley Scott"],
            cast=["Sigourney Weaver"],
        )
        assert await room.finds(ada, "ridley weaver") == ["Alien"]
        await room.change(ada, film, cast=["Tom Skerritt"])
        assert await room.finds(ada, "weaver") == []
        assert await room.finds(ada, "skerritt") == ["Alien"]

    async def test_what_was_deleted_is_gone(self, room: Room, ada: User, home: Library) -> None:
        emma = await room.book(ada, home, "Emma")
        assert await room.finds(ada, "emma") == ["Emma"]
        await delete_item(Context(room.store, ada, room.clock()), home.library_id, emma.item_id)
        assert await room.finds(ada, "emma") == []

    async def test_what_was_moved_is_where_it_is(
        self, room: Room, ada: User, home: Library
    ) -> None:
        attic = await library_of(room.store, room.clock, ada, "Attic")
        emma = await room.book(ada, home, "Emma")
        assert len((await room.search(ada, "emma")).hits) == 1
        await move_item(
            Context(room.store, ada, room.clock()),
            home.library_id,
            emma.item_id,
            to=attic.library_id,
        )
        (hit,) = (await room.search(ada, "emma")).hits
        assert (hit.library_id, hit.library_name) == (attic.library_id, "Attic")

    async def test_a_collection_is_found_by_its_new_name_before_its_items_have_it(
        self, room: Room, ada: User, home: Library
    ) -> None:
        made = await collection_of(room.store, room.clock, ada, home, "Asterix")
        await room.book(ada, home, "The Gaul", collection_id=made.collection_id)
        assert await room.finds(ada, "asterix") == ["The Gaul"]
        await change_collection(
            Context(room.store, ada, room.clock()),
            home.library_id,
            made.collection_id,
            name="Obelix",
        )
        assert await room.finds(ada, "obelix") == ["The Gaul"]
        assert await room.finds(ada, "asterix") == []
        await delete_collection(Context(room.store, ada), home.library_id, made.collection_id)
        assert await room.finds(ada, "obelix") == []
        assert await room.finds(ada, "gaul") == ["The Gaul"]

    async def test_an_item_is_found_by_the_collection_it_was_put_into(
        self, room: Room, ada: User, home: Library
    ) -> None:
        made = await collection_of(room.store, room.clock, ada, home, "Asterix")
        gaul = await room.book(ada, home, "The Gaul")
        assert await room.finds(ada, "asterix") == []
        await room.change(ada, gaul, collection_id=made.collection_id)
        assert await room.finds(ada, "asterix") == ["The Gaul"]

    async def test_a_library_has_its_name_and_is_gone_when_it_is_deleted(
        self, room: Room, ada: User, home: Library
    ) -> None:
        await room.book(ada, home, "Emma")
        await change_library(
            Context(room.store, ada, room.clock()), home.library_id, name="Shelves"
        )
        (hit,) = (await room.search(ada, "emma")).hits
        assert hit.library_name == "Shelves"
        await delete_library(Context(room.store, ada), home.library_id)
        assert (await room.search(ada, "emma")).hits == []

    async def test_what_no_mark_tells_is_noticed_after_a_while(
        self, room: Room, ada: User, home: Library
    ) -> None:
        emma = await room.book(ada, home, "Emma")
        assert await room.finds(ada, "persuasion") == []
        await room.store.write(update(emma, title="Persuasion"))
        room.clock.forward(MAX_SECONDS)
        assert await room.finds(ada, "persuasion") == ["Persuasion"]


class TestPages:
    async def test_have_everything_once_in_order(
        self, room: Room, ada: User, home: Library
    ) -> None:
        attic = await library_of(room.store, room.clock, ada, "Attic")
        for number in range(13):
            into = (home, attic)[number % 2]
            await room.book(ada, into, f"Winter {number:02}")
        seen: list[str] = []
        cursor: str | None = None
        for limit in (4, 1, 4, 4):
            found = await room.search(ada, "winter", limit=limit, cursor=cursor)
            assert len(found.hits) == limit
            seen += [one.item.title for one in found.hits]
            cursor = found.cursor
        assert cursor is None
        assert seen == [f"Winter {number:02}" for number in range(13)]

    async def test_go_on_behind_what_was_shown_whatever_came_before_it_meanwhile(
        self, room: Room, ada: User, home: Library
    ) -> None:
        for title in ("Winter B", "Winter C", "Winter D"):
            await room.book(ada, home, title)
        first = await room.search(ada, "winter", limit=2)
        await room.book(ada, home, "Winter A")
        rest = await room.search(ada, "winter", limit=2, cursor=first.cursor)
        assert [one.item.title for one in rest.hits] == ["Winter D"]
        assert rest.cursor is None

    async def test_have_ten_or_as_many_as_are_wanted_up_to_50(
        self, room: Room, ada: User, home: Library
    ) -> None:
        for number in range(12):
            await room.book(ada, home, f"Winter {number}")
        assert len(await room.finds(ada, "winter")) == 10
        assert len(await room.finds(ada, "winter", limit=50)) == 12
        for limit in (0, 51):
            with pytest.raises(InvalidField):
                await room.finds(ada, "winter", limit=limit)

    @pytest.mark.parametrize("cursor", ["", "x", "nonsense", "éé", "gqEx", "A" * 5000])
    async def test_refuse_a_cursor_that_is_none(
        self, room: Room, ada: User, home: Library, cursor: str
    ) -> None:
        with pytest.raises(BadCursor):
            await room.finds(ada, "winter", cursor=cursor)

    async def test_refuse_a_cursor_of_another_search(
        self, room: Room, ada: User, home: Library
    ) -> None:
        for number in range(2):
            await room.book(ada, home, f"Winter {number}")
        found = await room.search(ada, "winter", limit=1)
        again = await room.search(ada, " Wínter", limit=1, cursor=found.cursor)
        assert len(again.hits) == 1, "the same words are the same search"
        with pytest.raises(BadCursor):
            await room.search(ada, "summer", cursor=found.cursor)

    async def test_are_empty_where_nothing_is_asked_for(self, room: Room, ada: User) -> None:
        assert await room.finds(ada, " ") == []


class TestRequests:
    async def test_are_four_where_titles_are_remembered(
        self, room: Room, ada: User, ben: User, home: Library
    ) -> None:
        attic = await library_of(room.store, room.clock, ada, "Attic")
        bens = await library_of(room.store, room.clock, ben)
        for person, library in ((ada, home), (ada, attic), (ben, bens)):
            await room.book(person, library, "Emma")
        await room.share(ben, bens, ada)
        with counting() as cold:
            assert len((await room.search(ada, "emma")).hits) == 3
        # Of each owner the titles, and of each library the collections.
        assert cold.requests == 4 + 2 + 3
        with counting() as warm:
            await room.search(ada, "emma")
        assert warm.requests == 4

    async def test_stay_four_where_something_was_lent_or_shared(
        self, room: Room, ada: User, ben: User, home: Library
    ) -> None:
        emma = await room.book(ada, home, "Emma")
        await room.search(ada, "emma")
        await lend(Context(room.store, ada, room.clock()), home.library_id, emma.item_id, to="Tom")
        await room.change(ada, emma, summary="Matches are made.")
        await room.share(ada, home, ben)
        with counting() as warm:
            assert len((await room.search(ada, "emma")).hits) == 1
        assert warm.requests == 4

    async def test_for_titles_are_made_once_by_all_who_search_at_the_same_time(
        self, room: Room, ada: User, home: Library
    ) -> None:
        await room.book(ada, home, "Emma")
        with counting() as several:
            found = await asyncio.gather(*(room.search(ada, "emma") for _ in range(5)))
        assert [len(one.hits) for one in found] == [1] * 5
        assert several.requests == 5 * 4 + 2
