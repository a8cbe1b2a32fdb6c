"""Libraries: made, changed, deleted, listed, and shared: both sides of a share change together."""

from __future__ import annotations

from hashlib import blake2b
from typing import Any

from msgspec.structs import replace

from commonroom.accounts.context import Context
from commonroom.accounts.service.find_account import find_account
from commonroom.accounts.tables import User
from commonroom.errors import Conflict, NeedsConfirmation, NotFound, PreconditionFailed
from commonroom.library.rules import names
from commonroom.library.rules.names import MAX_SHARES, new_id
from commonroom.library.service.access import (
    no_such_library,
    own_library,
    readable_library,
    retry,
)
from commonroom.library.tables import (
    Library,
    SharedLibrary,
    libraries_by_name,
    owner_id_of,
    shared_libraries,
)
from commonroom.moments import iso
from commonroom.store import (
    ConditionFailed,
    Page,
    Write,
    absent,
    at_most,
    check,
    create,
    delete,
    equal,
    stored,
    update,
    update_with_copies,
)


async def create_library(ctx: Context, *, name: str, description: str | None = None) -> Library:
    """Creates a library of a person's."""
    checked = names.library_name(name)
    return await _create(ctx, new_id(), checked, names.library_description(description))


async def first_library(ctx: Context, *, name: str, form_id: str) -> Library:
    """Returns the library of a person who has just begun: made with the first form that needs one.

    Sent twice, a form makes one. A person who has libraries by now gets their first.
    """
    own = await my_libraries(ctx, limit=1)
    if own.items:
        return own.items[0]
    owner_id = owner_id_of(ctx.person.user_id)
    known = blake2b(f"{owner_id}\n{form_id}".encode(), digest_size=16).hexdigest().upper()
    return await _create(ctx, known if form_id else new_id(), name, None)


def library_to_be(ctx: Context, library_id: str, name: str) -> Library:
    """Returns a library as it would be; nothing is stored."""
    return Library(
        owner_id=owner_id_of(ctx.person.user_id),
        library_id=library_id,
        library_name=name,
        account_id=ctx.person.user_id,
        owner_name=ctx.person.display_name,
        created_at=iso(ctx.now),
        updated_at=iso(ctx.now),
    )


@retry
async def _create(ctx: Context, library_id: str, name: str, description: str | None) -> Library:
    owner = await ctx.store.get(ctx.person.ref)
    if owner is None:
        raise no_such_library()
    made = library_to_be(Context(ctx.store, owner, ctx.now), library_id, name)
    library = replace(made, description=description)
    # A person who is deleted in this moment leaves no library behind.
    same_owner = check(owner, if_=equal(display_name=owner.display_name))
    try:
        await ctx.store.write(create(library), same_owner)
    except ConditionFailed as failed:
        if isinstance(failed.entity, Library):
            return failed.entity  # the form was sent twice
        raise
    return library


@retry
async def change_library(
    ctx: Context,
    library_id: str,
    *,
    name: str | None = None,
    description: str | None = None,
    version: int | None = None,
) -> Library:
    """Changes what is given and leaves the rest; an empty description takes it out.

    Recipients have the new name at once, items after a moment.
    """
    changes: dict[str, Any] = {"updated_at": iso(ctx.now)}
    if name is not None:
        changes["library_name"] = names.library_name(name)
    if description is not None:
        changes["description"] = names.library_description(description)

    library = (await own_library(ctx, library_id)).library
    if version not in (None, library.version):
        raise PreconditionFailed("The library was changed since you opened it.")
    await ctx.store.write(*update_with_copies(library, **changes))
    return replace(library, **changes, version=library.version + 1)


