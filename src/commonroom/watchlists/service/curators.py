"""Curators: applying, and what an administrator decides; every step is recorded."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from commonroom.accounts.context import Context
from commonroom.errors import Forbidden
from commonroom.moments import iso
from commonroom.store import Page, Write, create, delete, update
from commonroom.watchlists.rules import curators as rules
from commonroom.watchlists.rules.curators import Decision, Step
from commonroom.watchlists.service.access import retry
from commonroom.watchlists.service.profiles import ensure_profile, load_profile, no_such_curator
from commonroom.watchlists.tables import (
    CuratorEntry,
    CuratorMove,
    CuratorStatus,
    Profile,
    curators_of_status,
)


@retry
async def apply(ctx: Context, motivation: str) -> Profile:
    """Asks to become a curator."""
    wanted = rules.motivation(motivation)
    profile = await ensure_profile(ctx)
    return await _step(ctx, profile, "apply", reason=None, motivation=wanted)


@retry
async def decide(ctx: Context, user_id: str, decision: Decision, reason: str = "") -> Profile:
    """Takes an administrator's step; the person reads why they are declined or suspended."""
    said = rules.reason(reason) if decision in rules.NEED_REASON else None
    _check_administrator(ctx)
    profile = await load_profile(ctx.store, user_id)
    if profile is None:
        raise no_such_curator()
    return await _step(ctx, profile, decision, reason=said, motivation=profile.motivation)


async def curators_with(
    ctx: Context, status: CuratorStatus, *, limit: int = 50, cursor: str | None = None
) -> Page[Profile]:
    """Who has a status, for administrators: two requests. Applications are those pending."""
    _check_administrator(ctx)
    page = await ctx.store.page(curators_of_status(status=status), limit=limit, cursor=cursor)
    found = await ctx.store.batch_get([Profile.at(user_id=one.user_id) for one in page.items])
    # Between the two reads another administrator may have decided.
    shown = [one for one in found if one is not None and one.curator_status == status]
    return Page(shown, page.seal)


async def _step(
    ctx: Context, profile: Profile, step: Step, *, reason: str | None, motivation: str | None
) -> Profile:
    """Takes a step, with the profile held as it was read: of two at once, one is refused."""
    to = rules.status_after(step, profile.curator_status)
    move = CuratorMove(to=to, by=ctx.person.user_id, at=iso(ctx.now), reason=reason)
    changes: dict[str, Any] = {
        "curator_status": to,
        "curator_since": move.at,
        "is_curator": to == "approved",
        "motivation": motivation,
        "curator_moves": rules.moves_after(profile, move),
        "updated_at": move.at,
    }
    entry = CuratorEntry(status=to, since=move.at, user_id=profile.user_id)
    await ctx.store.write(update(profile, **changes), create(entry), *entry_deletes(profile))
    return replace(profile, **changes, version=profile.version + 1)


def entry_deletes(profile: Profile) -> list[Write]:
    """Returns the writes that take a person out of those of their previous status."""
    status, since = profile.curator_status, profile.curator_since
    if status is None or since is None:
        return []
    return [delete(CuratorEntry.at(status=status, since=since, user_id=profile.user_id))]


def _check_administrator(ctx: Context) -> None:
    """Checks besides the route's own need that the caller is an administrator."""
    if not ctx.person.is_admin:
        raise Forbidden("Only an administrator can do this.")
