"""Attendance: who takes part in a round, comes late, is taken out or leaves the household."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence

from commonroom.accounts.tables import User
from commonroom.errors import Conflict, Forbidden, InvalidField
from commonroom.moments import iso
from commonroom.movienight.rules.preferences import Attendee, passes, taste_of
from commonroom.movienight.rules.rounds import (
    OPEN,
    all_have_rated,
    attends,
    may_change_attendee,
    status_of,
)
from commonroom.movienight.service import retry
from commonroom.movienight.service.household_context import HouseholdContext
from commonroom.movienight.service.members import get_member, list_members
from commonroom.movienight.service.preferences import list_preferences
from commonroom.movienight.service.rounds.conditions import (
    check_state,
    creator_check,
    is_in_state,
    is_unchanged,
    member_check,
    take_step,
    write_step,
)
from commonroom.movienight.service.rounds.queries import (
    get_attendees,
    get_ratings,
    get_round,
    get_votes,
    present_attendees,
)
from commonroom.movienight.service.suggestions import replace_shortlist, shortlist
from commonroom.movienight.tables import (
    Household,
    HouseholdMembership,
    Round,
    Suggestion,
    Vote,
    rounds_of_group,
    suggestions_of_round,
)
from commonroom.store import ConditionFailed, Store, Write, check, delete, new, stored, update
from commonroom.titles.films import FilmSource

REMEMBERED_ROUNDS = 10
"""In how many rounds nobody waits any longer for the rating of a former member."""


async def add_attendee(
    ctx: HouseholdContext,
    films: FilmSource,
    round_id: str,
    member_id: str,
    *,
    drop_films: bool = False,
) -> None:
    """Lets one more member take part in an open round; being there already changes nothing.

    A vote loses the films that they may not see where `drop_films` says so; refused otherwise.
    """
    await _change(ctx, films, round_id, member_id, comes=True, drop_films=drop_films)


async def remove_attendee(
    ctx: HouseholdContext, films: FilmSource, round_id: str, member_id: str
) -> None:
    """Takes a member out of an open round, and their votes along."""
    await _change(ctx, films, round_id, member_id, comes=False)


@retry
async def _change(
    ctx: HouseholdContext,
    films: FilmSource,
    round_id: str,
    member_id: str,
    *,
    comes: bool,
    drop_films: bool = False,
) -> None:
    """A draft gets films for those who watch now, a vote goes on with its films."""
    round_ = await get_round(ctx, round_id)
    check_state(round_, *OPEN)
    member = await get_member(ctx.store, ctx.group_id, member_id)
    still = _change_checks(ctx, round_, member)
    before = await get_attendees(ctx.store, round_)
    if comes == (member_id in before):
        return
    after = [*before, member_id] if comes else [one for one in before if one != member_id]
    watching = await find_attendees(ctx, after)
    check_any_independent(watching)
    last = (await ctx.store.page(suggestions_of_round(round_id=round_id))).items
    if status_of(round_) == "draft":
        found = await shortlist(
            ctx,
            films,
            watching,
            round_id=round_id,
            wishes=any(one.from_wish_list for one in last),
            films_from=round_.films_from,
        )
        changes = {"attendees": after, "moved_by": ctx.person.user_id}
        writes = replace_shortlist(ctx, round_, last, found, **changes)
        await write_step(ctx, ("draft",), *writes, *still)
        return
    ceiling = taste_of(watching).ceiling
    dropped = [one for one in last if comes and not passes(one.content_rating, ceiling)]
    if dropped and not (drop_films and len(dropped) < len(last)):
        raise _too_high(member, dropped, of=len(last))
    kept = [one for one in last if one not in dropped]
    gone = await _votes_that_go(ctx.store, round_id, dropped, None if comes else member_id)
    await take_step(
        ctx,
        round_,
        "voting",
        *map(delete, dropped),
        *map(delete, gone),
        *still,
        attendees=after,
        films=[one.tmdb_movie_id for one in kept],
        proposals=count_proposals(kept),
    )


async def _votes_that_go(
    store: Store, round_id: str, films: Sequence[Suggestion], leaver: str | None
) -> list[Vote]:
    """Returns the votes on films that are dropped, or those of a member who leaves."""
    if not films and leaver is None:
        return []
    dropped = {one.tmdb_movie_id for one in films}
    votes = await get_votes(store, round_id)
    return [one for one in votes if one.member_id == leaver or one.tmdb_movie_id in dropped]


def _change_checks(ctx: HouseholdContext, round_: Round, member: User) -> list[Write]:
    """Returns the checks that the caller still may change whether a member takes part."""
    if not may_change_attendee(ctx.member_id, round_, ctx.group.created_by, member):
        raise Forbidden(
            "Only the person who started this movie night, the household’s creator "
            "and the members themselves can change who is watching."
        )
    own = (round_.started_by, member.user_id, member.parent_user_id)
    by = member_check(ctx) if ctx.member_id in own else creator_check(ctx)
    if member.user_id == ctx.member_id:
        return [by]
    there = HouseholdMembership.at(group_id=ctx.group_id, user_id=member.user_id)
    return [by, check(there, if_=stored)]


async def drop_leaver(store: Store, now: float, group_id: str, member_id: str) -> None:
    """Lets nobody wait any longer for a former member.

    Their votes in the open round go, and a round that only lacked their rating is over. Doing it
    again changes nothing.
    """
    await _drop_from_open_round(store, group_id, member_id)
    recent = await store.page(rounds_of_group(group_id=group_id), limit=REMEMBERED_ROUNDS)
    for one in recent.items:
        if status_of(one) == "watched" and attends(member_id, one):
            await _end_if_all_rated(store, now, one.round_id)


@retry
async def _drop_from_open_round(store: Store, group_id: str, member_id: str) -> None:
    group = await store.get(Household.at(group_id=group_id))
    if group is None or group.open_round_id is None:
        return
    round_ = await store.get(Round.at(round_id=group.open_round_id))
    if round_ is None or status_of(round_) not in OPEN or not attends(member_id, round_):
        return
    after = [one for one in await get_attendees(store, round_) if one != member_id]
    gone = check(HouseholdMembership.at(group_id=group_id, user_id=member_id), if_=new)
    dropped = update(round_.ref, attendees=after, if_=is_in_state(*OPEN) & is_unchanged(round_))
    votes = await _votes_that_go(store, round_.round_id, [], member_id)
    try:
        await store.write(gone, dropped, *map(delete, votes))
    except ConditionFailed as failed:
        if failed.operation.entity_type is not HouseholdMembership:
            raise  # who has come back meanwhile stays


@retry
async def _end_if_all_rated(store: Store, now: float, round_id: str) -> None:
    round_ = await store.get(Round.at(round_id=round_id))
    if round_ is None or status_of(round_) != "watched":
        return
    rated = await get_ratings(store, round_)
    if not all_have_rated(rated, await present_attendees(store, round_)):
        return
    ended = update(
        Round.at(round_id=round_id),
        status="rated",
        rated=rated,
        rated_at=iso(now),
        if_=is_in_state("watched") & is_unchanged(round_),
    )
    await store.write(ended)


def count_proposals(films: Iterable[Suggestion]) -> dict[str, int]:
    """Returns how many of some films each member has proposed."""
    return dict(Counter(one.proposed_by for one in films if one.proposed_by is not None))


def _too_high(member: User, films: Sequence[Suggestion], *, of: int) -> Conflict:
    """Returns why a member cannot join a vote, and which films would have to go."""
    if len(films) == of:
        return Conflict(
            f"{member.display_name} cannot join this vote: the rating of every film is too high. "
            "Cancel it and start a movie night with everyone."
        )
    titles = [one.title for one in films]
    return Conflict(
        f"{member.display_name} cannot join this vote as it is: the rating of "
        f"{', '.join(titles)} is too high.",
        films_too_high=titles,
    )


async def find_attendees(
    ctx: HouseholdContext, attendees: Collection[str] | None = None
) -> list[Attendee]:
    """Members of the household with what they like, all or some: three requests.

    Members who left meanwhile are not among them, and neither is a deleted account.
    """
    members, tastes = await ctx.store.gather(
        list_members(ctx.store, ctx.group_id), list_preferences(ctx)
    )
    return [
        Attendee(one.user, tastes.get(one.user_id))
        for one in members
        if one.user is not None and not one.is_gone
        if attendees is None or one.user_id in attendees
    ]


async def choose_attendees(
    ctx: HouseholdContext, attendees: Sequence[str] | None
) -> list[Attendee]:
    """Returns those who were chosen to take part, everybody where nobody was named."""
    found = await find_attendees(ctx, attendees)
    if attendees is not None and len(found) < len(set(attendees)):
        raise InvalidField("attendees", "Only members of the household can take part.")
    check_any_independent(found)
    return found


def check_any_independent(attendees: Iterable[Attendee]) -> None:
    """Refuses where only managed members would take part."""
    if all(one.member.is_managed for one in attendees):
        raise InvalidField("attendees", "Choose at least one person with their own account.")
