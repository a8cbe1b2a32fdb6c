"""Collections: one name each, ignoring case and accents, and items that outlive them."""

from __future__ import annotations

import asyncio

import pytest

from commonroom.accounts.context import Context
from commonroom.accounts.tables import User
from commonroom.errors import Conflict, InvalidField, NotFound, PreconditionFailed
from commonroom.library.service.access import readable_library
from commonroom.library.service.collections import (
    change_collection,
    create_collection,
    delete_collection,
    find_or_create_collection,
    list_collections,
    see_members,
)
from commonroom.library.service.libraries import delete_library, share
from commonroom.library.tables import Collection, CollectionName, Library
from commonroom.store import Store, counting, delete
from tests.accounts.people import Meanwhile, Watch
from tests.library.bookcase import (
    book_of,
    check_bookcases,
    collection_of,
    drift,
    left_of_room,
    library_of,
    now_of,
    somebody,
    tidied,
    video_of,
)


class TestMaking:
    async def test_gives_an_empty_collection(
        self, store: Store, clock: Watch, ada: User, home: Library
    ) -> None:
        made = await create_collection(
            Context(store, ada, clock()), home.library_id, name=" Amber ", description="Ten books"
        )
        assert await now_of(store, made) == made
        assert (made.name, made.description, made.item_count) == ("Amber", "Ten books", 0)

    @pytest.mark.parametrize("same", ["Été", "ete", " ÉTÉ ", "e\u0301te\u0301"])
    async def test_is_refused_where_the_name_is_taken_ignoring_case_and_accents(
        self, store: Store, clock: Watch, ada: User, home: Library, same: str
    ) -> None:
        await collection_of(store, clock, ada, home, "Été")
        with pytest.raises(Conflict, match="“Été”"):
            await collection_of(store, clock, ada, home, same)
        assert await left_of_room(store.engine) == {
            "Library": 1,
            "Collection": 1,
            "CollectionName": 1,
        }

    async def test_takes_a_name_that_another_library_has(
        self, store: Store, clock: Watch, ada: User, home: Library
    ) -> None:
        other = await library_of(store, clock, ada, "Other")
        await collection_of(store, clock, ada, home, "Amber")
        await collection_of(store, clock, ada, other, "Amber")

    async def test_takes_a_name_of_1_to_100_characters_and_a_description_of_500(
        self, store: Store, clock: Watch, ada: User, home: Library
    ) -> None:
        with pytest.raises(InvalidField, match="at most 100"):
            await collection_of(store, clock, ada, home, "x" * 101)
        with pytest.raises(InvalidField, match="at most 500"):
            await create_collection(
                Context(store, ada, clock()), home.library_id, name="x", description="x" * 501
            )

    async def test_in_a_library_that_is_deleted_in_that_moment_is_refused(
        self, store: Store, clock: Watch, ada: User, home: Library
    ) -> None:
        gone = Meanwhile(
            store,
            lambda: delete_library(Context(store, ada), home.library_id),
            before_writing=Collection,
        )
        with pytest.raises(NotFound):
            await create_collection(Context(gone, ada, clock()), home.library_id, name="Amber")
        assert await left_of_room(store.engine) == {}

    async def test_in_somebody_elses_library_is_refused(
        self, store: Store, clock: Watch, eve: User, home: Library
    ) -> None:
        with pytest.raises(NotFound):
            await collection_of(store, clock, eve, home, "Mine")


