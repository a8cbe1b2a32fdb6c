"""Lists that are attached to a plan: seen by those who may read each, as anywhere else."""

from __future__ import annotations

from collections.abc import Sequence

from commonroom.http.request import Request
from commonroom.http.words import lazy, pluralize
from commonroom.joins.attachments import (
    AttachmentCard,
    AttachmentKind,
    Claim,
    ThingChoice,
    ThingView,
)
from commonroom.joins.plans import MAX_PARTS, PlanDraft
from commonroom.store import Store, check, equal
from commonroom.watchlists.joins.attachable_data import ATTACHED_AS
from commonroom.watchlists.pages.addresses import watchlist as address_of
from commonroom.watchlists.request import visitor_of
from commonroom.watchlists.rules.lists import may_read
from commonroom.watchlists.service.access import load_lists, readable_contents, readable_list
from commonroom.watchlists.service.lists import my_lists
from commonroom.watchlists.service.saves import my_followed_lists
from commonroom.watchlists.tables import Watchlist

OFFERED = 20


async def choices(request: Request) -> list[ThingChoice]:
    """One's own lists, then those that one follows: three requests."""
    ctx = request.context
    mine = (await my_lists(ctx, limit=OFFERED)).items
    saved = (await my_followed_lists(ctx, limit=OFFERED)).items
    followed = [one.watchlist for one in saved if one.watchlist is not None]
    known = {one.watchlist_id: one for one in [*mine, *followed]}
    return [ThingChoice(one.watchlist_id, one.title, _state(one)) for one in known.values()]


async def claim(request: Request, typed: str) -> Claim:
    """Returns a list that the caller may read: one request."""
    found = await readable_list(visitor_of(request), typed)
    same = check(found.ref, if_=equal(is_public=found.is_public, curator_id=found.curator_id))
    return Claim(found.watchlist_id, [same])


async def load(request: Request, things: Sequence[AttachmentCard]) -> dict[str, ThingView]:
    """Returns the lists that the caller may read: one request."""
    me = visitor_of(request).user_id
    found = await load_lists(request.store, [one.thing_id for one in things])
    return {
        one.watchlist_id: ThingView(
            title=one.title,
            state=_state(one),
            address=address_of(one.watchlist_id),
            version=_version(one),
        )
        for one in found
        if may_read(one, me)
    }


async def versions(store: Store, _now: float, ids: Sequence[str]) -> dict[str, str]:
    """Returns the versions of lists: one request."""
    return {one.watchlist_id: _version(one) for one in await load_lists(store, ids)}


async def draft(request: Request, thing_id: str) -> PlanDraft:
    """Returns what a plan of a list begins with: its name and, one for each time, its titles."""
    found = await readable_contents(visitor_of(request), thing_id)
    titles = tuple(one.title for one in found.items[:MAX_PARTS])
    return PlanDraft(title=found.watchlist.title, parts=titles)


def _state(one: Watchlist) -> str:
    return pluralize("%(n)d title", "%(n)d titles", one.item_count)


def _version(one: Watchlist) -> str:
    return f"{one.version} {one.revision} {one.item_count}"


WATCHLIST = AttachmentKind(
    key=ATTACHED_AS,
    name=lazy("Lists"),
    icon="watchlists",
    nothing=lazy("Lists that you make or follow can be attached here."),
    choices=choices,
    claim=claim,
    load=load,
    versions=versions,
    draft=draft,
)
