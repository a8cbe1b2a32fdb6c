"""Libraries: made, changed, deleted, and nobody else's."""

from __future__ import annotations

from typing import Any

import pytest

from commonroom.accounts.context import Context
from commonroom.accounts.tables import User
from commonroom.errors import (
    Conflict,
    InvalidField,
    NeedsConfirmation,
    NotFound,
    PreconditionFailed,
)
from commonroom.library.rules.names import MAX_SHARES
from commonroom.library.service.access import own_library, readable_library
from commonroom.library.service.libraries import (
    change_library,
    create_library,
    delete_library,
    leave,
    my_libraries,
    share,
    shared_with_me,
    unshare,
)
from commonroom.library.service.loans import lend, return_item
from commonroom.library.tables import Library, SharedLibrary, owner_id_of
from commonroom.store import Store, counting, create, delete, update
from tests.accounts.people import Meanwhile, Watch
from tests.library.bookcase import (
    ISBN,
    book_of,
    check_bookcases,
    collection_of,
    drift,
    left_of_room,
    library_of,
    now_of,
    somebody,
    tidied,
)


class TestMaking:
    async def test_gives_an_empty_library_of_ones_own(
        self, store: Store, clock: Watch, ada: User
    ) -> None:
        made = await create_library(
            Context(store, ada, clock()), name="  Living   room ", description="By the sofa"
        )

        assert await now_of(store, made) == made
        assert (made.library_name, made.description) == ("Living room", "By the sofa")
        assert (made.total_items, made.shared_to, made.owner_name) == (0, [], "Ada")
        assert made.owner_id == owner_id_of(ada.user_id)
        assert made.library_id == made.library_id.upper()
        assert "-" not in made.library_id

    async def test_takes_a_name_of_1_to_20_characters_and_a_description_of_100(
        self, store: Store, clock: Watch, ada: User
    ) -> None:
        with pytest.raises(InvalidField, match="at most 20"):
            await create_library(Context(store, ada, clock()), name="x" * 21)
        with pytest.raises(InvalidField, match="at most 100"):
            await create_library(Context(store, ada, clock()), name="x", description="x" * 101)

    async def test_takes_the_name_that_the_owner_has_in_that_moment(
        self, store: Store, clock: Watch, ada: User
    ) -> None:
        renamed = Meanwhile(
            store,
            lambda: store.write(update(ada.ref, display_name="Adele")),
            before_writing=Library,
        )
        made = await create_library(Context(renamed, ada, clock()), name="Home")
        assert made.owner_name == "Adele"

    async def test_leaves_nothing_behind_for_whoever_is_deleted_in_that_moment(
        self, store: Store, clock: Watch, ada: User
    ) -> None:
        gone = Meanwhile(store, lambda: store.write(delete(ada)), before_writing=Library)
        with pytest.raises(NotFound):
            await create_library(Context(gone, ada, clock()), name="Home")
        assert await left_of_room(store.engine) == {}


class TestChanging:
    async def test_changes_what_is_given(
        self, store: Store, clock: Watch, ada: User, home: Library
    ) -> None:
        await change_library(Context(store, ada, clock()), home.library_id, description="Ours")
        changed = await change_library(Context(store, ada, clock()), home.library_id, name="House")

        assert (changed.library_name, changed.description) == ("House", "Ours")
        assert await now_of(store, home) == changed
        await change_library(Context(store, ada, clock()), home.library_id, description="")
        assert (await now_of(store, home)).description is None

    async def test_brings_a_new_name_to_recipients_at_once_and_to_items_after_a_moment(
        self, store: Store, clock: Watch, ada: User, ben: User, home: Library
    ) -> None:
        book = await book_of(store, clock, ada, home, "Angelo")
        pointer = await share(Context(store, ada, clock()), home.library_id, "ben@example.org")

        await change_library(Context(store, ada, clock()), home.library_id, name="House")

        assert (await now_of(store, pointer)).library_name == "House"
        await tidied(store, clock)
        assert (await now_of(store, book)).library_name == "House"
        assert await drift(store) == []

    async def test_is_refused_where_it_has_changed_since_somebody_looked(
        self, store: Store, clock: Watch, ada: User, home: Library
    ) -> None:
        await change_library(Context(store, ada, clock()), home.library_id, name="House", version=1)
        with pytest.raises(PreconditionFailed):
            await change_library(
                Context(store, ada, clock()), home.library_id, name="Flat", version=1
            )


