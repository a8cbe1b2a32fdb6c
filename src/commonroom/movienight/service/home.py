"""The home of a household: all that its page shows, in few requests."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
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
from commonroom.movienight.service.rounds.queries import get_ratings
from commonroom.movienight.service.wishes import list_wishes
from commonroom.movienight.tables import (
    Pick,
    Preferences,
    Round,
    Suggestion,
    Wish,
    group_by_id,
    votes_of_round,
    watch_history,
    watched_history,
)
from commonroom.store import Ref, Store
from commonroom.store.store import MAX_PAGE

WATCHED = 6
"""How many films the home looks back on."""


class PickDetails(Struct, frozen=True):
    """A film that was picked, its round, and what that knew of it."""

    pick: Pick
    round: Round
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
    group_id, open_id = ctx.group_id, ctx.group.open_round_id
    watched, voted, picked, wished = await ctx.store.gather(
        ctx.store.page(watched_history(group_id=group_id), limit=WATCHED),
        _load_voters(ctx.store, open_id),
        _last_pick(ctx.store, group_id, open_id),
        list_wishes(ctx),
    )
    refs = [*_tonight_refs(picked, open_id), *round_refs(watched.items)]
    everybody, beside = await load_everybody(ctx, beside=refs)
    found = iter(beside)
    opened = None if open_id is None else next(found)
    last = None if picked is None else await _load_pick(ctx.store, picked, next(found), next(found))
    here = [one.user_id for one in everybody.members if not one.is_gone]
    return HomeDetails(
        members=everybody.members,
        preferences=everybody.preferences,
        tonight=_tonight(opened, voted, last, here),
        watched=await join_rounds(ctx.store, watched.items, list(found)),
        wishes=wished,
    )


class TonightFind(Struct, frozen=True, kw_only=True):
    """What says which evening the household is about, and what of it is still to be read."""

    voted: frozenset[str]
    """Those who have voted, where a round is open."""
    pick: Pick | None
    """The last one, where none is."""
    refs: list[Ref[Any]]
    """The round; of a pick, its film as well."""


async def find_tonight(ctx: HouseholdContext) -> TonightFind:
    """Where tonight's round is to be read, for those who read it with other things: one request."""
    store, open_id = ctx.store, ctx.group.open_round_id
    voted = await _load_voters(store, open_id)
    pick = await _last_pick(store, ctx.group_id, open_id)
    return TonightFind(voted=voted, pick=pick, refs=list(_tonight_refs(pick, open_id)))


async def home_version(store: Store, group_id: str) -> str:
    """What changes whenever the home does: the household, or its evening. Two or three requests."""
    group = await store.get(group_by_id(group_id=group_id))
    if group is None:
        return "gone"
    round_id = group.open_round_id
    if (picked := await _last_pick(store, group_id, round_id)) is not None:
        round_id = picked.round_id
    tonight = None if round_id is None else await store.get(Round.at(round_id=round_id))
    return version_of(group.version, tonight)


def version_of(household: int, tonight: Round | None) -> str:
    """The version of a home: that of its household, and of its evening until that is over."""
    if tonight is None or status_of(tonight) in ("rated", "expired"):
        return f"{household}.0"
    return f"{household}.{tonight.version}"


async def _load_voters(store: Store, round_id: str | None) -> frozenset[str]:
    if round_id is None:
        return frozenset()
    votes = await store.page(votes_of_round(round_id=round_id), limit=MAX_PAGE)
    return frozenset(one.member_id for one in votes.items)


async def _last_pick(store: Store, group_id: str, open_id: str | None) -> Pick | None:
    """Returns the last pick, which is tonight's unless a round is open."""
    return None if open_id is not None else await store.first(watch_history(group_id=group_id))


def _tonight_refs(picked: Pick | None, open_id: str | None) -> Iterator[Ref[Any]]:
    """Yields the open round, or the round of the last pick with its film."""
    if open_id is not None:
        yield Round.at(round_id=open_id)
    if picked is not None:
        yield Round.at(round_id=picked.round_id)
        yield Suggestion.at(round_id=picked.round_id, tmdb_movie_id=picked.tmdb_movie_id)


async def _load_pick(
    store: Store, pick: Pick, round_: Round | None, film: Suggestion | None
) -> PickDetails | None:
    if round_ is None:
        return None
    return PickDetails(pick, with_current_status(round_), film, await get_ratings(store, round_))


def _tonight(
    opened: Round | None, voted: frozenset[str], last: PickDetails | None, members: Sequence[str]
) -> Tonight | None:
    """Returns the evening with those who take part and are still here."""
    if opened is not None and status_of(opened) in OPEN:
        attendees = _present(opened, members)
        return Tonight(round=with_current_status(opened), attendees=attendees, voted=voted)
    if last is not None and last.round.status in ("selected", "watched"):
        return Tonight(round=last.round, attendees=_present(last.round, members), picked=last)
    return None


def _present(round_: Round, members: Sequence[str]) -> list[str]:
    return [one for one in attendees_of(round_, members) if one in members]
