"""Access: whose library it is and who may look into it. Nothing else decides that."""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from commonroom.accounts.context import Context
from commonroom.accounts.tables import User
from commonroom.errors import Conflict, NotFound
from commonroom.library.rules.names import is_id
from commonroom.library.tables import (
    Book,
    Collection,
    Library,
    SharedLibrary,
    Video,
    collection,
    item,
    owner_id_of,
)
from commonroom.store import Entity, Ref, Retry, Store, Write, check, equal

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


def no_such_library() -> NotFound:
    """Returns the refusal for a library that is not there, or another person's."""
    return NotFound("This library does not exist, or it is not shared with you.")


def _library_of(person: User, library_id: str) -> Ref[Library]:
    if not is_id(library_id):
        raise no_such_library()
    return Library.at(owner_id=owner_id_of(person.user_id), library_id=library_id)
