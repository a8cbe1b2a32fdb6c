"""Loans: the item, its event and all that counts loans, in one transaction; and lists of them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from commonroom.accounts.context import Context
from commonroom.accounts.service.find_account import find_account
from commonroom.accounts.tables import User
from commonroom.errors import Conflict, NeedsConfirmation
from commonroom.library.rules import loans as rules
from commonroom.library.rules import names
from commonroom.library.rules.loans import is_overdue, today
from commonroom.library.service.access import Owned, own_item, retry
from commonroom.library.service.item_writes import loan_deletes, loan_writes, timer_changes
from commonroom.library.tables import (
    Book,
    BorrowedItem,
    Library,
    LoanEvent,
    Video,
    borrowed_items,
    loans,
    owner_id_of,
)
from commonroom.moments import iso
from commonroom.store import Page, Ref, Write, absent, add, check, create, present, stored, update

MAX_OFFERED = 8
MAX_BORROWED = 100

NO_LOAN: dict[str, Any] = {
    "lent_to": None,
    "lent_at": None,
    "due_date": None,
    "borrower_id": None,
    "overdue_at": None,
}


class Lent(Struct, frozen=True):
    """Something that is lent."""

    item: Book | Video
    is_overdue: bool


class Borrowed(Struct, frozen=True):
    """A borrowed item: all that its borrower is told of it."""

    item_id: str
    title: str
    picture_url: str | None
    owner_name: str | None
    lent_at: str | None
    due_date: str | None
    is_overdue: bool
    version: int
    updated_at: str | None


class Borrower(Struct, frozen=True):
    """A person to lend to in one tap."""

    name: str
    has_account: bool
    """Whether what they have now is lent to an account, as the next thing then is."""


async def lent_by_me(ctx: Context, *, limit: int = 50, cursor: str | None = None) -> Page[Lent]:
    """What a person has lent from all their libraries, the earliest due first: one request."""
    asked = loans(owner_id=owner_id_of(ctx.person.user_id))
    page = await ctx.store.page(asked, limit=limit, cursor=cursor)
    day = today(ctx.now, ctx.person)
    return Page([Lent(one, is_overdue(one, day)) for one in page.items], page.seal)


async def borrowed_by_me(
    ctx: Context, *, limit: int = 50, cursor: str | None = None
) -> Page[Borrowed]:
    """Returns what others have lent to a person's account: two requests."""
    asked = borrowed_items(borrower_id=owner_id_of(ctx.person.user_id))
    page = await ctx.store.page(asked, limit=limit, cursor=cursor)
    return Page(await _read_borrowed(ctx, page.items), page.seal)


async def borrowed_from(ctx: Context, owner_ids: Collection[str]) -> list[Borrowed]:
    """Returns what some people have lent to another: two requests, one where there is nothing."""
    asked = borrowed_items(borrower_id=owner_id_of(ctx.person.user_id))
    page = await ctx.store.page(asked, limit=MAX_BORROWED)
    owners = {owner_id_of(one) for one in owner_ids}
    return await _read_borrowed(ctx, [one for one in page.items if one.owner_id in owners])


async def _read_borrowed(ctx: Context, pointers: Sequence[BorrowedItem]) -> list[Borrowed]:
    found = await ctx.store.batch_get([ref_of(one) for one in pointers]) if pointers else []
    day = today(ctx.now, ctx.person)
    # Only what says so itself: between the two requests it may have been returned.
    mine = [one for one in found if one is not None and one.borrower_id == ctx.person.user_id]
    return [_borrowed(one, day) for one in mine]


async def known_borrowers(ctx: Context, past: Iterable[rules.Loan]) -> list[Borrower]:
    """Returns who had the item before, the last first, then other borrowers: one request."""
    lent = (await lent_by_me(ctx)).items
    known: dict[str, str] = {}
    for name in (*(one.borrower for one in past), *(one.item.lent_to or "" for one in lent)):
        known.setdefault(name.casefold(), name)
    offered = list(known.values())[:MAX_OFFERED]
    return [Borrower(one, _account_id(lent, one) is not None) for one in offered]


async def address_of_borrower(ctx: Context, name: str) -> str | None:
    """Returns the address of the account that has something under a name; two requests.

    It is looked up and not sent with the page: a new address of theirs is not the lender's to see.
    """
    account_id = _account_id((await lent_by_me(ctx)).items, name)
    if account_id is None:
        return None
    account = await ctx.store.get(User.at(user_id=account_id))
    return None if account is None or account.disabled_at is not None else account.email


def _account_id(lent: Iterable[Lent], name: str) -> str | None:
    """Returns the one account that has something under this name; None where that is not clear."""
    same = [one.item.borrower_id for one in lent if one.item.lent_to == name]
    return same[0] if len(set(same)) == 1 else None


def ref_of(pointer: BorrowedItem) -> Ref[Book | Video]:
    """Returns where something that is borrowed is stored."""
    kind = Book if pointer.type == 0 else Video
    return kind.at(
        owner_id=pointer.owner_id, library_id=pointer.library_id, item_id=pointer.item_id
    )


