"""Rounds that are attached to a plan: how each stands, for members of its household alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, cast

from commonroom.errors import Conflict
from commonroom.http.request import Request
from commonroom.http.words import _, lazy, pluralize
from commonroom.joins.attachments import (
    AttachmentCard,
    AttachmentKind,
    Beginning,
    CarryingPlan,
    Claim,
    ThingChoice,
    ThingView,
)
from commonroom.joins.plans import PlanDraft
from commonroom.movienight import words
from commonroom.movienight.joins.attachable_data import ref_of
from commonroom.movienight.pages.rounds import address_of
from commonroom.movienight.request import film_source, own_context
from commonroom.movienight.rules.rounds import ATTACHED_AS, PICKED, WATCHED, Liked, status_of
from commonroom.movienight.service.household_context import household_of
from commonroom.movienight.service.members import list_members
from commonroom.movienight.service.rounds.conditions import no_such_round, round_at
from commonroom.movienight.service.rounds.lifecycle import create_round
from commonroom.movienight.tables import HouseholdMembership, Pick, Round, Vote, rounds_of_group
from commonroom.store import Ref, Store, Write, add, check, equal, stored, update
from commonroom.titles.posters import poster_address

OFFERED = 8


async def choices(request: Request) -> list[ThingChoice]:
    """Returns the last evenings of one's household: two requests."""
    group_id = _household(request)
    if group_id is None:
        return []
    page = await request.store.page(rounds_of_group(group_id=group_id), limit=OFFERED)
    rounds = [one for one in page.items if status_of(one) != "expired"]
    more = await _read_more(request.store, rounds)
    return [ThingChoice(one.round_id, _title(one, more), _state(one, more)) for one in rounds]


async def claim(request: Request, typed: str) -> Claim:
    """Returns a round of one's household: one request."""
    group_id = _household(request)
    found = await request.store.get(round_at(typed))
    if found is None or found.group_id != group_id:
        raise no_such_round()
    member = HouseholdMembership.at(group_id=found.group_id, user_id=request.person.user_id)

    def keep_plan(plan: CarryingPlan) -> Write:
        return update(
            found,
            plan_id=plan.plan_id,
            plan_day=plan.day,
            version=add(1),
            if_=equal(group_id=found.group_id),
        )

    return Claim(found.round_id, [check(member, if_=stored)], keep_plan)


async def load(request: Request, things: Sequence[AttachmentCard]) -> dict[str, ThingView]:
    """Rounds of the household of the caller; nothing of others'.

    One request, a second for the film that was picked and for who has voted, and none at all for
    the person who has no household.
    """
    group_id = _household(request)
    if group_id is None:
        return {}
    found = await _read(request.store, [one.thing_id for one in things])
    rounds = [one for one in found if one.group_id == group_id]
    more = await _read_more(request.store, rounds)
    return {
        one.round_id: ThingView(
            title=_title(one, more),
            state=_state(one, more),
            address=address_of(one.round_id),
            picture=_poster(one, more),
            version=str(one.version),
        )
        for one in rounds
    }


async def versions(store: Store, _now: float, ids: Sequence[str]) -> dict[str, str]:
    """Returns the versions of rounds, which everything that happens in them raises: one request."""
    return {one.round_id: str(one.version) for one in await _read(store, ids)}


async def begin(request: Request, people: Sequence[str]) -> str:
    """A new round of those of the household who come, or of everybody; the open one, if any."""
    ctx = await own_context(request)
    members = [one.user_id for one in await list_members(ctx.store, ctx.group_id)]
    coming = [one for one in members if one in people]
    try:
        made = await create_round(
            ctx,
            film_source(request),
            attendees=coming or members,
            wishes=ctx.group.wish_count > 0,
        )
    except Conflict as error:
        active: str | None = error.extensions.get("active_round_id")
        if active is None:
            raise
        return active
    return made.round_id


async def draft(request: Request, thing_id: str) -> PlanDraft:
    """Returns what a plan of a round begins with: its film."""
    group_id = _household(request)
    rounds = [one for one in await _read(request.store, [thing_id]) if one.group_id == group_id]
    if not rounds:
        raise no_such_round()
    pick = (await _read_more(request.store, rounds))[thing_id]
    film = pick.title if isinstance(pick, Pick) else None
    return PlanDraft(
        title=_("Movie night: %(film)s") % {"film": film} if film else _("Movie night")
    )


def _household(request: Request) -> str | None:
    """Returns the household of the caller; of a child who is acted for, only its own."""
    return household_of(request.person, request.caller.member)


async def _read(store: Store, ids: Sequence[str]) -> list[Round]:
    refs = [ref for one in ids if (ref := ref_of(one)) is not None]
    found = await store.batch_get(refs) if refs else []
    return [one for one in found if one is not None]


async def _read_more(store: Store, rounds: Sequence[Round]) -> Mapping[str, Any]:
    """The picks of some rounds, and the votes in those that are open, by round: one request."""
    refs: list[Ref[Any]] = []
    for one in rounds:
        if status_of(one) in PICKED and one.pick_id is not None:
            refs.append(Pick.at(pick_id=one.pick_id))
        elif status_of(one) == "voting":
            refs += [
                Vote.at(round_id=one.round_id, tmdb_movie_id=film, member_id=member)
                for film in one.films
                for member in one.attendees or ()
            ]
    more: dict[str, Any] = {one.round_id: set() for one in rounds}
    for found in await store.batch_get(refs) if refs else []:
        if isinstance(found, Pick):
            more[found.round_id] = found
        elif isinstance(found, Vote):
            more[found.round_id].add(found.member_id)
    return more


def _title(one: Round, more: Mapping[str, Any]) -> str:
    pick = more[one.round_id]
    return pick.title if isinstance(pick, Pick) else _("Movie night")


def _poster(one: Round, more: Mapping[str, Any]) -> str | None:
    pick = more[one.round_id]
    return poster_address(pick.poster_path) if isinstance(pick, Pick) else None


def _state(one: Round, more: Mapping[str, Any]) -> str:
    """Returns how a round stands, in a line; how anybody voted is not said."""
    status = status_of(one)
    if status == "voting" and one.attendees:
        return words.progress(len(more[one.round_id]), len(one.attendees))
    if status == "selected":
        return _("Picked for movie night")
    if status in WATCHED:
        loved = sum(cast("Liked", rating) == "loved" for rating in one.rated.values())
        if loved:
            return pluralize("Watched · %(n)d loved it", "Watched · %(n)d loved it", loved)
        return pluralize("Watched · %(n)d rating", "Watched · %(n)d ratings", len(one.rated))
    return _(words.STATES[status])


ROUND = AttachmentKind(
    key=ATTACHED_AS,
    name=lazy("Movie night"),
    icon="movienight",
    nothing=lazy("Movie nights of your household can be attached here."),
    choices=choices,
    claim=claim,
    load=load,
    versions=versions,
    beginning=Beginning(
        label=lazy("Pick a film for this evening"),
        offers=lambda request: _household(request) is not None,
        begin=begin,
    ),
    draft=draft,
)