class TestDeleting:
    async def test_takes_everything_in_it_along_and_nothing_of_others(
        self, store: Store, clock: Watch, ada: User, home: Library
    ) -> None:
        other = await library_of(store, clock, ada, "Other")
        for library in (home, other):
            foo = await collection_of(store, clock, ada, library, "Foo")
            book = await book_of(
                store, clock, ada, library, "B", isbn=ISBN, collection_id=foo.collection_id
            )
            await lend(Context(store, ada, clock()), library.library_id, book.item_id, to="Ben")
            await return_item(Context(store, ada, clock()), library.library_id, book.item_id)

        await delete_library(Context(store, ada), home.library_id)
        await tidied(store, clock)

        assert await left_of_room(store.engine) == {
            "Library": 1,
            "Collection": 1,
            "CollectionName": 1,
            "Book": 1,
            "ItemCode": 1,
            "LoanEvent": 2,
        }
        await check_bookcases(store.engine)

    async def test_is_refused_while_something_is_lent_unless_it_is_confirmed(
        self, store: Store, clock: Watch, ada: User, ben: User, home: Library
    ) -> None:
        book = await book_of(store, clock, ada, home, "Angelo")
        await lend(
            Context(store, ada, clock()),
            home.library_id,
            book.item_id,
            to="Ben",
            email="ben@example.org",
        )
        with pytest.raises(NeedsConfirmation, match="lent"):
            await delete_library(Context(store, ada), home.library_id)

        await delete_library(Context(store, ada), home.library_id, force=True)
        await tidied(store, clock)

        assert await left_of_room(store.engine) == {}

    async def test_is_refused_while_it_is_shared_unless_it_is_confirmed(
        self, store: Store, clock: Watch, ada: User, ben: User, home: Library
    ) -> None:
        await share(Context(store, ada, clock()), home.library_id, "ben@example.org")
        with pytest.raises(NeedsConfirmation, match="shared"):
            await delete_library(Context(store, ada), home.library_id)

        await delete_library(Context(store, ada), home.library_id, force=True)
        await tidied(store, clock)

        assert await left_of_room(store.engine) == {}

    async def test_is_possible_again_when_all_is_back_and_nobody_is_shared_with(
        self, store: Store, clock: Watch, ada: User, ben: User, home: Library
    ) -> None:
        book = await book_of(store, clock, ada, home, "Angelo")
        await lend(Context(store, ada, clock()), home.library_id, book.item_id, to="Ben")
        await return_item(Context(store, ada, clock()), home.library_id, book.item_id)
        await share(Context(store, ada, clock()), home.library_id, "ben@example.org")
        await unshare(Context(store, ada, clock()), home.library_id, owner_id_of(ben.user_id))

        await delete_library(Context(store, ada), home.library_id)

    async def test_is_refused_where_it_is_shared_in_that_very_moment(
        self, store: Store, clock: Watch, ada: User, ben: User, home: Library
    ) -> None:
        shared = Meanwhile(
            store,
            lambda: share(Context(store, ada, clock()), home.library_id, "ben@example.org"),
            before_writing=Library,
        )
        with pytest.raises(NeedsConfirmation, match="shared"):
            await delete_library(Context(shared, ada), home.library_id)

    async def test_is_refused_where_something_is_lent_in_that_very_moment(
        self, store: Store, clock: Watch, ada: User, home: Library
    ) -> None:
        book = await book_of(store, clock, ada, home, "Angelo")
        lent = Meanwhile(
            store,
            lambda: lend(Context(store, ada, clock()), home.library_id, book.item_id, to="Ben"),
            before_writing=Library,
        )
        with pytest.raises(NeedsConfirmation, match="lent"):
            await delete_library(Context(lent, ada), home.library_id)


