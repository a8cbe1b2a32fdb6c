"""Rounds: one as pages show it, its page, and how that page hears of changes."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any

from msgspec import Struct

from commonroom.accounts.tables import User
from commonroom.errors import Refusal
from commonroom.http.access import Need
from commonroom.http.forms import EMPTY, FormState, Pages
from commonroom.http.live_updates import LiveUpdates
from commonroom.http.redirects import path_part
from commonroom.http.render import render
from commonroom.http.request import Request
from commonroom.http.responses import Response
from commonroom.http.routes import get
from commonroom.http.words import _, join_names
from commonroom.joins.attachments import plan_link
from commonroom.joins.plans import plan_address
from commonroom.movienight import words
from commonroom.movienight.pages.film_cards import (
    NOWHERE,
    FilmCard,
    FilmPlaces,
    load_places,
    of_pick,
    of_suggestion,
)
from commonroom.movienight.request import OwnRound, own_round
from commonroom.movienight.rules.rounds import (
    ATTACHED_AS,
    FilmStanding,
    Liked,
    RoundStep,
    VotedFor,
    are_votes_visible,
    still_here,
)
from commonroom.movienight.service.household_context import HouseholdContext
from commonroom.movienight.service.rounds.queries import (
    FilmWithVotes,
    RoundContext,
    RoundDetails,
    load_details,
)
from commonroom.movienight.tables import Round
from commonroom.movienight.words import EveningWords, evening_words

ALL = "/movie-night/rounds"
ONE = f"{ALL}/{{round_id:str}}"


pages = Pages()


def name_of(user: User | None) -> str:
    """Returns a person's name, also when their account is deleted."""
    return _("Deleted member") if user is None else user.display_name


def address_of(round_id: str) -> str:
    """Returns a round's page, whatever stands in the address that it comes from."""
    return f"{ALL}/{path_part(round_id)}"


class AttendeeView(Struct, frozen=True, kw_only=True):
    """An attendee."""

    member_id: str
    user: User | None
    is_here: bool
    """Whether they are at this screen: the caller, and the members they manage."""
    is_member: bool
    """Whether they are still in the household."""
    films_left: int
    """On how many films they have not voted."""
    voted: bool
    rating: Liked | None

    @property
    def display_name(self) -> str:
        """What they are called."""
        return name_of(self.user)

    @property
    def avatar_key(self) -> str | None:
        """Their picture."""
        return None if self.user is None else self.user.avatar_key


class FilmInRound(Struct, frozen=True, kw_only=True):
    """A film of a round."""

    card: FilmCard
    vote: VotedFor | None
    """How the caller has voted on it."""
    votes: dict[str, VotedFor]
    """Of everybody: what of it is shown, `for_it` and `against_it` say."""
    for_it: str
    """Who is for it, by name, as far as the caller may see; empty while votes are secret."""
    against_it: str
    result: FilmStanding
    empty: int
    """How many could still vote on it."""
    proposed_by: str | None
    may_withdraw: bool


class RoundView(Struct, frozen=True, dict=True, kw_only=True):
    """A round, and whatever is shown with it."""

    ctx: HouseholdContext
    round: Round
    faces: list[AttendeeView]
    films: list[FilmInRound]
    """In the order in which they are shown."""
    ranked: list[FilmInRound]
    """The one that is ahead comes first."""
    pick: FilmCard | None
    details: RoundDetails

    @cached_property
    def address(self) -> str:
        """Its page."""
        return address_of(self.round.round_id)

    @cached_property
    def words(self) -> EveningWords:
        """What its film, vote and shortlist are called."""
        return evening_words(self.round, self.ctx.now, self.ctx.person)

    @property
    def may(self) -> frozenset[RoundStep]:
        """What the caller can do now."""
        return self.details.may

    @cached_property
    def here(self) -> list[AttendeeView]:
        """Those at this screen, the caller first."""
        mine = [one for one in self.faces if one.is_here]
        return sorted(mine, key=lambda one: one.member_id != self.ctx.member_id)

    @cached_property
    def films_left(self) -> int:
        """On how many films the caller has not voted."""
        return sum(one.vote is None for one in self.films)

    @property
    def progress(self) -> str:
        """How many have voted, in words."""
        return words.progress(self.details.progress.voted, self.details.progress.attendees)

    @property
    def is_complete(self) -> bool:
        """Whether everybody has voted."""
        return self.details.progress.is_complete

    @property
    def front(self) -> list[FilmInRound]:
        """The film that is ahead; several where it is a tie."""
        return [one for one in self.ranked if one.result.rank == 1]

    @cached_property
    def missing_votes(self) -> str:
        """Those who have not voted yet, by name; empty where everybody has."""
        return join_names([self.name_of(one) for one in self.details.waiting_for])

    @property
    def who_picks(self) -> str:
        """Who may pick the film, in words: who started the round, or the household's creator."""
        ids = dict.fromkeys((self.round.started_by, self.ctx.group.created_by))
        return words.who_picks(
            [self.name_of(one) for one in still_here(ids, self.details.people, self.ctx.group_id)]
        )

    @property
    def secrecy(self) -> str:
        """Who sees how a member votes, in words."""
        return words.secrecy(is_open=self.round.votes_are_open)

    @property
    def standing(self) -> str:
        """Which film is ahead, in words."""
        titles = {one.card.tmdb_movie_id: one.card.title for one in self.films}
        return words.standing(self.details.results, titles)

    @property
    def company(self) -> str:
        """Everybody who takes part, by name."""
        return join_names([one.display_name for one in self.faces])

    @property
    def relaxed(self) -> str | None:
        """What was given up to find enough films, in words."""
        return words.relaxed(self.round.relaxed_constraints)

    def name_of(self, member_id: str) -> str:
        """Returns the name of a person whom the round names."""
        return name_of(self.details.people.get(member_id))

    @property
    def rated(self) -> str:
        """How everybody liked it, in words; nobody waits for former members."""
        told = [one for one in self.faces if one.rating is not None or one.is_member]
        return words.rated([(one.display_name, one.rating) for one in told])

    @property
    def ratings(self) -> Mapping[Liked, str]:
        """What one can say of a film; translated when it is shown."""
        return words.RATINGS


