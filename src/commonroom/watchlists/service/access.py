"""Access: the caller, and whose list it is. Nothing else decides who may read or change one."""

from __future__ import annotations

from collections.abc import Container, Iterable
from typing import cast

from msgspec import Struct

from commonroom.accounts.context import Context
from commonroom.accounts.tables import User
from commonroom.errors import Conflict, Forbidden, NotFound
from commonroom.store import (
    Condition,
    ConditionFailed,
    Ref,
    Retry,
    Store,
    Write,
    check,
    equal,
    includes,
    stored,
)
from commonroom.titles.titles import TitleId
from commonroom.watchlists.rules.lists import in_order, is_id, may_edit, may_read
from commonroom.watchlists.tables import Profile, Watchlist, WatchlistItem, watchlist_with_items

retry = Retry(tries=25, refusal=Conflict)
"""Retries a write that lost a race: enough for as many who fill one list at once."""


class ListVisitor(Struct, frozen=True):
    """The caller: with an account, or as a guest."""

    store: Store
    now: float
    user_id: str | None = None
    is_admin: bool = False
    view_key: str = ""
    """Of the link that opens a private list, where they have one."""
    blocked: Container[str] = frozenset()
    """The ids of those whom they have blocked."""


class Editable(Struct, frozen=True):
    """A list that the caller may add to, note and order, as it is now."""

    watchlist: Watchlist
    user_id: str
    held: tuple[Write, ...] = ()
    """What must hold of them, besides, when the write happens."""

    @property
    def is_owner(self) -> bool:
        """Whether it is their own."""
        return self.user_id == self.watchlist.curator_id

    @property
    def still(self) -> Condition:
        """That they still may when the write happens."""
        return stored if self.is_owner else includes(collaborator_ids=self.user_id)


async def find_list(store: Store, watchlist_id: str) -> Watchlist | None:
    """Returns a list without checking access, where it is there: one request."""
    if not is_id(watchlist_id):
        return None
    return await store.get(Watchlist.at(watchlist_id=watchlist_id))


async def get_list(store: Store, watchlist_id: str) -> Watchlist:
    """Returns a list without checking access: one request."""
    found = await find_list(store, watchlist_id)
    if found is None:
        raise no_such_list()
    return found


async def load_lists(store: Store, ids: Iterable[str]) -> list[Watchlist]:
    """Returns those of some lists that are there, without checking access: one request."""
    refs = [Watchlist.at(watchlist_id=one) for one in ids if is_id(one)]
    return [one for one in await store.batch_get(refs) if one is not None]


class ListContents(Struct, frozen=True):
    """A list and all that is on it, in order."""

    watchlist: Watchlist
    items: list[WatchlistItem]


async def get_contents(store: Store, watchlist_id: str) -> ListContents:
    """Returns a list with all its items without checking access: one request per megabyte."""
    if not is_id(watchlist_id):
        raise no_such_list()
    found: list[Watchlist | WatchlistItem] = []
    async for some in store.pages(watchlist_with_items(watchlist_id=watchlist_id)):
        found += some
    # The list itself comes last; items whose list is gone are on their way out.
    if not found or not isinstance(watchlist := found.pop(), Watchlist):
        raise no_such_list()
    return ListContents(watchlist, in_order(cast("list[WatchlistItem]", found)))


def item_ref(watchlist_id: str, title: TitleId) -> Ref[WatchlistItem]:
    """Returns where a title is on a list."""
    return WatchlistItem.at(watchlist_id=watchlist_id, **title.key)


async def find_item(store: Store, watchlist_id: str, title: TitleId) -> WatchlistItem | None:
    """Returns a title on a list, where it is there: one request."""
    return await store.get(item_ref(watchlist_id, title)) if is_id(title.content_id) else None


async def readable_list(visitor: ListVisitor, watchlist_id: str) -> Watchlist:
    """Returns a list that the caller may read: one request."""
    found = await get_list(visitor.store, watchlist_id)
    if not may_read(found, visitor.user_id, visitor.view_key):
        raise no_such_list()
    return found


async def readable_contents(visitor: ListVisitor, watchlist_id: str) -> ListContents:
    """Returns a readable list with all that is on it: one request per megabyte."""
    found = await get_contents(visitor.store, watchlist_id)
    if not may_read(found.watchlist, visitor.user_id, visitor.view_key):
        raise no_such_list()
    return found


async def editable_list(ctx: Context, watchlist_id: str) -> Editable:
    """Returns a list that a person owns or collaborates on: one request."""
    return editable(await get_list(ctx.store, watchlist_id), ctx.person.user_id)


def editable(found: Watchlist, user_id: str) -> Editable:
    """Returns a list that the caller may edit; a public one only unless they are suspended."""
    held = (not_suspended(user_id),) if found.is_public else ()
    return Editable(checked_editable(found, user_id), user_id, held)


def not_suspended(user_id: str) -> Write:
    """Refuses a suspended curator who would speak to everybody."""
    return check(Profile.at(user_id=user_id), if_=~equal(curator_status="suspended"))


async def write_unless_suspended(store: Store, *writes: Write) -> None:
    """Writes; where `not_suspended` is among it and does not hold, that is said."""
    try:
        await store.write(*writes)
    except ConditionFailed as failed:
        if failed.operation.entity_type is Profile and failed.entity is not None:
            raise suspended() from None
        raise


def suspended() -> Forbidden:
    """Returns the refusal for a suspended curator."""
    return Forbidden(
        "While you are suspended as a curator, you cannot change public lists, comment on them, "
        "or write reviews."
    )


async def own_list(ctx: Context, watchlist_id: str) -> Watchlist:
    """Returns a person's own list: one request."""
    found = await get_list(ctx.store, watchlist_id)
    if found.curator_id != ctx.person.user_id:
        checked_editable(found, ctx.person.user_id)
        raise Forbidden("Only the owner of this list can do this.")
    return found


def checked_editable(found: Watchlist, user_id: str) -> Watchlist:
    """Returns the list if the caller may edit it; who may not even read it is told of no list."""
    if may_edit(found, user_id):
        return found
    if may_read(found, user_id):
        raise Forbidden("This is someone else’s list.")
    raise no_such_list()


def no_such_list() -> NotFound:
    """Returns the refusal for a list that is not there, or not for the caller."""
    return NotFound("This list does not exist, or it is private.")


def still_there(person: User) -> Write:
    """Returns the check that an account is there: one deleted meanwhile leaves nothing behind."""
    return check(person.ref, if_=stored)
