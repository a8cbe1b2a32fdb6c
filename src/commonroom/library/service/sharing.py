"""Sharing a library: who may look into it, and what they have of it, change together."""

from __future__ import annotations

from commonroom.accounts.context import Context
from commonroom.accounts.tables import User
from commonroom.errors import Conflict, NotFound
from commonroom.library.rules.names import MOST_SHARES
from commonroom.library.service.access import (
    find_account,
    no_such_library,
    own_library,
    readable_library,
    retry,
)
from commonroom.library.tables import Library, SharedLibrary, owner_id_of
from commonroom.moments import iso
from commonroom.store import Write, check, create, delete, stored, update


async def share(
    ctx: Context, library_id: str, email: str, *, asked_from: str = ""
) -> SharedLibrary:
    """Lets somebody with an account look into a library."""
    found: User | None = None

    async def attempt() -> SharedLibrary:
        nonlocal found
        owned = await own_library(ctx, library_id)
        library = owned.library
        if len(library.shared_to_ids) >= MOST_SHARES:
            raise Conflict(f"A library can be shared with up to {MOST_SHARES} people.")
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

    return await retry(attempt)


async def unshare(ctx: Context, library_id: str, recipient_id: str) -> None:
    """Ends a share of a person's own library; `recipient_id` is one of `shared_to_ids`."""

    async def attempt() -> None:
        library = (await own_library(ctx, library_id)).library
        if recipient_id not in library.shared_to_ids:
            raise NotFound("This library is not shared with them.")
        await ctx.store.write(*end_share(ctx.now, library, recipient_id))

    await retry(attempt)


async def leave(ctx: Context, library_id: str) -> None:
    """Ends a share for whoever it was given to."""

    async def attempt() -> None:
        access = await readable_library(ctx, library_id)
        if access.is_owner:
            raise no_such_library()
        await ctx.store.write(*end_share(ctx.now, access.library, owner_id_of(ctx.person.user_id)))

    await retry(attempt)


def end_share(now: float, library: Library, recipient_id: str) -> list[Write]:
    """What ends a share: the library's lists without somebody, and their pointer gone."""
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
