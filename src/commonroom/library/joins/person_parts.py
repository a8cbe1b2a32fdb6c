"""The library on a person's page: what was lent from one to the other, and shared libraries."""

from __future__ import annotations

from collections.abc import Iterable

from commonroom.accounts.context import Context
from commonroom.accounts.tables import User
from commonroom.http.request import Request
from commonroom.http.times import calendar_day
from commonroom.http.words import _
from commonroom.joins.person_parts import PersonPart, SharedThing
from commonroom.library.pages import addresses
from commonroom.library.pages.cards import due_day
from commonroom.library.service.libraries import shared_with_me
from commonroom.library.service.loans import borrowed_from, lent_by_me
from commonroom.library.tables import SharedLibrary, owner_id_of, shares

MAX_ROWS = 100


async def person_parts(request: Request, person: User) -> list[PersonPart]:
    """Loans and shared libraries between two people: six requests, where there are some."""
    if person.is_managed:
        return []
    ctx = request.context
    mine, theirs = owner_id_of(ctx.person.user_id), owner_id_of(person.user_id)
    lent, borrowed, given, gotten = await request.store.gather(
        lent_by_me(ctx, limit=MAX_ROWS),
        borrowed_from(ctx, [person.user_id]),
        ctx.store.page(shares(shared_from_id=mine), limit=MAX_ROWS),
        shared_with_me(ctx, limit=MAX_ROWS),
    )
    lent_rows = [
        _loan(
            request,
            one.item.title,
            one.item.due_date,
            addresses.item(one.item.library_id, one.item.item_id),
        )
        for one in lent.items
        if one.item.borrower_id == person.user_id
    ]
    borrowed_rows = [_loan(request, one.title, one.due_date, None) for one in borrowed]
    rows = await _libraries(
        ctx,
        [
            *(one for one in gotten.items if one.shared_from_id == theirs),
            *(one for one in given.items if one.shared_to_id == theirs),
        ],
    )
    name = {"name": person.display_name}
    found = [
        (_("You borrowed from %(name)s") % name, borrowed_rows),
        (_("You lent to %(name)s") % name, lent_rows),
        (_("Shared libraries"), rows),
    ]
    return [PersonPart(title=title, icon="library", rows=some) for title, some in found if some]


async def _libraries(ctx: Context, some: Iterable[SharedLibrary]) -> list[SharedThing]:
    """Returns the libraries that are shared, by name: one request where there are some."""
    # An index may still say so of what is no longer shared: the share itself is read, too.
    refs = [one.ref for one in some]
    found = await ctx.store.batch_get(refs) if refs else []
    return [
        SharedThing(
            title=one.library_name or _("Library"), address=addresses.library(one.library_id)
        )
        for one in found
        if one is not None
    ]


def _loan(request: Request, title: str, due: str | None, address: str | None) -> SharedThing:
    when = due_day(due, request.now, request.person)
    if when is None:
        return SharedThing(title=title, address=address or addresses.LOANS)
    return SharedThing(
        title=title,
        line=_("Due %(day)s") % {"day": calendar_day(when.date)},
        address=address or addresses.LOANS,
        tag=_("overdue") if when.is_overdue else "",
        is_late=when.is_overdue,
    )
