"""After an account was deleted or renamed: its libraries, its shares, and what it borrowed."""

from __future__ import annotations

from commonroom.accounts.tables import User
from commonroom.library.service.access import retry
from commonroom.library.service.sharing import end_share
from commonroom.library.tables import (
    BorrowedItem,
    Library,
    SharedLibrary,
    borrowed_items,
    item,
    libraries,
    loans,
    owner_id_of,
    shared_libraries,
)
from commonroom.notify.notifications import remove_name
from commonroom.store import Store, delete, equal, update
from commonroom.store.streams import Change, Consumer


async def follow_account(store: Store, change: Change) -> None:
    """Clears up after whoever is gone, and brings a new name to those who are shared with."""
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


async def _end_share(store: Store, at: float, pointer: SharedLibrary) -> None:
    async def attempt() -> None:
        place = {"owner_id": pointer.shared_from_id, "library_id": pointer.library_id}
        library = await store.get(Library.at(**place))
        if library is None or pointer.shared_to_id not in library.shared_to_ids:
            await store.write(delete(pointer))
        else:
            await store.write(*end_share(at, library, pointer.shared_to_id))

    await retry(attempt)


async def _forget_borrower(store: Store, pointer: BorrowedItem) -> None:
    """The loan stays the owner's, with the name that they wrote."""

    async def attempt() -> None:
        place = {"owner_id": pointer.owner_id, "library_id": pointer.library_id}
        lent = await store.get(item(**place, item_id=pointer.item_id))
        mine = (
            lent is not None
            and lent.borrower_id is not None
            and owner_id_of(lent.borrower_id) == pointer.borrower_id
        )
        forgotten = [update(lent, borrower_id=None)] if lent is not None and mine else []
        await store.write(delete(pointer), *forgotten)

    await retry(attempt)


async def _carry_name(store: Store, person: User) -> None:
    """By the libraries themselves: an index may lack whom one was shared with just now."""
    async for library in store.all(libraries(owner_id=owner_id_of(person.user_id))):
        for one in library.shared_to_ids:
            await _rename(store, person, library.library_id, one)


async def _rename(store: Store, person: User, library_id: str, recipient_id: str) -> None:
    async def attempt() -> None:
        at = SharedLibrary.at(shared_to_id=recipient_id, library_id=library_id)
        pointer, owner = await store.get(at), await store.get(person.ref)
        if pointer is None or owner is None or pointer.shared_from_name == owner.display_name:
            return
        same = equal(shared_from_name=pointer.shared_from_name)
        await store.write(update(pointer, shared_from_name=owner.display_name, if_=same))

    await retry(attempt)


ACCOUNTS = Consumer(name="library-accounts", wants=(User,), handle=follow_account)
