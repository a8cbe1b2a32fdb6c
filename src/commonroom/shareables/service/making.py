"""Making a page: its short id, its passcodes and its creator's pass, in one transaction."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Literal, TypeAlias

from msgspec import Struct
from msgspec.structs import asdict

from commonroom.accounts.errors import Unfit
from commonroom.accounts.passwords import hash_password
from commonroom.accounts.service.throttle import Limit, count_try
from commonroom.moments import iso
from commonroom.rate_limits import network_of
from commonroom.shareables.errors import NoRoom
from commonroom.shareables.rules.access import next_version, pass_for, passcode
from commonroom.shareables.rules.limits import USUAL, Limits
from commonroom.shareables.rules.polls import is_over
from commonroom.shareables.service.editing import Typed, fields_of, kind_of
from commonroom.shareables.service.gate import Opened, P, Page, as_admin
from commonroom.shareables.service.guest_storage import SHARDS, begin, count_new
from commonroom.shareables.service.listing import kept_by_creator
from commonroom.shareables.service.passes import Passes
from commonroom.shareables.service.pool import claim
from commonroom.shareables.tables import Checklist, Event, GuestPage, GuestStorage, Poll
from commonroom.store import ConditionFailed, Store, Write, put

Days: TypeAlias = Literal[1, 7, 30]

DAY = 24 * 3600
KEPT_DAYS = 365
"""How long an admin can still see and clone a page that is closed."""
SHARD_TRIES = 3 * SHARDS
"""How many ids are tried for one whose shard has room: any of them is as likely."""


class Made(Struct, frozen=True):
    """A new page and the creator's pass, which is also what the recovery link holds."""

    page: Page
    token: str


class Passcodes(Struct, frozen=True):
    """The passcodes that a page begins with."""

    view: str | None = None
    admin: str | None = None


OPEN = Passcodes()


async def make(
    store: Store,
    passes: Passes,
    now: float,
    typed: Typed,
    *,
    expires_after: Days,
    passcodes: Passcodes = OPEN,
    account_id: str | None = None,
    address: str = "",
    limits: Limits = USUAL,
) -> Made:
    """Makes a page; who may, with or without an account, is for an administrator to say."""
    limits.check_making()
    fields = fields_of(typed)
    await _count_making(store, now, account_id, address, limits)
    fields |= await _hashed(passcodes)
    return await _made(
        store,
        passes,
        now,
        kind_of(typed),
        expires_after=expires_after,
        account_id=account_id,
        fields=fields,
        limits=limits,
    )


async def clone(
    store: Store, passes: Passes, now: float, gate: Opened[P], *, account_id: str | None = None
) -> Made:
    """A new page like this one, without what people left on it; also of one that is closed.

    Its passcodes come along: what was protected stays so.
    """
    page: Page = as_admin(gate).page
    limits = gate.caller.limits
    limits.check_making()
    await _count_making(store, now, account_id, gate.caller.address, limits)
    kept = asdict(page)
    fields = {name: kept[name] for name in _CLONED[type(page)]}
    if isinstance(page, Poll) and is_over(now, page):
        fields["closes_at"] = None
    return await _made(
        store,
        passes,
        now,
        type(page),
        expires_after=page.expires_after,
        account_id=account_id,
        fields=fields,
        limits=limits,
    )


def ends(now: float, days: int) -> dict[str, Any]:
    """When a page closes, and when the database removes it."""
    closes = now + days * DAY
    return {"expires_at": iso(closes), "ttl": int(closes) + KEPT_DAYS * DAY}


_PASSCODES = ("view_passcode", "admin_passcode")
_CLONED: dict[type[Page], tuple[str, ...]] = {
    Checklist: (*_PASSCODES, "name", "note", "items", "ticks_shared"),
    Event: (
        *_PASSCODES,
        "name",
        "start_time",
        "end_time",
        "type",
        "location",
        "description",
        "is_rsvp_required",
        "rsvp_deadline",
        "rsvp_visibility",
        "time_zone",
    ),
    Poll: (*_PASSCODES, "name", "note", "results_visibility", "closes_at", "questions"),
}


async def _made(
    store: Store,
    passes: Passes,
    now: float,
    kind: type[Page],
    *,
    expires_after: Days,
    account_id: str | None,
    fields: dict[str, Any],
    limits: Limits,
) -> Made:
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
            **ends(now, expires_after),
            **fields,
        )

    def beside(page: Page) -> list[Write]:
        counted = count_new(page, limits) if page.is_counted else []
        return [*map(put, kept_by_creator(page)), *counted]

    page = await _claimed(store, now, page_at, beside)
    return Made(page, passes.sealed(pass_for(page, "creator")))


async def _claimed(
    store: Store,
    now: float,
    page_at: Callable[[str], Page],
    beside: Callable[[Page], Sequence[Write]],
) -> Page:
    """A page with an id of its own, in a shard that has room for it."""
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
    raise NoRoom


async def _count_making(
    store: Store, now: float, account_id: str | None, address: str, limits: Limits
) -> None:
    if account_id is not None:
        by_account = Limit("shareable-made-account", limits.account_pages_per_day, DAY)
        await count_try(store, now, by_account, account_id)
    else:
        from_address = Limit("shareable-made-address", limits.pages_per_day, DAY)
        await count_try(store, now, from_address, network_of(address))


async def _hashed(chosen: Passcodes) -> dict[str, str | None]:
    view = None if chosen.view is None else passcode(chosen.view)
    admin = None if chosen.admin is None else passcode(chosen.admin)
    if view is not None and view == admin:
        raise Unfit("passcode", "The two passcodes of a page must differ.")
    return {
        "view_passcode": None if view is None else await hash_password(view),
        "admin_passcode": None if admin is None else await hash_password(admin),
    }
