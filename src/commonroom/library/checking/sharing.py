"""Shares: a library and the pointers of those it is shared with say the same."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Iterator
from typing import Any

from commonroom.accounts.rules import address
from commonroom.accounts.tables import AddressClaim, User
from commonroom.errors import CommonroomError
from commonroom.library.checking.references import Fault, Found, Rule, as_read
from commonroom.library.service.libraries import end_share
from commonroom.library.tables import Library, SharedLibrary, owner_id_of
from commonroom.store import Ref, Store, check, create, delete, new, stored, update


def _refers(library: Library) -> Iterator[Ref[Any]]:
    yield _account(library)
    for one in library.shared_to_ids:
        yield _pointer(library, one)


async def _judge(library: Library, found: Found) -> AsyncIterator[Fault]:
    if found.at(_account(library)) is None:
        # Accounts may still be to come, as from another provider: nobody's books are thrown away.
        detail = f"The account that owns the library “{library.library_name}” does not exist."
        yield Fault("orphans", detail)
    elif len(library.shared_to) != len(library.shared_to_ids):
        yield _unequal(library, found)
    else:
        for email, one in zip(library.shared_to, library.shared_to_ids, strict=True):
            if found.at(_pointer(library, one)) is None:
                yield await _unpointed(found.store, library, email, one)


def _unequal(library: Library, found: Found) -> Fault:
    """Whom it is shared with counts; the addresses are those of their pointers."""
    pointers = [found.at(_pointer(library, one)) for one in library.shared_to_ids]
    known = [one for one in pointers if isinstance(one, SharedLibrary)]
    mend = update(
        library,
        shared_to=[one.shared_to_email or "" for one in known],
        shared_to_ids=[one.shared_to_id for one in known],
    )
    return Fault("shares", "It lists more or fewer addresses than people.", [mend])


async def _unpointed(store: Store, library: Library, email: str, recipient_id: str) -> Fault:
    """Whoever still has an account gets the pointer again; for others the share has ended."""
    recipient = await _recipient(store, email, recipient_id)
    if recipient is None:
        repair = end_share(time.time(), library, recipient_id)
        return Fault("shares", f"It is shared with {email}, who has no account any more.", repair)
    pointer = SharedLibrary(
        shared_to_id=recipient_id,
        shared_from_id=library.owner_id,
        shared_from_name=library.owner_name,
        library_id=library.library_id,
        shared_from_account_id=library.account_id,
        library_name=library.library_name,
        shared_to_email=email,
        shared_at=library.updated_at,
    )
    same = check(library, if_=as_read(library, "version", "owner_name"))
    repair = [same, check(recipient, if_=stored), create(pointer)]
    return Fault("shares", f"It is shared with {email}, but missing from their list.", repair)


async def _recipient(store: Store, email: str, recipient_id: str) -> User | None:
    try:
        claim = await store.get(AddressClaim.at(address=address(email)))
        person = None if claim is None else await store.get(User.at(user_id=claim.user_id))
    except CommonroomError:
        return None  # not even an address
    same = person is not None and owner_id_of(person.user_id) == recipient_id
    return person if same else None


def _pointer_refers(pointer: SharedLibrary) -> Iterator[Ref[Any]]:
    yield _library(pointer)


async def _judge_pointer(pointer: SharedLibrary, found: Found) -> AsyncIterator[Fault]:
    library = found.at(_library(pointer))
    if library is None:
        gone = check(_library(pointer), if_=new)
        detail = f"The library “{pointer.library_name}” that it points to was deleted."
        yield Fault("orphans", detail, [gone, delete(pointer)])
    elif isinstance(library, Library):
        same = check(library, if_=as_read(library, "version"))
        if pointer.shared_to_id not in library.shared_to_ids:
            detail = f"The library “{library.library_name}” is not shared with them."
            yield Fault("shares", detail, [same, delete(pointer)])
        elif pointer.shared_from_account_id != library.account_id:
            mend = update(
                pointer,
                shared_from_account_id=library.account_id,
                shared_from_name=library.owner_name,
            )
            yield Fault("shares", "It names another owner than the library.", [same, mend])


def _account(library: Library) -> Ref[User]:
    return User.at(user_id=library.account_id)


def _library(pointer: SharedLibrary) -> Ref[Library]:
    return Library.at(owner_id=pointer.shared_from_id, library_id=pointer.library_id)


def _pointer(library: Library, recipient_id: str) -> Ref[SharedLibrary]:
    return SharedLibrary.at(shared_to_id=recipient_id, library_id=library.library_id)


LIBRARY = Rule(_refers, _judge)
POINTER = Rule(_pointer_refers, _judge_pointer)