class TestRenaming:
    async def test_frees_the_old_name_and_takes_the_new_one(
        self, store: Store, clock: Watch, ada: User, home: Library
    ) -> None:
        amber = await collection_of(store, clock, ada, home, "Amber")
        await change_collection(
            Context(store, ada, clock()), home.library_id, amber.collection_id, name="Ambre"
        )

        await collection_of(store, clock, ada, home, "amber")
        with pytest.raises(Conflict):
            await collection_of(store, clock, ada, home, "AMBRE")
        await check_bookcases(store.engine)

    async def test_to_another_way_of_writing_the_same_is_possible(
        self, store: Store, clock: Watch, ada: User, home: Library
    ) -> None:
        amber = await collection_of(store, clock, ada, home, "amber")
        changed = await change_collection(
            Context(store, ada, clock()), home.library_id, amber.collection_id, name="Ámber"
        )
        assert (await now_of(store, amber)).name == changed.name == "Ámber"
        await check_bookcases(store.engine)

    async def test_to_anothers_name_is_refused(
        self, store: Store, clock: Watch, ada: User, home: Library
    ) -> None:
        await collection_of(store, clock, ada, home, "Amber")
        other = await collection_of(store, clock, ada, home, "Other")
        with pytest.raises(Conflict, match="“Amber”"):
            await change_collection(
                Context(store, ada, clock()), home.library_id, other.collection_id, name="AMBER"
            )

    async def test_reaches_its_items_which_stay_behind_it(
        self, store: Store, clock: Watch, ada: User, home: Library
    ) -> None:
        amber = await collection_of(store, clock, ada, home, "Amber")
        nine = await book_of(store, clock, ada, home, "Nine", collection_id=amber.collection_id)
        film = await video_of(store, clock, ada, home, "Film", collection_id=amber.collection_id)

        await change_collection(
            Context(store, ada, clock()), home.library_id, amber.collection_id, name="Zelazny"
        )
        await tidied(store, clock)

        assert (await now_of(store, nine)).to_item()["GSI1SK"] == "item#zelazny#00001#nine"
        assert (await now_of(store, film)).collection_name == "Zelazny"
        assert await drift(store) == []

    async def test_works_where_data_from_elsewhere_has_no_claim_to_the_name(
        self, store: Store, clock: Watch, ada: User, home: Library
    ) -> None:
        amber = await collection_of(store, clock, ada, home, "Amber")
        key = {"owner_id": home.owner_id, "library_id": home.library_id}
        await store.write(delete(CollectionName.at(**key, name="Amber")))

        await change_collection(
            Context(store, ada, clock()), home.library_id, amber.collection_id, name="Ambre"
        )
        await check_bookcases(store.engine)

    async def test_is_refused_where_it_has_changed_since_somebody_looked(
        self, store: Store, clock: Watch, ada: User, home: Library
    ) -> None:
        amber = await collection_of(store, clock, ada, home, "Amber")
        with pytest.raises(PreconditionFailed):
            await change_collection(
                Context(store, ada, clock()),
                home.library_id,
                amber.collection_id,
                description="New",
                version=7,
            )


class TestDeleting:
    async def test_leaves_the_items_each_by_itself(
        self, store: Store, clock: Watch, ada: User, home: Library
    ) -> None:
        amber = await collection_of(store, clock, ada, home, "Amber")
        nine = await book_of(store, clock, ada, home, "Nine", collection_id=amber.collection_id)
        alone = await book_of(store, clock, ada, home, "Alone")

        await delete_collection(Context(store, ada), home.library_id, amber.collection_id)
        await tidied(store, clock)

        after = await now_of(store, nine)
        assert (after.collection_id, after.collection_name, after.order) == (None, None, None)
        item = after.to_item()
        assert item["GSI1SK"] == "item#nine"
        assert not {"CollectionId", "CollectionName", "Order"} & item.keys()
        assert await now_of(store, alone) == alone
        assert (await now_of(store, home)).total_items == 2
        await check_bookcases(store.engine)

    async def test_frees_the_name(
        self, store: Store, clock: Watch, ada: User, home: Library
    ) -> None:
        amber = await collection_of(store, clock, ada, home, "Amber")
        await delete_collection(Context(store, ada), home.library_id, amber.collection_id)
        again = await collection_of(store, clock, ada, home, "Amber")
        await tidied(store, clock)
        assert await now_of(store, again) == again

    async def test_of_a_name_that_changes_in_that_moment_frees_the_new_one(
        self, store: Store, clock: Watch, ada: User, home: Library
    ) -> None:
        amber = await collection_of(store, clock, ada, home, "Amber")
        renamed = Meanwhile(
            store,
            lambda: change_collection(
                Context(store, ada, clock()), home.library_id, amber.collection_id, name="Ambre"
            ),
            before_writing=Collection,
        )
        await delete_collection(Context(renamed, ada), home.library_id, amber.collection_id)
        assert await left_of_room(store.engine) == {"Library": 1}

    async def test_of_what_is_not_there_is_refused(
        self, store: Store, ada: User, home: Library
    ) -> None:
        for collection_id in ("nowhere", "#", ""):
            with pytest.raises(NotFound):
                await delete_collection(Context(store, ada), home.library_id, collection_id)