@retry
async def delete_library(ctx: Context, library_id: str, *, force: bool = False) -> None:
    """Deletes a library; everything in it is cleared up after that.

    One that is shared, or that something is lent from, goes only with `force`.
    """
    library = (await own_library(ctx, library_id)).library
    if force:
        await ctx.store.write(delete(library, if_=equal(version=library.version)))
        return
    goes = {"shared_with": len(library.shared_to_ids), "lent_items": library.lent_items}
    if library.shared_to_ids:
        raise NeedsConfirmation(
            "This library is shared with others, who would lose it too.", **goes
        )
    if library.lent_items > 0:
        raise NeedsConfirmation(
            "Something in this library is lent out. You would no longer know to whom.", **goes
        )
    # Sharing it raises the version; lending something counts it.
    unused = equal(version=library.version) & (at_most(lent_items=0) | absent("lent_items"))
    await ctx.store.write(delete(library, if_=unused))


async def my_libraries(
    ctx: Context, *, limit: int = 50, cursor: str | None = None
) -> Page[Library]:
    """Returns a person's own libraries by name: one request."""
    asked = libraries_by_name(owner_id=owner_id_of(ctx.person.user_id))
    return await ctx.store.page(asked, limit=limit, cursor=cursor)


async def shared_with_me(
    ctx: Context, *, limit: int = 50, cursor: str | None = None
) -> Page[SharedLibrary]:
    """Returns where the libraries are that others share with a person: one request."""
    asked = shared_libraries(shared_to_id=owner_id_of(ctx.person.user_id))
    return await ctx.store.page(asked, limit=limit, cursor=cursor)


async def share(
    ctx: Context, library_id: str, email: str, *, asked_from: str = ""
) -> SharedLibrary:
    """Shares a library with a person who has an account."""
    found: User | None = None

    @retry
    async def attempt() -> SharedLibrary:
        nonlocal found
        owned = await own_library(ctx, library_id)
        library = owned.library
        if len(library.shared_to_ids) >= MAX_SHARES:
            raise Conflict(f"A library can be shared with up to {MAX_SHARES} people.")
        # Last, so that nobody finds out who has an account where nothing can be shared.
        recipient = found or await find_account(ctx, email, asked_from=asked_from)
        found, recipient_id = recipient, owner_id_of(recipient.user_id)
        if recipient_id in library.shared_to_ids:
            raise Conflict("This library is already shared with them.", recipient_id=recipient_id)
        address = recipient.email or email
        pointer = SharedLibrary(
            shared_to_id=recipient_id,
            shared_from_id=library.owner_id,
            shared_from_name=owned.owner.display_name,
            library_id=library.library_id,
            shared_from_account_id=owned.owner.user_id,
            library_name=library.library_name,
            shared_to_email=address,
            shared_to_account_id=recipient.user_id,
            shared_at=iso(ctx.now),
        )
        await ctx.store.write(
            update(
                library,
                shared_to=[*library.shared_to, address],
                shared_to_ids=[*library.shared_to_ids, recipient_id],
                updated_at=iso(ctx.now),
            ),
            create(pointer),
            check(recipient, if_=stored),
            owned.same_owner,
        )
        return pointer

    return await attempt()


@retry
async def unshare(ctx: Context, library_id: str, recipient_id: str) -> None:
    """Ends a share of a person's own library; `recipient_id` is one of `shared_to_ids`."""
    library = (await own_library(ctx, library_id)).library
    if recipient_id not in library.shared_to_ids:
        raise NotFound("This library is not shared with them.")
    await ctx.store.write(*end_share(ctx.now, library, recipient_id))


@retry
async def leave(ctx: Context, library_id: str) -> None:
    """Ends a share for its recipient."""
    access = await readable_library(ctx, library_id)
    if access.is_owner:
        raise no_such_library()
    await ctx.store.write(*end_share(ctx.now, access.library, owner_id_of(ctx.person.user_id)))


def end_share(now: float, library: Library, recipient_id: str) -> list[Write]:
    """Returns the writes that end a share: the library without the recipient, and no pointer."""
    pairs = zip(library.shared_to, library.shared_to_ids, strict=False)
    left = [(address, one) for address, one in pairs if one != recipient_id]
    changed = update(
        library,
        shared_to=[address for address, _ in left],
        shared_to_ids=[one for _, one in left],
        updated_at=iso(now),
    )
    pointer = SharedLibrary.at(shared_to_id=recipient_id, library_id=library.library_id)
    return [changed, delete(pointer)]
