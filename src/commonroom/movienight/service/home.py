"""The home of a household: all that its page shows, in few requests."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec import Struct

from commonroom.movienight.rules.households import RosterMember
from commonroom.movienight.rules.rounds import (
    OPEN,
    Liked,
    attendees_of,
    status_of,
    with_current_status,
)
from commonroom.movienight.service.history import PastFilm, join_rounds, round_refs
from commonroom.movienight.service.household_context import HouseholdContext
from commonroom.movienight.service.members import load_everybody
from commonroom.movienight.service.rounds.queries import get_ratings, get_votes
from commonroom.movienight.service.wishes import list_wishes
from commonroom.movienight.tables import (
    Pick,
    Preferences,
    Round,
    Suggestion,
    Wish,
    group_by_id,
    watch_history,
    watched_history,
)
from commonroom.store import Ref, Store

WATCHED = 6
"""How many films the home looks back on."""


class PickDetails(Struct, frozen=True):
    """A film that was picked, and what its round knew of it."""

    pick: Pick
    film: Suggestion | None
    ratings: dict[str, Liked]
    """Who liked it how much."""


class Tonight(Struct, frozen=True, kw_only=True):
    """The evening that the household is about: one that is open, or the last film picked."""

    round: Round
    attendees: list[str]
    voted: frozenset[str] = frozenset()
    """Those who have voted, while the round is open."""
    picked: PickDetails | None = None
    """From the pick on."""


class HomeDetails(Struct, frozen=True, kw_only=True):
    """A household with everything that matters in it."""

    members: list[RosterMember]
    """The longest-standing first."""
    preferences: dict[str, Preferences]
    tonight: Tonight | None
    """None where nothing is open and the last evening is over."""
    watched: list[PastFilm]
    """The newest first."""
    wishes: list[Wish]
    """The newest first."""


async def load_home(ctx: HouseholdContext) -> HomeDetails:
    """Returns the household as it is now: four requests, and the one for the context.

    Households and rounds that nothing happened in since an earlier version need one more each.
    """
    watched, find, wished = await ctx.store.gather(
        ctx.store.page(watched_history(group_id=ctx.group_id), limit=WATCHED),
        find_tonight(ctx),
        list_wishes(ctx),
    )
    refs = [*find.refs, *round_refs(watched.items)]
    everybody, beside = await load_everybody(ctx, beside=refs)
    found, rounds = beside[: len(find.refs)], beside[len(find.refs) :]
    here = [one.user_id for one in everybody.members if not one.is_gone]
    return HomeDetails(
        members=everybody.members,
        preferences=everybody.preferences,
        tonight=await _tonight(ctx.store, find, found, here),
        watched=await join_rounds(ctx.store, watched.items, rounds),
        wishes=wished,
    )


class TonightFind(Struct, frozen=True, kw_only=True):
    """What says which evening the household is about, and what of it is still to be read."""

    voted: frozenset[str] = frozenset()
    """Those who have voted, where a round is open."""
    pick: Pick | None = None
    """The last one, where none is."""
    refs: list[Ref[Any]] = []
    """The round; of a pick, its film as well."""


async def find_tonight(ctx: HouseholdContext) -> TonightFind:
    """Where tonight's round is to be read, for those who read it with other things: one request."""
    if (open_id := ctx.group.open_round_id) is not None:
        voted = frozenset(one.member_id for one in await get_votes(ctx.store, open_id))
        return TonightFind(voted=voted, refs=[Round.at(round_id=open_id)])
    pick = await ctx.store.first(watch_history(group_id=ctx.group_id))
    if pick is None:
        return TonightFind()
    film = Suggestion.at(round_id=pick.round_id, tmdb_movie_id=pick.tmdb_movie_id)
    return TonightFind(pick=pick, refs=[Round.at(round_id=pick.round_id), film])


async def home_version(store: Store, group_id: str) -> str:
    """What changes whenever the home does: the household, or its evening. Two or three requests."""
    group = await store.get(group_by_id(group_id=group_id))
    if group is None:
        return "gone"
    round_id = group.open_round_id
    if round_id is None and (picked := await store.first(watch_history(group_id=group_id))):
        round_id = picked.round_id
    tonight = None if round_id is None else await store.get(Round.at(round_id=round_id))
    return version_of(group.version, tonight)


def version_of(household: int, tonight: Round | None) -> str:
    """The version of a home: that of its household, and of its evening until that is over."""
    if tonight is None or status_of(tonight) in ("rated", "expired"):
        return f"{household}.0"
    return f"{household}.{tonight.version}"


async def _tonight(
    store: Store, find: TonightFind, found: Sequence[Any], members: Sequence[str]
) -> Tonight | None:
    """Returns the evening with those who take part and are still here."""
    stored: Round | None = next(iter(found), None)
    if stored is None:
        return None
    round_ = with_current_status(stored)
    attendees = [one for one in attendees_of(round_, members) if one in members]
    if find.pick is None:
        is_open = round_.status in OPEN
        return Tonight(round=round_, attendees=attendees, voted=find.voted) if is_open else None
    if round_.status not in ("selected", "watched"):
        return None
    picked = PickDetails(find.pick, found[1], await get_ratings(store, stored))
    return Tonight(round=round_, attendees=attendees, picked=picked)