class TestReach:
    async def test_of_strangers_ends_at_the_door(
        self, store: Store, clock: Watch, eve: User, home: Library
    ) -> None:
        for asked in (own_library, readable_library):
            with pytest.raises(NotFound):
                await asked(Context(store, eve), home.library_id)
        with pytest.raises(NotFound):
            await change_library(Context(store, eve, clock()), home.library_id, name="Mine")
        with pytest.raises(NotFound):
            await delete_library(Context(store, eve), home.library_id, force=True)

    @pytest.mark.parametrize("library_id", ["", "#", "x" * 101, "a\nb", "L#item#I"])
    async def test_of_what_can_be_no_id_is_nowhere(
        self, store: Store, ada: User, home: Library, library_id: str
    ) -> None:
        for asked in (own_library, readable_library):
            with pytest.raises(NotFound):
                await asked(Context(store, ada), library_id)

    async def test_of_a_recipient_is_looking(
        self, store: Store, clock: Watch, ada: User, ben: User, home: Library
    ) -> None:
        await share(Context(store, ada, clock()), home.library_id, "ben@example.org")

        reach = await readable_library(Context(store, ben), home.library_id)

        assert (reach.library.library_id, reach.is_owner) == (home.library_id, False)
        with pytest.raises(NotFound):
            await own_library(Context(store, ben), home.library_id)

    async def test_ends_in_the_middle_of_looking_when_the_share_does(
        self, store: Store, clock: Watch, ada: User, ben: User, home: Library
    ) -> None:
        await share(Context(store, ada, clock()), home.library_id, "ben@example.org")

        class Unsharing(Store):
            async def batch_get(self, refs: Any) -> Any:
                found = await super().batch_get(refs)
                await unshare(
                    Context(store, ada, clock()), home.library_id, owner_id_of(ben.user_id)
                )
                return found

        with pytest.raises(NotFound):
            await readable_library(Context(Unsharing(store.engine), ben), home.library_id)

    async def test_is_not_given_by_a_pointer_that_the_library_knows_nothing_of(
        self, store: Store, clock: Watch, ada: User, ben: User, home: Library
    ) -> None:
        pointer = await share(Context(store, ada, clock()), home.library_id, "ben@example.org")
        await unshare(Context(store, ada, clock()), home.library_id, owner_id_of(ben.user_id))
        await store.write(create(pointer))
        with pytest.raises(NotFound):
            await readable_library(Context(store, ben), home.library_id)

    async def test_takes_one_request_for_the_owner_and_two_for_a_recipient(
        self, store: Store, clock: Watch, ada: User, ben: User, home: Library
    ) -> None:
        await share(Context(store, ada, clock()), home.library_id, "ben@example.org")
        with counting() as tally:
            await readable_library(Context(store, ada), home.library_id)
        assert tally.reads == 1
        with counting() as tally:
            await readable_library(Context(store, ben), home.library_id)
        assert tally.reads == 2


class TestListing:
    async def test_is_by_name_and_of_ones_own(
        self, store: Store, clock: Watch, ada: User, eve: User
    ) -> None:
        for name in ("zoo", "Été", "Attic"):
            await library_of(store, clock, ada, name)
        await library_of(store, clock, eve, "Eve's")

        page = await my_libraries(Context(store, ada))

        assert [one.library_name for one in page.items] == ["Attic", "Été", "zoo"]

    async def test_of_what_is_shared_says_whose_it_is(
        self, store: Store, clock: Watch, ada: User, ben: User, home: Library
    ) -> None:
        await share(Context(store, ada, clock()), home.library_id, "BEN@example.org")

        (pointer,) = (await shared_with_me(Context(store, ben))).items

        assert isinstance(pointer, SharedLibrary)
        assert (pointer.library_name, pointer.shared_from_name) == ("Home", "Ada")


BEN = "ben@example.org"


