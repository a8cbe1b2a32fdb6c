"""After an account was deleted or renamed."""

from __future__ import annotations

import pytest

from commonroom.accounts.context import Context
from commonroom.accounts.service.account_data import CONFIRMATION, delete_account
from commonroom.accounts.tables import User
from commonroom.library.consumers.libraries import follow_account
from commonroom.library.service.libraries import share
from commonroom.library.service.loans import lend, return_item
from commonroom.library.service.moves import move_item
from commonroom.library.tables import Library, SharedLibrary
from commonroom.moments import seconds
from commonroom.store import Store, create, delete, update
from commonroom.store.streams import Change
from commonroom.timers.tables import Timer
from tests.accounts.people import Watch
from tests.library.bookcase import (
    book_of,
    check_bookcases,
    collection_of,
    drift,
    everything_of,
    left_of_room,
    library_of,
    now_of,
    tidied,
    video_of,
)


@pytest.fixture
def clock() -> Watch:
    """A time at which things can be due."""
    clock = Watch()
    clock.now = seconds("2026-05-01T12:00:00.000Z")
    return clock


@pytest.fixture
async def shared(store: Store, clock: Watch, ada: User, ben: User, home: Library) -> Library:
    """Ada's library, shared with Ben, who has borrowed a book from it."""
    foo = await collection_of(store, clock, ada, home, "Foo")
    book = await book_of(store, clock, ada, home, "T", collection_id=foo.collection_id)
    at = (Context(store, ada, clock()), home.library_id, book.item_id)
    await lend(*at, to="Benny", email="ben@example.org")
    await share(Context(store, ada, clock()), home.library_id, "ben@example.org")
    return home


async def test_a_deleted_owner_takes_all_libraries_along(
    store: Store, clock: Watch, ada: User, ben: User, shared: Library
) -> None:
    await library_of(store, clock, ada, "Another")
    theirs = await library_of(store, clock, ben, "Ben's")
    await store.write(delete(ada))

    await tidied(store, clock)

    assert await left_of_room(store.engine) == {"Library": 1}
    assert await now_of(store, theirs) == theirs


async def test_an_account_that_leaves_takes_everything_of_every_kind_along(
    store: Store, clock: Watch, ada: User, ben: User, shared: Library
) -> None:
    attic = await library_of(store, clock, ada, "Attic")
    film = await video_of(store, clock, ada, shared, "Ponyo", tmdb_id=12429)
    at = (Context(store, ada, clock()), shared.library_id, film.item_id)
    await lend(*at, to="Cleo", due="2026-05-31")
    await return_item(*at)
    await lend(*at, to="Benny", due="2026-05-31", email="ben@example.org")
    await move_item(*at, to=attic.library_id)
    assert await everything_of(store.engine, Timer) != []
    theirs = await library_of(store, clock, ben, "Ben's")
    await share(Context(store, ben, clock()), theirs.library_id, "ada@example.org")

    await delete_account(store, await now_of(store, ada), typed=CONFIRMATION)
    await tidied(store, clock)

    assert await left_of_room(store.engine) == {"Library": 1}
    assert (await now_of(store, theirs)).shared_to == []
    assert await everything_of(store.engine, Timer) == []
    await check_bookcases(store.engine)


async def test_a_deleted_recipient_is_taken_out_of_the_share(
    store: Store, clock: Watch, ben: User, shared: Library
) -> None:
    await store.write(delete(ben))

    await tidied(store, clock)

    after = await now_of(store, shared)
    assert (after.shared_to, after.shared_to_ids) == ([], [])
    await check_bookcases(store.engine)


async def test_a_deleted_borrower_stays_the_name_that_the_owner_wrote(
    store: Store, clock: Watch, ben: User, shared: Library
) -> None:
    await store.write(delete(ben))

    await tidied(store, clock)

    left = await left_of_room(store.engine)
    assert "BorrowedItem" not in left
    assert (await now_of(store, shared)).lent_items == 1
    await check_bookcases(store.engine)


async def test_somebody_who_is_there_again_keeps_everything(
    store: Store, clock: Watch, ada: User, shared: Library
) -> None:
    await store.write(delete(ada))
    await store.write(create(ada))

    await tidied(store, clock)

    assert await now_of(store, shared) is not None


async def test_a_new_name_reaches_everything_that_copies_it(
    store: Store, clock: Watch, ada: User, shared: Library
) -> None:
    await store.write(update(ada.ref, display_name="Adele"))

    await tidied(store, clock)

    (pointer,) = await everything_of(store.engine, SharedLibrary)
    assert pointer.shared_from_name == "Adele"
    assert (await now_of(store, shared)).owner_name == "Adele"
    assert await drift(store) == []


async def test_a_new_name_reaches_pointers_that_no_index_shows(
    store: Store, clock: Watch, ada: User, shared: Library
) -> None:
    await store.write(update(ada.ref, display_name="Adele"))
    change = Change(
        User, "modify", ada.ref.key, ada, await now_of(store, ada), clock(), by_ttl=False
    )
    for _ in range(2):
        await follow_account(store, change)

    (pointer,) = await everything_of(store.engine, SharedLibrary)
    assert pointer.shared_from_name == "Adele"
