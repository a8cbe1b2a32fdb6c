"""After a library, a collection or an account was deleted or renamed: what follows from it."""

from __future__ import annotations

from commonroom.accounts.tables import User
from commonroom.errors import CommonroomError
from commonroom.library.rules.items import ALONE
from commonroom.library.service.access import retry
from commonroom.library.service.item_writes import loan_deletes
from commonroom.library.service.libraries import end_share
from commonroom.library.service.moves import carry_history
from commonroom.library.tables import (
    Book,
    BorrowedItem,
    Collection,
    Library,
    SharedLibrary,
    Video,
    borrowed_items,
    contents,
    item,
    items_in_library,
    libraries,
    loans,
    moved_items,
    owner_id_of,
    shared_libraries,
)
from commonroom.notifications.notifications import remove_name
from commonroom.store import Entity, Store, Write, delete, equal, update
from commonroom.store.limits import REQUEST_OPERATIONS
from commonroom.store.streams import Change, Consumer


async def clear_library(store: Store, change: Change) -> None:
    """Deletes what was in a library that is gone, and what recipients and borrowers have of it.

    Nothing can be put into it any more, but what moved may still have been followed by its history:
    it is looked through until nothing is found. An interrupted run goes on with what is left.
    """
    if change.kind != "remove" or await store.get(change.old.ref) is not None:
        return
    gone: Library = change.old
    await _move_histories(store, gone)
    while await _clear_once(store, gone):
        pass
    # The library knew them all; an index might not.
    pointers = [
        SharedLibrary.at(shared_to_id=one, library_id=gone.library_id) for one in gone.shared_to_ids
    ]
    if pointers:
        await store.write(*map(delete, pointers))


async def _move_histories(store: Store, gone: Library) -> None:
    key = {"owner_id": gone.owner_id, "library_id": gone.library_id}
    async for left in store.all(moved_items(**key)):
        there = {"owner_id": left.owner_id, "library_id": left.moved_to}
        moved = await store.get(item(**there, item_id=left.item_id))
        if moved is not None and moved.moved_from == gone.library_id:
            await carry_history(store, moved)


async def _clear_once(store: Store, gone: Library) -> bool:
    writes: list[Write] = []
    found = False
    asked = contents(owner_id=gone.owner_id, library_id=gone.library_id)
    async for one in store.all(asked, limit=REQUEST_OPERATIONS):
        found = True
        more = _deletes(one)
        if len(writes) + len(more) > REQUEST_OPERATIONS:
            await store.write(*writes)
            writes.clear()
        writes += more
    if writes:
        await store.write(*writes)
    return found


def _deletes(one: Entity) -> list[Write]:
    beside = loan_deletes(one) if isinstance(one, Book | Video) else []
    return [delete(one), *beside]


LIBRARIES = Consumer(name="library-libraries", wants=(Library,), handle=clear_library)


async def release_items(store: Store, change: Change) -> None:
    """Takes the items out of a collection that is gone; nothing can be put into it any more.

    They are found through the base table: an item that an index does not have yet would stay. One
    that cannot be written now keeps none of the others, and is left to the next try.
    """
    if change.kind != "remove" or await store.get(change.old.ref) is not None:
        return
    gone: Collection = change.old
    key = {"owner_id": gone.owner_id, "library_id": gone.library_id}
    if await store.get(Library.at(**key)) is None:
        return  # everything in it is being deleted
    trouble: CommonroomError | None = None
    async for one in store.all(items_in_library(**key)):
        if one.collection_id == gone.collection_id:
            try:
                await _release(store, one, gone.collection_id)
            except CommonroomError as error:
                trouble = error
    if trouble is not None:
        raise trouble


async def _release(store: Store, found: Book | Video, collection_id: str) -> None:
    seen: Book | Video | None = found

    @retry
    async def attempt() -> None:
        nonlocal seen
        one, seen = seen, None
        if one is None:
            one = await store.get(
                item(owner_id=found.owner_id, library_id=found.library_id, item_id=found.item_id)
            )
        if one is not None and one.collection_id == collection_id:
            await store.write(update(one, **ALONE))

    await attempt()


COLLECTIONS = Consumer(name="library-collections", wants=(Collection,), handle=release_items)


async def follow_account(store: Store, change: Change) -> None:
    """Clears up after a deleted account, and brings a new name to those who are shared with."""
    person: User | None = change.old
    if person is None or person.is_managed:
        return
    now_there = await store.get(person.ref)
    if change.kind == "remove" and now_there is None:
        await _forget(store, change.at, person)
    elif now_there is not None and now_there.display_name != person.display_name:
        await _carry_name(store, now_there)


async def _forget(store: Store, at: float, person: User) -> None:
    """Each step can be done again; deleted libraries are followed by what was in them."""
    me = owner_id_of(person.user_id)
    lent = [one async for one in store.all(loans(owner_id=me))]
    borrowers = {one.borrower_id for one in lent if one.borrower_id is not None}
    await remove_name(store, borrowers, person.display_name)
    async for library in store.all(libraries(owner_id=me)):
        await store.write(delete(library))
    async for pointer in store.all(shared_libraries(shared_to_id=me)):
        await _end_share(store, at, pointer)
    async for borrowed in store.all(borrowed_items(borrower_id=me)):
        await _forget_borrower(store, borrowed)


@retry
async def _end_share(store: Store, at: float, pointer: SharedLibrary) -> None:
    key = {"owner_id": pointer.shared_from_id, "library_id": pointer.library_id}
    library = await store.get(Library.at(**key))
    if library is None or pointer.shared_to_id not in library.shared_to_ids:
        await store.write(delete(pointer))
    else:
        await store.write(*end_share(at, library, pointer.shared_to_id))


@retry
async def _forget_borrower(store: Store, pointer: BorrowedItem) -> None:
    """The loan stays the owner's, with the name that they wrote."""
    key = {"owner_id": pointer.owner_id, "library_id": pointer.library_id}
    lent = await store.get(item(**key, item_id=pointer.item_id))
    mine = (
        lent is not None
        and lent.borrower_id is not None
        and owner_id_of(lent.borrower_id) == pointer.borrower_id
    )
    forgotten = [update(lent, borrower_id=None)] if lent is not None and mine else []
    await store.write(delete(pointer), *forgotten)


async def _carry_name(store: Store, person: User) -> None:
    """By the libraries themselves: an index may lack whom one was shared with just now."""
    async for library in store.all(libraries(owner_id=owner_id_of(person.user_id))):
        for one in library.shared_to_ids:
            await _rename(store, person, library.library_id, one)


@retry
async def _rename(store: Store, person: User, library_id: str, recipient_id: str) -> None:
    at = SharedLibrary.at(shared_to_id=recipient_id, library_id=library_id)
    pointer, owner = await store.get(at), await store.get(person.ref)
    if pointer is None or owner is None or pointer.shared_from_name == owner.display_name:
        return
    same = equal(shared_from_name=pointer.shared_from_name)
    await store.write(update(pointer, shared_from_name=owner.display_name, if_=same))


ACCOUNTS = Consumer(name="library-accounts", wants=(User,), handle=follow_account)