def _borrowed(item: Book | Video, day: str) -> Borrowed:
    return Borrowed(
        item.item_id,
        item.title,
        item.picture_url,
        item.owner_name,
        item.lent_at,
        item.due_date,
        is_overdue(item, day),
        item.version,
        item.updated_at,
    )


async def lend(
    ctx: Context,
    library_id: str,
    item_id: str,
    *,
    to: str,
    due: str | None = None,
    email: str | None = None,
    asked_from: str = "",
    past_due: bool = False,
) -> Book | Video:
    """Lends an item; a borrower with the account of `email` finds it among what they borrowed.

    A due date in the past is taken only with `past_due`.
    """
    name, due_date = names.borrower(to), rules.due_date(due, ctx.now)
    borrower: User | None = None

    @retry
    async def attempt() -> Book | Video:
        nonlocal borrower
        owned, item = await own_item(ctx, library_id, item_id)
        if item.lent_to is not None:
            told = {"lent_to": item.lent_to, "lent_at": item.lent_at, "due_date": item.due_date}
            raise Conflict(f"It is already lent to {item.lent_to}.", **told)
        _check_due(ctx.now, owned, due_date, past_due=past_due)
        if email is not None and borrower is None:
            # Last, so that nobody finds out who has an account where nothing can be lent.
            borrower = await find_account(ctx, email, asked_from=asked_from)
        at = rules.next_moment(ctx.now, item.last_event_at)
        changes = {
            "lent_to": name,
            "lent_at": at,
            "borrower_id": None if borrower is None else borrower.user_id,
            "last_event_at": at,
            "updated_at": iso(ctx.now),
            **_due(ctx.now, owned, due_date),
        }
        lent = replace(item, **changes, version=item.version + 1)
        await ctx.store.write(
            update(item, **changes, if_=absent("lent_to")),
            create(_event(lent, "LENT", at)),
            _counted(owned.library, 1),
            *loan_writes(lent),
            # A person who is deleted in this moment leaves no pointer behind.
            *([] if borrower is None else [check(borrower, if_=stored)]),
        )
        return lent

    return await attempt()


@retry
async def return_item(ctx: Context, library_id: str, item_id: str) -> Book | Video:
    """Takes an item back."""
    owned, item = await _lent(ctx, library_id, item_id)
    at = rules.next_moment(ctx.now, item.last_event_at or item.lent_at)
    changes = {**NO_LOAN, "last_event_at": at, "updated_at": iso(ctx.now)}
    returned = replace(_event(item, "RETURNED", at), lent_at=item.lent_at)
    await ctx.store.write(
        update(item, **changes, if_=present("lent_to")),
        create(returned),
        _counted(owned.library, -1),
        *loan_deletes(item),
    )
    return replace(item, **changes, version=item.version + 1)


@retry
async def change_due_date(
    ctx: Context, library_id: str, item_id: str, *, due: str | None, past_due: bool = False
) -> Book | Video:
    """Says anew when something that is lent should be back; None takes the date away.

    A date in the past is taken only with `past_due`, or where it is the one that stands there.
    """
    due_date = rules.due_date(due, ctx.now)

    owned, item = await _lent(ctx, library_id, item_id)
    _check_due(ctx.now, owned, due_date, past_due=past_due or due_date == item.due_date)
    changes = {**_due(ctx.now, owned, due_date), "updated_at": iso(ctx.now)}
    after = replace(item, **changes, version=item.version + 1)
    changed = update(item, **changes, if_=present("lent_to"))
    await ctx.store.write(changed, *timer_changes(item, after))
    return after


async def _lent(ctx: Context, library_id: str, item_id: str) -> tuple[Owned, Book | Video]:
    owned, item = await own_item(ctx, library_id, item_id)
    if item.lent_to is None:
        raise Conflict("It is not lent to anyone.")
    return owned, item


def _check_due(now: float, owned: Owned, due_date: str | None, *, past_due: bool) -> None:
    """Asks about a due date that is over: it is a slip more often than not."""
    if due_date is not None and not past_due and due_date < rules.today(now, owned.owner):
        raise NeedsConfirmation(
            "This date is in the past. Choose another, or confirm it.", field="due_date"
        )


def _due(now: float, owned: Owned, due_date: str | None) -> dict[str, str | None]:
    """Returns the due date, and the moment of the timer where that is still to come."""
    if due_date is None:
        return {"due_date": None, "overdue_at": None}
    overdue = rules.overdue_from(due_date, owned.owner)
    return {"due_date": due_date, "overdue_at": iso(overdue) if overdue > now else None}


def _event(item: Book | Video, kind: Any, at: str) -> LoanEvent:
    return LoanEvent(
        owner_id=item.owner_id,
        library_id=item.library_id,
        item_id=item.item_id,
        type=kind,
        event=item.lent_to or "",
        updated_at=at,
        due_date=item.due_date,
    )


def _counted(library: Library, lent: int) -> Write:
    return update(library.ref, lent_items=add(lent))
