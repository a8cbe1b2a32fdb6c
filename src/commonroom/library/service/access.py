"""Access: whose library it is and who may look into it. Nothing else decides that."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct
from msgspec.structs import replace

from commonroom.accounts.context import Context
from commonroom.accounts.tables import User
from commonroom.errors import Conflict, NotFound
from commonroom.library.rules.names import is_id
from commonroom.library.service.library_key_cache import LibraryKey
from commonroom.library.tables import (
    Book,
    Collection,
    Library,
    SharedLibrary,
    Video,
    collection,
    item,
    libraries_by_name,
    owner_id_of,
    shared_libraries,
)
from commonroom.store import Entity, Ref, Retry, Store, Write, check, equal
from commonroom.store.store import MAX_PAGE as MAX_LIBRARIES

PRIVATE: dict[str, None] = dict.fromkeys(
    (
        "lent_to",
        "lent_at",
        "due_date",
        "borrower_id",
        "overdue_at",
        "last_event_at",
        "rating",
        "review",
        "status",
        "started_on",
        "finished_on",
    )
)
"""What of an item nobody but its owner is shown: who has it, and what the owner thinks of it."""


retry = Retry(tries=25, refusal=Conflict)
"""Retries a write that lost a race: enough for as many who fill one collection at once."""


class Owned(Struct, frozen=True):
    """A person's own library and its owner, both as they are now."""

    library: Library
    owner: User

    @property
    def same_owner(self) -> Write:
        """That the owner is still there, under the name that is copied from them."""
        return check(self.owner, if_=equal(display_name=self.owner.display_name))


class LibraryAccess(Struct, frozen=True):
    """A library that the caller may look into."""

    library: Library
    is_owner: bool


async def own_library(ctx: Context, library_id: str) -> Owned:
    """Returns a person's own library: one request."""
    refs: list[Ref[Entity]] = [
        _library_of(ctx.person, library_id),
        User.at(user_id=ctx.person.user_id),
    ]
    library, owner = await ctx.store.batch_get(refs)
    if not isinstance(library, Library) or not isinstance(owner, User):
        raise no_such_library()
    return Owned(library, owner)


async def readable_library(ctx: Context, library_id: str) -> LibraryAccess:
    """Returns a library that is a person's own or shared with them: one request, or two.

    A pointer alone opens nothing: the library itself must still say that it is shared.
    """
    me = owner_id_of(ctx.person.user_id)
    place = _library_of(ctx.person, library_id)
    pointed = SharedLibrary.at(shared_to_id=me, library_id=library_id)
    refs: list[Ref[Entity]] = [place, pointed]
    library, pointer = await ctx.store.batch_get(refs)
    if isinstance(library, Library):
        return LibraryAccess(library, is_owner=True)
    if isinstance(pointer, SharedLibrary):
        there = Library.at(owner_id=pointer.shared_from_id, library_id=library_id)
        shared = await ctx.store.get(there)
        if shared is not None and me in shared.shared_to_ids:
            return LibraryAccess(shared, is_owner=False)
    raise no_such_library()


async def item_in(store: Store, library: Library, item_id: str) -> Book | Video:
    """Returns an item of a library, with all that only its owner may see: one request."""
    key = {"owner_id": library.owner_id, "library_id": library.library_id}
    found = await store.get(item(**key, item_id=item_id)) if is_id(item_id) else None
    if found is None:
        raise NotFound("This item does not exist in this library.")
    return found


async def own_item(ctx: Context, library_id: str, item_id: str) -> tuple[Owned, Book | Video]:
    """Returns an item in a person's own library, and that library: two requests."""
    owned = await own_library(ctx, library_id)
    return owned, await item_in(ctx.store, owned.library, item_id)


async def collection_in(store: Store, library: Library, collection_id: str) -> Collection:
    """Returns a collection of a library: one request."""
    key = {"owner_id": library.owner_id, "library_id": library.library_id}
    asked = collection(**key, collection_id=collection_id) if is_id(collection_id) else None
    found = None if asked is None else await store.get(asked)
    if found is None:
        raise NotFound("This collection does not exist in this library.")
    return found


def hide_private(access: LibraryAccess, thing: Book | Video) -> Book | Video:
    """Returns an item as the caller may see it: `PRIVATE` fields stay the owner's."""
    return thing if access.is_owner else replace(thing, **PRIVATE)


async def read_library_keys(ctx: Context) -> list[LibraryKey]:
    """Returns the libraries that are a person's own, then those shared with them: two requests."""
    me = owner_id_of(ctx.person.user_id)
    mine, shared = await ctx.store.gather(
        ctx.store.page(libraries_by_name(owner_id=me), limit=MAX_LIBRARIES),
        ctx.store.page(shared_libraries(shared_to_id=me), limit=MAX_LIBRARIES),
    )
    own = [(one.owner_id, one.library_id) for one in mine.items]
    return [*own, *((one.shared_from_id, one.library_id) for one in shared.items)]


async def readable_libraries(ctx: Context) -> list[LibraryAccess]:
    """Returns the libraries that a person may look into, their own first: three requests."""
    keys = await read_library_keys(ctx)
    return readable_of(ctx, await ctx.store.batch_get([library_at(one) for one in keys]))


def readable_of(ctx: Context, found: Iterable[Library | None]) -> list[LibraryAccess]:
    """Returns those that still are theirs or shared with them; each library says so itself."""
    me = owner_id_of(ctx.person.user_id)
    return [
        LibraryAccess(one, is_owner=one.owner_id == me)
        for one in found
        if one is not None and (one.owner_id == me or me in one.shared_to_ids)
    ]


def library_at(key: LibraryKey) -> Ref[Library]:
    """Returns where a library is stored."""
    return Library.at(owner_id=key[0], library_id=key[1])


def no_such_library() -> NotFound:
    """Returns the refusal for a library that is not there, or another person's."""
    return NotFound("This library does not exist, or it is not shared with you.")


def _library_of(person: User, library_id: str) -> Ref[Library]:
    if not is_id(library_id):
        raise no_such_library()
    return Library.at(owner_id=owner_id_of(person.user_id), library_id=library_id)