@pages.page(ONE, Need.SIGNED_IN)
async def round_page(
    request: Request,
    here: OwnRound,
    form: FormState = EMPTY,
    error: Refusal | None = None,
) -> Response[Any]:
    """A round as it is now, perhaps with why something could not be done.

    One that a plan carries leads there, and asks nobody to plan it: two requests more.
    """
    round_id, plan_id = here.round.round_id, here.round.plan_id
    return render(
        request,
        "movienight/round.html",
        view=await load_round_view(here, request),
        plan=plan_id and await plan_link(request, plan_id, ATTACHED_AS, round_id),
        plan_address=None if plan_id else plan_address(request, ATTACHED_AS, round_id),
        form=form,
        active_round_id=None if error is None else error.extensions.get("active_round_id"),
    )


@get(f"{ONE}/live", Need.SIGNED_IN)
async def round_changes(request: Request, round_id: str) -> LiveUpdates:
    """Returns a round's version, now and whenever something happens in it."""
    store = request.store

    async def may_watch(request: Request) -> bool:
        await own_round(request)
        return True

    await may_watch(request)

    async def version() -> str:
        now = await store.get(Round.at(round_id=round_id))
        return "gone" if now is None else str(now.version)

    return LiveUpdates(f"round#{round_id}", version, may_watch)


async def load_round_view(here: RoundContext, request: Request | None = None) -> RoundView:
    """Returns a round as it is now: three requests, and the one for the context.

    With the caller's request, it also says from whose shelves and lists its films are.
    """
    details = await load_details(here)
    films = [one.film for one in details.films]
    places = NOWHERE if request is None else await load_places(request, films)
    return round_view(here.ctx, details, places)


def round_view(
    ctx: HouseholdContext, details: RoundDetails, places: FilmPlaces = NOWHERE
) -> RoundView:
    """Returns a round as the caller sees it."""
    standing = {one.tmdb_movie_id: one for one in details.results}
    films = [
        _film(ctx, details, one, standing[number], places.get(number, {}))
        for one in details.films
        for number in (one.film.tmdb_movie_id,)
    ]
    by_id = {one.card.tmdb_movie_id: one for one in films}
    picked = None if details.pick is None else by_id.get(details.pick.tmdb_movie_id)
    return RoundView(
        ctx=ctx,
        round=details.round,
        faces=[_attendee(ctx, details, member) for member in details.attendees],
        films=films,
        ranked=[by_id[one.tmdb_movie_id] for one in details.results],
        pick=picked.card if picked else of_pick(details.pick) if details.pick else None,
        details=details,
    )


def _film(
    ctx: HouseholdContext,
    details: RoundDetails,
    one: FilmWithVotes,
    result: FilmStanding,
    places: dict[str, str],
) -> FilmInRound:
    proposer = one.film.proposed_by
    return FilmInRound(
        card=of_suggestion(one.film, places),
        vote=one.votes.get(ctx.member_id),
        votes=one.votes,
        for_it=_voters(details, one, "up"),
        against_it=_voters(details, one, "down"),
        result=result,
        empty=max(0, details.progress.attendees - result.up - result.down),
        proposed_by=proposer,
        may_withdraw=proposer is not None and (ctx.is_creator or proposer == ctx.member_id),
    )


def _voters(details: RoundDetails, film: FilmWithVotes, vote: VotedFor) -> str:
    if not are_votes_visible(details.round):
        return ""
    voters = [member for member, cast in film.votes.items() if cast == vote]
    return join_names([name_of(details.people.get(one)) for one in voters])


def _attendee(ctx: HouseholdContext, details: RoundDetails, member_id: str) -> AttendeeView:
    user = details.attendees[member_id]
    voted = sum(member_id in one.votes for one in details.films)
    is_member = user is not None and user.household_id == ctx.group_id
    return AttendeeView(
        member_id=member_id,
        user=user,
        is_here=user is not None
        and is_member
        and ctx.member_id in (member_id, user.parent_user_id),
        is_member=is_member,
        films_left=len(details.films) - voted,
        voted=voted > 0,
        rating=details.ratings.get(member_id),
    )


pages.include(round_changes)
