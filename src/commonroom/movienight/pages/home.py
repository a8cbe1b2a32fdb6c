"""The household's home: who we are, tonight, and the last films; or how to come by a household."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec import Struct

from commonroom.accounts.tables import User
from commonroom.errors import Refusal
from commonroom.http.access import Need
from commonroom.http.arguments import Ctx
from commonroom.http.forms import EMPTY, FormState, Pages, as_list
from commonroom.http.live_updates import LiveUpdates
from commonroom.http.render import render
from commonroom.http.request import Request
from commonroom.http.responses import Response
from commonroom.http.routes import get
from commonroom.http.words import _, join_names
from commonroom.movienight import words
from commonroom.movienight.pages.film_cards import FilmCard, of_pick, of_wish
from commonroom.movienight.pages.history import WatchedFilmCard, watched_cards
from commonroom.movienight.pages.households import HERE as HOUSEHOLD
from commonroom.movienight.pages.households import ROOM, HouseholdForm, household_context
from commonroom.movienight.pages.members import MemberView, member_views
from commonroom.movienight.pages.rounds import address_of
from commonroom.movienight.request import context_of, own_context
from commonroom.movienight.rules.households import MAX_MEMBERS
from commonroom.movienight.rules.preferences import Attendee, TastesMissing, check_enough_tastes
from commonroom.movienight.service import households
from commonroom.movienight.service.home import (
    HomeDetails,
    Tonight,
    home_version,
    load_home,
    version_of,
)
from commonroom.movienight.service.household_context import HouseholdContext, find_household_context
from commonroom.movienight.tables import Pick, Round
from commonroom.movienight.words import EveningWords, evening_words

SHELF = 6
"""How many films a shelf on the home has."""


pages = Pages()


class TonightFace(Struct, frozen=True):
    """An attendee of tonight."""

    member_id: str
    user: User | None
    """None where they are no longer in the household."""
    voted: bool

    @property
    def display_name(self) -> str:
        """What they are called."""
        return _("Former member") if self.user is None else self.user.display_name

    @property
    def avatar_key(self) -> str | None:
        """Their picture."""
        return None if self.user is None else self.user.avatar_key


class TonightView(Struct, frozen=True, kw_only=True):
    """Tonight, or the last evening until everybody here has said how it was."""

    round: Round
    words: EveningWords
    """What its film and vote are called."""
    faces: list[TonightFace]
    is_yours: bool
    """Whether a vote or a rating of the caller is missing."""
    waits_for_child: bool
    """Whether one is missing of a member whom they manage."""
    starter: str
    is_started_by_you: bool
    pick: Pick | None
    card: FilmCard | None

    @property
    def address(self) -> str:
        """Its page."""
        return address_of(self.round.round_id)

    @property
    def company(self) -> str:
        """Everybody who takes part, by name."""
        return join_names([one.display_name for one in self.faces])

    @property
    def progress(self) -> str:
        """How many have voted, in words."""
        return words.progress(sum(one.voted for one in self.faces), len(self.faces))


class HomeView(Struct, frozen=True, kw_only=True):
    """A household as the caller sees it."""

    ctx: HouseholdContext
    everybody: list[MemberView]
    tonight: TonightView | None
    watched: list[WatchedFilmCard]
    wishes: list[FilmCard]
    version: str
    is_ready: bool
    """Whether enough of them have said what they like for films to be suggested."""

    @property
    def is_silent(self) -> bool:
        """Whether the caller has not said yet what they like."""
        return any(one.is_you and one.preferences is None for one in self.everybody)

    @property
    def is_open(self) -> bool:
        """Whether a round is open, so that no other can be started."""
        return self.ctx.group.open_round_id is not None

    @property
    def may_invite(self) -> bool:
        """Whether the caller can let others in."""
        return self.ctx.is_creator and self.ctx.group.member_count < MAX_MEMBERS


@pages.page(ROOM, Need.SIGNED_IN)
async def home(
    request: Request, form: FormState = EMPTY, error: Refusal | None = None
) -> Response[Any]:
    """The household's home; where there is no household, how to come by one."""
    ctx = await context_of(request)
    found = await find_household_context(ctx, request.caller.member) if error is None else None
    if found is None:
        return render(request, "movienight/start.html", **household_context(request, form))
    shown = home_view(found, await load_home(found))
    return render(request, "movienight/home.html", home=shown)


@pages.form(HOUSEHOLD, Need.NOT_ACTING, on=home, flash="household-made")
async def create_household(ctx: Ctx, data: HouseholdForm) -> None:
    """Makes a household."""
    services = as_list(data.streaming_services)
    await households.create_household(ctx, name=data.name, services=services)


@get(f"{ROOM}/live", Need.SIGNED_IN)
async def home_changes(request: Request) -> LiveUpdates:
    """Returns the version of the home, now and whenever the household or its evening changes."""
    store, group_id = request.store, (await own_context(request)).group_id

    async def version() -> str:
        return await home_version(store, group_id)

    async def lives_here(request: Request) -> bool:
        return (await own_context(request)).group_id == group_id

    return LiveUpdates(f"household#{group_id}", version, lives_here)


def home_view(ctx: HouseholdContext, details: HomeDetails) -> HomeView:
    """Returns a home as the caller sees it."""
    here = member_views(ctx, details.members, details.preferences)
    tonight = details.tonight
    return HomeView(
        ctx=ctx,
        everybody=here,
        tonight=None if tonight is None else tonight_view(ctx, here, tonight),
        watched=watched_cards(details.watched),
        wishes=[of_wish(one) for one in details.wishes[:SHELF]],
        version=version_of(ctx.group.version, None if tonight is None else tonight.round),
        is_ready=_is_ready(here),
    )


def tonight_view(
    ctx: HouseholdContext, here: Sequence[MemberView], tonight: Tonight
) -> TonightView | None:
    """Returns tonight as the caller sees it.

    None where the film was watched and nobody at this screen has still to say how it was.
    """
    users = {one.user.user_id: one.user for one in here}
    picked, round_ = tonight.picked, tonight.round
    done = tonight.voted if picked is None else frozenset(picked.ratings)
    missing = [
        one
        for one in tonight.attendees
        if one not in done and _is_at_this_screen(ctx, users.get(one))
    ]
    if round_.status == "watched" and not missing:
        return None
    starter = users.get(round_.started_by)
    return TonightView(
        round=round_,
        words=evening_words(round_, ctx.now, ctx.person),
        faces=[TonightFace(one, users.get(one), one in tonight.voted) for one in tonight.attendees],
        is_yours=ctx.member_id in missing,
        waits_for_child=any(one != ctx.member_id for one in missing),
        starter=_("Former member") if starter is None else starter.display_name,
        is_started_by_you=round_.started_by == ctx.member_id,
        pick=None if picked is None else picked.pick,
        card=None if picked is None else of_pick(picked.pick, picked.film),
    )


def _is_at_this_screen(ctx: HouseholdContext, user: User | None) -> bool:
    return user is not None and ctx.member_id in (user.user_id, user.parent_user_id)


def _is_ready(here: Sequence[MemberView]) -> bool:
    try:
        check_enough_tastes([Attendee(one.user, one.preferences) for one in here])
    except TastesMissing:
        return False
    return True


pages.include(home_changes)
