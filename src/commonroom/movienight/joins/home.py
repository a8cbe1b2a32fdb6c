"""What movie night adds to home: a missing vote, that all are in, tonight's film, a rating."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec import Struct

from commonroom.accounts.tables import User
from commonroom.http.request import Request
from commonroom.http.words import _, join_names
from commonroom.joins.home import (
    Featured,
    HomeCard,
    HomeFind,
    HomePart,
    HomeSource,
    card_key,
)
from commonroom.movienight import words
from commonroom.movienight.pages.film_cards import FilmCard, of_pick
from commonroom.movienight.pages.rounds import address_of
from commonroom.movienight.rules.rounds import attends, progress, status_of, steers
from commonroom.movienight.service.home import (
    TonightFind,
    find_tonight,
    home_version,
    version_of,
)
from commonroom.movienight.service.household_context import (
    HouseholdContext,
    find_household_context,
    household_of,
)
from commonroom.movienight.tables import Pick, Round, Suggestion

ICON = "movienight"
TONIGHT = "tonight"
"""The id of the part of home that shows the film."""


class RaterView(Struct, frozen=True):
    """A person at this screen who has not said yet how it was."""

    member: User
    is_you: bool
    card: str
    """The key of what is replaced once they have."""


class FilmTonight(Struct, frozen=True, kw_only=True):
    """The film that was picked: to look forward to, or to rate."""

    id: str
    heading: str
    """What it is called, by its day."""
    address: str
    card: FilmCard
    picked_at: str
    is_watched: bool
    raters: list[RaterView]
    ratings: Sequence[tuple[str, str]]
    """What can be said of it: its key and its words, to be translated."""


async def find(request: Request) -> HomeFind | None:
    """Tonight, for the caller and the children they bring: at most two requests."""
    member = request.caller.member
    if household_of(request.person, member) is None:
        return None
    ctx = await find_household_context(request.context, member)
    if ctx is None:
        return None
    tonight = await find_tonight(ctx)
    children = _children_of(ctx)
    refs = [*tonight.refs, *(User.at(user_id=one) for one in children)]

    def show(found: Sequence[Any]) -> HomePart:
        read = len(tonight.refs)
        here = [ctx.member, *(one for one in found[read:] if _is_child(ctx, one))]
        return part_of(ctx, tonight, found[:read], here)

    return HomeFind(show, refs)


def part_of(
    ctx: HouseholdContext, tonight: TonightFind, found: Sequence[Any], at_screen: Sequence[User]
) -> HomePart:
    """Tonight as those at this screen see it."""
    round_: Round | None = found[0] if found else None
    if round_ is None or round_.group_id != ctx.group_id:
        return HomePart(version=version_of(ctx.group.version, None))
    version = version_of(ctx.group.version, round_)
    if tonight.pick is None:
        return HomePart(needs=_open_round(ctx, round_, tonight.voted, at_screen), version=version)
    film = _film(ctx, round_, tonight.pick, found[1], at_screen)
    if film is None:
        return HomePart(version=version)
    featured = Featured(
        template="movienight/home_film.html", data=film, style="movienight/movienight.css"
    )
    return HomePart(featured=featured, version=version)


def _open_round(
    ctx: HouseholdContext, round_: Round, voted: frozenset[str], at_screen: Sequence[User]
) -> list[HomeCard]:
    """Returns what an open round waits for."""
    status, address = status_of(round_), address_of(round_.round_id)
    if status == "draft" and ctx.member_id == round_.started_by:
        return [
            HomeCard(
                key=card_key("shortlist", round_.round_id),
                icon=ICON,
                title=_("Your shortlist is ready"),
                line=_("Check it, then let everyone vote."),
                address=address,
                link=_("See the shortlist"),
            )
        ]
    counted = progress(voted, [one for one in ctx.group.member_ids if attends(one, round_)])
    if status == "voting" and counted.is_complete:
        return _votes_in(ctx, round_, at_screen)
    missing = [
        one for one in at_screen if attends(one.user_id, round_) and one.user_id not in voted
    ]
    if status != "voting" or not missing:
        return []
    said = words.evening_words(round_, ctx.now, ctx.person)
    is_mine = missing[0].user_id == ctx.member_id
    names = {"film": said.film, "names": join_names([one.display_name for one in missing])}
    return [
        HomeCard(
            key=card_key("vote", round_.round_id),
            icon=ICON,
            title=said.vote if is_mine else _("%(film)s: %(names)s can still vote") % names,
            line=words.progress(counted.voted, counted.attendees),
            address=address if is_mine else f"{address}/pass",
            link=_("Vote now") if is_mine else _("Vote on this device"),
            at=ctx.now,  # the others wait for it
        )
    ]


def _votes_in(ctx: HouseholdContext, round_: Round, at_screen: Sequence[User]) -> list[HomeCard]:
    """Leads those who watch, and those who may pick, to the result."""
    may_pick = any(steers(one.user_id, round_, ctx.group.created_by) for one in at_screen)
    if not may_pick and not any(attends(one.user_id, round_) for one in at_screen):
        return []
    return [
        HomeCard(
            key=card_key("votes-in", round_.round_id),
            icon=ICON,
            title=_("The votes are in"),
            line=_("See which film it is."),
            address=address_of(round_.round_id),
            link=_("See the result"),
            at=ctx.now if may_pick else None,  # the others wait for the pick
        )
    ]


def _film(
    ctx: HouseholdContext,
    round_: Round,
    pick: Pick,
    film: Suggestion | None,
    at_screen: Sequence[User],
) -> FilmTonight | None:
    """Returns the film to look forward to, or to rate by those here who have not yet.

    A round in which nothing has happened since an earlier version does not say who has.
    """
    status = status_of(round_)
    is_watched = status == "watched" and bool(round_.version)
    raters = [
        RaterView(one, index == 0, card_key("rate", round_.round_id, one.user_id))
        for index, one in enumerate(at_screen)
        if is_watched and attends(one.user_id, round_) and one.user_id not in round_.rated
    ]
    if status != "selected" and not raters:
        return None
    return FilmTonight(
        id=TONIGHT,
        heading=words.evening_words(round_, ctx.now, ctx.person).film,
        address=address_of(round_.round_id),
        card=of_pick(pick, film),
        picked_at=pick.picked_at,
        is_watched=is_watched,
        raters=raters,
        ratings=list(words.RATINGS.items()),
    )


def _children_of(ctx: HouseholdContext) -> list[str]:
    """Returns who in the household may be a child of the caller; nobody for a child."""
    if ctx.is_acting or not ctx.person.managed_count:
        return []
    return [one for one in ctx.group.member_ids if one.startswith("managed_")]


def _is_child(ctx: HouseholdContext, one: User | None) -> bool:
    return (
        one is not None and one.parent_user_id == ctx.member_id and one.household_id == ctx.group_id
    )


async def version(request: Request) -> str:
    """Returns what changes with tonight: two or three requests."""
    group_id = request.person.household_id
    return "" if group_id is None else await home_version(request.store, group_id)


HOME = HomeSource(find=find, for_children=True, version=version)
