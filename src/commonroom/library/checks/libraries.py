"""Libraries: those each is shared with know it, and its collections and its import are in it.

A collection has a name that is its own; nothing is kept of an import that is gone.
"""

from __future__ import annotations

import time
from collections.abc import AsyncIterator
from typing import TypeAlias

from commonroom.accounts.rules import address
from commonroom.accounts.tables import AddressClaim, User
from commonroom.errors import CommonroomError
from commonroom.imports.consumers import OVER
from commonroom.library.relations import claim_of
from commonroom.library.service.libraries import end_share
from commonroom.library.tables import (
    Collection,
    CollectionName,
    Library,
    LibraryImport,
    LibraryImportReport,
    LibraryImportRows,
    SharedLibrary,
    owner_id_of,
)
from commonroom.store import (
    Entity,
    Ref,
    Store,
    as_read,
    check,
    create,
    delete,
    equal,
    new,
    put,
    stored,
    unequal,
    update,
)
from commonroom.store.checking.related import RelatedItems, RelatedProblem, Rule

Part: TypeAlias = LibraryImportRows | LibraryImportReport


async def _check_library(library: Library, found: RelatedItems) -> AsyncIterator[RelatedProblem]:
    if await found.at(_account(library)) is None:
        # Accounts may still be to come, as from another provider: nobody's books are thrown away.
        detail = f"The account that owns the library “{library.library_name}” does not exist."
        yield RelatedProblem("orphans", detail)
    elif len(library.shared_to) != len(library.shared_to_ids):
        yield await _unequal(found, library)
    else:
        pointers = await found.each([_pointer(library, one) for one in library.shared_to_ids])
        shares = zip(library.shared_to, library.shared_to_ids, pointers, strict=True)
        for email, one, pointer in shares:
            if pointer is None:
                yield await _unpointed(found.store, library, email, one)


async def _unequal(found: RelatedItems, library: Library) -> RelatedProblem:
    recipients = await _recipients(found, library)
    repair = update(library, shared_to=[*recipients.values()], shared_to_ids=[*recipients])
    return RelatedProblem("shares", "It lists more or fewer addresses than people.", [repair])


async def _recipients(found: RelatedItems, library: Library) -> dict[str, str]:
    """The addresses of those whom a library is shared with, by id, where its two lists differ.

    Those count whom a pointer leads to it, and those whose accounts have the addresses that it
    lists: the data model has the addresses alone.
    """
    pointers = await found.each([_pointer(library, one) for one in library.shared_to_ids])
    known = {
        one.shared_to_id: one.shared_to_email or ""
        for one in pointers
        if isinstance(one, SharedLibrary)
    }
    for email in library.shared_to:
        person = await _account_with(found.store, email)
        if person is not None and person.user_id != library.account_id:
            known.setdefault(owner_id_of(person.user_id), email)
    return known


async def _unpointed(
    store: Store, library: Library, email: str, recipient_id: str
) -> RelatedProblem:
    """Recipients who still have an account get the pointer again; other shares have ended."""
    recipient = await _recipient(store, email, recipient_id)
    if recipient is None:
        repair = end_share(time.time(), library, recipient_id)
        return RelatedProblem(
            "shares", f"It is shared with {email}, who has no account any more.", repair
        )
    pointer = SharedLibrary(
        shared_to_id=recipient_id,
        shared_from_id=library.owner_id,
        shared_from_name=library.owner_name,
        library_id=library.library_id,
        shared_from_account_id=library.account_id,
        library_name=library.library_name,
        shared_to_email=email,
        shared_to_account_id=recipient.user_id,
        shared_at=library.updated_at,
    )
    same = check(library, if_=as_read(library, "version", "owner_name"))
    repair = [same, check(recipient, if_=stored), create(pointer)]
    return RelatedProblem(
        "shares", f"It is shared with {email}, but missing from their list.", repair
    )


async def _recipient(store: Store, email: str, recipient_id: str) -> User | None:
    person = await _account_with(store, email)
    same = person is not None and owner_id_of(person.user_id) == recipient_id
    return person if same else None


