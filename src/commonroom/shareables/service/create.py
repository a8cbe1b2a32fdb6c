"""Making a page: its short id, its passcodes and its creator's pass, in one transaction."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from msgspec import UNSET, Struct
from msgspec.structs import replace

from commonroom.accounts.secrets import hash_password
from commonroom.accounts.service.throttle import Limit, count_try
from commonroom.errors import InvalidField
from commonroom.moments import iso
from commonroom.rate_limits import network_of
from commonroom.shareables.errors import GuestStorageFull, NeedsDates
from commonroom.shareables.rules.access import next_version, pass_for, passcode
from commonroom.shareables.rules.lifecycle import Days, check_dates, lifetime, outdated
from commonroom.shareables.service.edit import Typed, content_of, fields_of, kind_of, typed_from
from commonroom.shareables.service.gate import P, Page, PageAccess, ShareableVisitor, as_admin
from commonroom.shareables.service.guest_storage import SHARDS, begin, count_new
from commonroom.shareables.service.listing import creator_entries
from commonroom.shareables.service.pool import claim
from commonroom.shareables.tables import GuestPage, GuestStorage, Poll
from commonroom.shareables.tables.not_known import DAY
from commonroom.store import ConditionFailed, Store, Write, put

SHARD_TRIES = 3 * SHARDS
"""How many ids are tried for one whose shard has room: any of them is as likely."""


class Created(Struct, frozen=True):
    """A new page and the creator's pass, which is also what the recovery link holds."""

    page: Page
    token: str


class Passcodes(Struct, frozen=True):
    """The passcodes that a page begins with."""

    view: str | None = None
    admin: str | None = None


OPEN = Passcodes()


async def create_page(
    visitor: ShareableVisitor,
    typed: Typed,
    *,
    expires_after: Days,
    passcodes: Passcodes = OPEN,
    confirm_past: bool = False,
) -> Created:
    """Creates a page; who may, with or without an account, is for an administrator to say.

    What is to be in the past is asked about, unless that is confirmed.
    """
    visitor.limits.check_making()
    fields = fields_of(typed)
    is_guests = visitor.account_id is None
    check_dates(visitor.now, fields, is_guests=is_guests, confirm_past=confirm_past)
    await _count_creation(visitor)
    fields |= await _hash_passcodes(passcodes)
    return await _create(visitor, kind_of(typed), expires_after, fields)


async def clone_page(
    gate: PageAccess[P],
    typed: Typed | None = None,
    *,
    expires_after: Days | None = None,
    confirm_past: bool = False,
) -> Created:
    """Creates a page like this one, without what people left on it; also of one that is closed.

    `typed` is what it is to say, where that differs: what is past needs new dates. Its
    passcodes come along: what was protected stays so.
    """
    page: Page = as_admin(gate).page
    visitor = _visitor_of(gate)
    visitor.limits.check_making()
    kept = {name: getattr(page, name) for name in _PASSCODES}
    # What nobody touched is taken as it is: it may be older than a rule that it would meet now.
    fields = content_of(page) if typed is None else fields_of(typed, _unanswered(page))
    is_guests = visitor.account_id is None
    check_dates(gate.now, fields, is_guests=is_guests, confirm_past=confirm_past)
    await _count_creation(visitor)
    return await _create(visitor, type(page), expires_after or page.expires_after, kept | fields)


def _visitor_of(gate: PageAccess[Any]) -> ShareableVisitor:
    caller = gate.caller
    return ShareableVisitor(
        gate.store,
        gate.passes,
        gate.now,
        account_id=caller.account_id,
        address=caller.address,
        limits=caller.limits,
    )


def content_for_clone(now: float, page: Page, times: Mapping[str, Any]) -> Typed | None:
    """Returns what a page like another is to say, at these times; None where nothing differs.

    What is UNSET is as it was. What is over has to be said anew; with its start, an event's end and
    deadline are none.
    """
    chosen = {
        name: value for name, value in times.items() if hasattr(page, name) and value is not UNSET
    }
    past = outdated(now, page)
    if "start_time" in past:
        chosen = {"end_time": None, "rsvp_deadline": None} | chosen
    for name in past:
        if name not in chosen:
            raise NeedsDates(name)
    return replace(typed_from(page), **chosen) if chosen else None


def _unanswered(page: Page) -> Page:
    """Returns a page before anybody has answered it: a clone may become what it could not."""
    return replace(page, tally={}) if isinstance(page, Poll) else page


_PASSCODES = ("view_passcode", "admin_passcode")


async def _create(
    visitor: ShareableVisitor, kind: type[Page], expires_after: Days, fields: dict[str, Any]
) -> Created:
    now, account_id = visitor.now, visitor.account_id
    version = next_version(now, None)

    def page_at(short_id: str) -> Page:
        return kind(
            short_id=short_id,
            expires_after=expires_after,
            created_at=iso(now),
            updated_at=iso(now),
            created_by=account_id,
            is_counted=account_id is None,
            # Never 1: a pass of an earlier page with this id must not open this one.
            creator_token_version=version,
            view_passcode_version=version if fields["view_passcode"] else None,
            admin_passcode_version=version if fields["admin_passcode"] else None,
            **lifetime(now, expires_after, fields),
            **fields,
        )

    def beside(page: Page) -> list[Write]:
        counted = count_new(page, visitor.limits) if page.is_counted else []
        return [*map(put, creator_entries(page)), *counted]

    page = await _claim_id(visitor.store, now, page_at, beside)
    return Created(page, visitor.passes.seal(pass_for(page, "creator")))


async def _claim_id(
    store: Store,
    now: float,
    page_at: Callable[[str], Page],
    beside: Callable[[Page], Sequence[Write]],
) -> Page:
    """Returns a page with an id of its own, in a shard that has room for it."""
    for _ in range(SHARD_TRIES):
        try:
            return await claim(store, now, page_at, beside)
        except ConditionFailed as failed:
            kind = failed.operation.entity_type
            if kind not in (GuestPage, GuestStorage):
                raise
            if kind is GuestStorage and failed.entity is None:
                for shard in range(SHARDS):
                    await begin(store, shard)
    raise GuestStorageFull


async def _count_creation(visitor: ShareableVisitor) -> None:
    limits = visitor.limits
    if visitor.account_id is not None:
        limit = Limit("shareable-made-account", limits.account_pages_per_day, DAY)
        counted = visitor.account_id
    else:
        limit = Limit("shareable-made-address", limits.pages_per_day, DAY)
        counted = network_of(visitor.address)
    await count_try(visitor.store, visitor.now, limit, counted)


async def _hash_passcodes(chosen: Passcodes) -> dict[str, str | None]:
    view = None if chosen.view is None else passcode(chosen.view)
    admin = None if chosen.admin is None else passcode(chosen.admin)
    if view is not None and view == admin:
        raise InvalidField("passcode", "The two passcodes must be different.")
    return {
        "view_passcode": None if view is None else await hash_password(view),
        "admin_passcode": None if admin is None else await hash_password(admin),
    }