async def test_recipients_see_collections_and_strangers_do_not(
    store: Store, clock: Watch, ada: User, home: Library
) -> None:
    ben, eve = [await somebody(store, clock, name) for name in ("Ben", "Eve")]
    amber = await collection_of(store, clock, ada, home, "Amber")
    await share(Context(store, ada, clock()), home.library_id, "ben@example.org")

    for person in (ada, ben):
        access = await readable_library(Context(store, person), home.library_id)
        assert (await list_collections(store, access.library)).items == [amber]
    with pytest.raises(NotFound):
        await readable_library(Context(store, eve), home.library_id)


async def test_members_stand_in_order(store: Store, clock: Watch, ada: User, home: Library) -> None:
    made = await collection_of(store, clock, ada, home, "Earthsea")
    await collection_of(store, clock, ada, home, "Earthsea tales")
    for title, order in (("Shore", 3), ("Wizard", 1), ("Tombs", 2)):
        given = {"collection_id": made.collection_id, "order": order}
        await book_of(store, clock, ada, home, title, **given)
    reach = await readable_library(Context(store, ada), home.library_id)
    with counting() as tally:
        seen = await see_members(store, reach, made.collection_id)
    assert tally.requests == 2
    assert [one.title for one in seen.items] == ["Wizard", "Tombs", "Shore"]
    with pytest.raises(NotFound):
        await see_members(store, reach, "NOSUCH")


async def test_members_of_one_that_took_the_name_of_another_are_its_own(
    store: Store, clock: Watch, ada: User, home: Library
) -> None:
    old = await collection_of(store, clock, ada, home, "Series")
    new = await collection_of(store, clock, ada, home, "Other")
    await book_of(store, clock, ada, home, "Mine", collection_id=old.collection_id)
    ctx = Context(store, ada, clock())
    await change_collection(ctx, home.library_id, old.collection_id, name="Former")
    await change_collection(ctx, home.library_id, new.collection_id, name="Series")
    reach = await readable_library(Context(store, ada), home.library_id)
    assert (await see_members(store, reach, new.collection_id)).items == []
    await tidied(store, clock)
    (mine,) = (await see_members(store, reach, old.collection_id)).items
    assert mine.title == "Mine"


async def test_all_of_them_are_in_alphabetical_order(
    store: Store, clock: Watch, ada: User, home: Library
) -> None:
    for name in ("zoo", "Élan", "Emma"):
        await collection_of(store, clock, ada, home, name)
    reach = await readable_library(Context(store, ada), home.library_id)
    found = await list_collections(store, reach.library)
    assert [one.name for one in found.items] == ["Élan", "Emma", "zoo"]
    assert found.cursor is None


async def test_one_is_found_however_its_name_is_typed(
    store: Store, clock: Watch, ada: User, home: Library
) -> None:
    made = await collection_of(store, clock, ada, home, "Astérix")
    for typed in ("Astérix", "asterix", " ASTERIX "):
        with counting() as tally:
            found = await find_or_create_collection(
                Context(store, ada, clock()), home.library_id, typed
            )
        assert (found, tally.requests) == (made.collection_id, 2)


async def test_one_that_is_not_there_is_made_once(
    store: Store, clock: Watch, ada: User, home: Library
) -> None:
    found = await asyncio.gather(
        *(
            find_or_create_collection(Context(store, ada, clock()), home.library_id, "Moomins")
            for _ in range(8)
        )
    )
    assert len(set(found)) == 1
    assert [one.name for one in (await list_collections(store, home)).items] == ["Moomins"]


async def test_a_name_must_fit_and_the_library_be_ones_own(
    store: Store, clock: Watch, ada: User, eve: User, home: Library
) -> None:
    with pytest.raises(InvalidField):
        await find_or_create_collection(Context(store, ada, clock()), home.library_id, "x" * 101)
    with pytest.raises(NotFound):
        await find_or_create_collection(Context(store, eve, clock()), home.library_id, "Moomins")
    assert [one.name for one in (await list_collections(store, home)).items] == []


async def test_names_are_in_alphabetical_order(
    store: Store, clock: Watch, ada: User, home: Library
) -> None:
    for name in ("zoo", "Élan", "Emma", "Alps"):
        await collection_of(store, clock, ada, home, name)
    assert [one.name for one in (await list_collections(store, home)).items] == [
        "Alps",
        "Élan",
        "Emma",
        "zoo",
    ]