async def _account_with(store: Store, email: str) -> User | None:
    try:
        claim = await store.get(AddressClaim.at(address=address(email)))
        return None if claim is None else await store.get(User.at(user_id=claim.user_id))
    except CommonroomError:
        return None  # not even an address


async def _check_pointer(
    pointer: SharedLibrary, found: RelatedItems
) -> AsyncIterator[RelatedProblem]:
    library = await found.at(_shared_library(pointer))
    if isinstance(library, Library):
        same = check(library, if_=as_read(library, "version"))
        if pointer.shared_to_id not in library.shared_to_ids:
            is_unequal = len(library.shared_to) != len(library.shared_to_ids)
            if is_unequal and pointer.shared_to_id in await _recipients(found, library):
                return  # the library is wrong, and is repaired
            detail = f"The library “{library.library_name}” is not shared with them."
            yield RelatedProblem("shares", detail, [same, delete(pointer)])
        elif pointer.shared_from_account_id != library.account_id:
            repair = update(
                pointer,
                shared_from_account_id=library.account_id,
                shared_from_name=library.owner_name,
            )
            yield RelatedProblem(
                "shares", "It names another owner than the library.", [same, repair]
            )


def _account(library: Library) -> Ref[User]:
    return User.at(user_id=library.account_id)


def _shared_library(pointer: SharedLibrary) -> Ref[Library]:
    return Library.at(owner_id=pointer.shared_from_id, library_id=pointer.library_id)


def _pointer(library: Library, recipient_id: str) -> Ref[SharedLibrary]:
    return SharedLibrary.at(shared_to_id=recipient_id, library_id=library.library_id)


async def _check_collection(
    collection: Collection, found: RelatedItems
) -> AsyncIterator[RelatedProblem]:
    expected, claim = claim_of(collection), await found.at(claim_of(collection).ref)
    named = check(collection, if_=equal(name=collection.name))
    if claim is None:
        yield RelatedProblem("names", "Its name is not reserved for it.", [named, create(expected)])
    elif isinstance(claim, CollectionName) and claim.collection_id != expected.collection_id:
        if await _has_it(found, claim):
            yield RelatedProblem(
                "names", "Another collection has the same name; rename one of them."
            )
    elif isinstance(claim, CollectionName) and claim != expected:
        mine = equal(collection_id=expected.collection_id)
        detail = "Its name is reserved in a different spelling."
        yield RelatedProblem("names", detail, [named, put(expected, if_=mine)])


async def _has_it(found: RelatedItems, claim: CollectionName) -> bool:
    """Whether the collection that a name is kept for has that name; else the claim is reported."""
    other = await found.at(_claimant(claim))
    return isinstance(other, Collection) and claim_of(other).ref.key == claim.ref.key


def _claimant(claim: CollectionName) -> Ref[Collection]:
    return Collection.at(
        owner_id=claim.owner_id, library_id=claim.library_id, collection_id=claim.collection_id
    )


async def _check_part(part: Part, found: RelatedItems) -> AsyncIterator[RelatedProblem]:
    kept = await found.at(_import(part))
    if kept is None or (isinstance(kept, LibraryImport) and kept.import_id != part.import_id):
        gone = check(_import(part), if_=new | unequal(import_id=part.import_id))
        yield RelatedProblem(
            "orphans", "It belongs to an import that was deleted.", [gone, delete(part)]
        )
    elif (
        isinstance(kept, LibraryImport)
        and isinstance(part, LibraryImportRows)
        and kept.state in OVER
    ):
        over = check(kept, if_=as_read(kept, "import_id", "state"))
        yield RelatedProblem(
            "orphans", "It belongs to an import that is finished.", [over, delete(part)]
        )


def _import(part: Part) -> Ref[LibraryImport]:
    return LibraryImport.at(owner_id=part.owner_id, library_id=part.library_id)


RULES: dict[type[Entity], Rule] = {
    Library: _check_library,
    SharedLibrary: _check_pointer,
    Collection: _check_collection,
    LibraryImportRows: _check_part,
    LibraryImportReport: _check_part,
}
