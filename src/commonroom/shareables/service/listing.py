"""The list of a person with an account: pages they made, and pages they joined."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import Literal, TypeAlias

from msgspec import Struct

from commonroom.errors import Forbidden
from commonroom.moments import iso
from commonroom.shareables.service.gate import (
    P,
    Page,
    PageAccess,
    carry_out,
    find_page,
    readable_by,
)
from commonroom.shareables.service.guest_storage import stop_counting
from commonroom.shareables.tables import KINDS, Kind, ShareableBookmark, kept_pages, kind_of
from commonroom.store import (
    ConditionFailed,
    Ref,
    Store,
    Write,
    absent,
    delete,
    equal,
    new,
    put,
    update,
)
from commonroom.store import Page as Part

KeptAs: TypeAlias = Literal["made", "joined"]
LISTED = 30
ATTACHED_AS = "shareable"
"""What plans call the pages that they carry."""
BETWEEN = "."
"""What stands between the kind of a page and its short id, where it is attached to a plan."""


class ListedShareable(Struct, frozen=True):
    """A page in a person's list: enough to find it again, and nothing that a passcode protects."""

    short_id: str
    role: KeptAs
    kind: Kind | None
    """None, like the name, where the page is not open to them without a pass."""
    name: str | None
    is_closed: bool


def attached_id(page: Page) -> str:
    """Returns the id under which a page is attached to a plan; its kind says where it is stored."""
    return f"{kind_of(page)}{BETWEEN}{page.short_id}"


def kept(page: Page, user_id: str, role: KeptAs) -> ShareableBookmark:
    """Returns a page's entry in a person's list."""
    return ShareableBookmark(
        user_id=user_id,
        short_id=page.short_id,
        page_made_at=page.created_at,
        page_kind=kind_of(page),
        role=role,
        ttl=page.ttl,
    )


def creator_entries(page: Page) -> list[ShareableBookmark]:
    """Returns a page's entry in its maker's list, if they have one."""
    return [] if page.created_by is None else [kept(page, page.created_by, "made")]


async def join(gate: PageAccess[P], user_id: str) -> None:
    """Puts an opened page into the caller's list, unless it is there."""
    joined = put(kept(gate.page, user_id, "joined"), if_=new | equal(role="joined"))
    with suppress(ConditionFailed):
        await gate.store.write(joined)


async def drop(store: Store, typed: str, user_id: str) -> None:
    """Takes a page out of a person's list; one that they made stays there.

    They need not be let in for that: it is their list, also where a pass or the page has ended.
    """
    theirs = kept(await find_page(store, typed), user_id, "joined")
    with suppress(ConditionFailed):
        await store.write(delete(theirs, if_=new | equal(role="joined")))


async def kept_as(gate: PageAccess[P], user_id: str) -> KeptAs | None:
    """Returns the role of a page in a person's list; None where it has none: one request."""
    page = gate.page
    there = await gate.store.get(
        ShareableBookmark.at(user_id=user_id, page_made_at=page.created_at, short_id=page.short_id)
    )
    return None if there is None else there.role


async def claim_as_mine(gate: PageAccess[P], user_id: str) -> None:
    """Makes a page the account's, which from then on counts as the creator's pass."""
    if gate.standing != "creator":
        raise Forbidden("You need the private edit link to do that.")

    async def step(gate: PageAccess[P]) -> Sequence[Write]:
        if gate.standing != "creator" or gate.page.created_by not in (None, user_id):
            raise Forbidden("This page already belongs to someone else.")
        free = absent("created_by") | equal(created_by=user_id)
        same = equal(version=gate.page.version) & free
        mine = update(gate.page, created_by=user_id, is_counted=False, if_=same)
        counted = await stop_counting(gate.store, gate.page.short_id)
        return [mine, put(kept(gate.page, user_id, "made")), *counted]

    await carry_out(gate, step)


async def pages_of(
    store: Store, now: float, user_id: str, *, limit: int = LISTED, cursor: str | None = None
) -> Part[ListedShareable]:
    """Returns a person's list, the newest page first: two requests, however long it is."""
    part: Part[ShareableBookmark] = await store.page(
        kept_pages(user_id=user_id), limit=limit, cursor=cursor
    )
    refs: list[Ref[Page]] = [KINDS[one.page_kind].at(short_id=one.short_id) for one in part.items]
    pages = await store.batch_get(refs)
    listed = [
        _seen(now, user_id, one, page)
        for one, page in zip(part.items, pages, strict=True)
        if page is not None
    ]
    return Part(listed, part.seal)


def _seen(now: float, user_id: str, pointer: ShareableBookmark, page: Page) -> ListedShareable:
    may_see = readable_by(now, page, user_id)
    return ListedShareable(
        short_id=page.short_id,
        role=pointer.role,
        kind=pointer.page_kind if may_see else None,
        name=page.name if may_see else None,
        is_closed=page.expires_at <= iso(now),
    )