class TestSharing:
    async def test_lets_somebody_look(
        self, store: Store, clock: Watch, ada: User, ben: User, home: Library
    ) -> None:
        await share(Context(store, ada, clock()), home.library_id, "  Ben@Example.org ")

        after = await now_of(store, home)
        assert (after.shared_to, after.shared_to_ids) == ([BEN], [owner_id_of(ben.user_id)])
        assert (await readable_library(Context(store, ben), home.library_id)).library == after
        await check_bookcases(store.engine)

    @pytest.mark.parametrize("email", ["nobody@example.org", "nobody", ""])
    async def test_with_nobody_who_has_an_account_is_refused(
        self, store: Store, clock: Watch, ada: User, home: Library, email: str
    ) -> None:
        with pytest.raises(InvalidField) as refused:
            await share(Context(store, ada, clock()), home.library_id, email)
        assert refused.value.field == "email"

    async def test_with_somebody_who_is_locked_out_is_refused(
        self, store: Store, clock: Watch, ada: User, ben: User, home: Library
    ) -> None:
        await store.write(update(ben.ref, disabled_at="2026-05-31T12:00:00.000Z"))
        with pytest.raises(InvalidField):
            await share(Context(store, ada, clock()), home.library_id, BEN)

    async def test_with_oneself_is_refused(
        self, store: Store, clock: Watch, ada: User, home: Library
    ) -> None:
        with pytest.raises(InvalidField, match="your own"):
            await share(Context(store, ada, clock()), home.library_id, "ada@example.org")

    async def test_twice_is_refused(
        self, store: Store, clock: Watch, ada: User, ben: User, home: Library
    ) -> None:
        await share(Context(store, ada, clock()), home.library_id, BEN)
        with pytest.raises(Conflict, match="already"):
            await share(Context(store, ada, clock()), home.library_id, BEN)

    async def test_of_somebody_elses_library_is_refused(
        self, store: Store, clock: Watch, ben: User, eve: User, home: Library
    ) -> None:
        with pytest.raises(NotFound):
            await share(Context(store, eve, clock()), home.library_id, BEN)

    async def test_by_a_recipient_is_refused(
        self, store: Store, clock: Watch, ada: User, ben: User, home: Library
    ) -> None:
        await somebody(store, clock, "Eve")
        await share(Context(store, ada, clock()), home.library_id, BEN)
        with pytest.raises(NotFound):
            await share(Context(store, ben, clock()), home.library_id, "eve@example.org")

    async def test_has_an_end(
        self, store: Store, clock: Watch, ada: User, ben: User, home: Library
    ) -> None:
        many = [str(n) for n in range(MAX_SHARES)]
        await store.write(update(home, shared_to=many, shared_to_ids=many))
        with pytest.raises(Conflict, match=str(MAX_SHARES)):
            await share(Context(store, ada, clock()), home.library_id, BEN)

    async def test_with_somebody_who_is_deleted_in_that_moment_leaves_no_pointer(
        self, store: Store, clock: Watch, ada: User, ben: User, home: Library
    ) -> None:
        gone = Meanwhile(store, lambda: store.write(delete(ben)), before_writing=SharedLibrary)
        with pytest.raises(Conflict):
            await share(Context(gone, ada, clock()), home.library_id, BEN)
        assert await left_of_room(store.engine) == {"Library": 1}

    async def test_with_two_at_once_shares_with_both(
        self, store: Store, clock: Watch, ada: User, ben: User, home: Library
    ) -> None:
        await somebody(store, clock, "Eve")
        both = Meanwhile(
            store,
            lambda: share(Context(store, ada, clock()), home.library_id, "eve@example.org"),
            before_writing=SharedLibrary,
        )
        await share(Context(both, ada, clock()), home.library_id, BEN)
        assert set((await now_of(store, home)).shared_to) == {BEN, "eve@example.org"}
        await check_bookcases(store.engine)


class TestEnding:
    async def test_by_the_owner_ends_all_looking(
        self, store: Store, clock: Watch, ada: User, ben: User, home: Library
    ) -> None:
        await share(Context(store, ada, clock()), home.library_id, BEN)
        await unshare(Context(store, ada, clock()), home.library_id, owner_id_of(ben.user_id))

        with pytest.raises(NotFound):
            await readable_library(Context(store, ben), home.library_id)
        assert await left_of_room(store.engine) == {"Library": 1}
        assert (await now_of(store, home)).shared_to == []

    async def test_by_the_recipient_ends_it_for_them_alone(
        self, store: Store, clock: Watch, ada: User, ben: User, home: Library
    ) -> None:
        await somebody(store, clock, "Eve")
        for email in (BEN, "eve@example.org"):
            await share(Context(store, ada, clock()), home.library_id, email)

        await leave(Context(store, ben, clock()), home.library_id)

        assert (await now_of(store, home)).shared_to == ["eve@example.org"]
        await check_bookcases(store.engine)
        with pytest.raises(NotFound):
            await leave(Context(store, ben, clock()), home.library_id)

    async def test_of_ones_own_library_is_no_leaving(
        self, store: Store, clock: Watch, ada: User, home: Library
    ) -> None:
        with pytest.raises(NotFound):
            await leave(Context(store, ada, clock()), home.library_id)

    async def test_with_whom_it_is_not_shared_is_refused(
        self, store: Store, clock: Watch, ada: User, ben: User, home: Library
    ) -> None:
        with pytest.raises(NotFound):
            await unshare(Context(store, ada, clock()), home.library_id, owner_id_of(ben.user_id))
        with pytest.raises(NotFound):
            await unshare(Context(store, ben, clock()), home.library_id, owner_id_of(ben.user_id))

    async def test_can_be_followed_by_sharing_again(
        self, store: Store, clock: Watch, ada: User, ben: User, home: Library
    ) -> None:
        for _ in range(2):
            await share(Context(store, ada, clock()), home.library_id, BEN)
            await leave(Context(store, ben, clock()), home.library_id)
        await check_bookcases(store.engine)
