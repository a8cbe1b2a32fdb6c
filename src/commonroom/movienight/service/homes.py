"""The home of a household: all that its page shows, in few requests."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

from msgspec import Struct

from commonroom.accounts.tables import User
from commonroom.movienight.rules.households import Member, longest_standing
from commonroom.movienight.rules.rounds import (
    OPEN,
    Liked,
    as_it_is_now,
    attendees_of,
    status_of,
)
from commonroom.movienight.service.films.wishing import wishes
from commonroom.movienight.service.preferences import preferences_of
from commonroom.movienight.service.rounds.earlier import ratings_in
from commonroom.movienight.service.seats import Seat
from commonroom.movienight.tables import (
    Membership,
    Pick,
    Preferences,
    Round,
    Suggestion,
    Wish,
    group_by_id,
    members_of_group,
    rounds_of_group,
    votes_of_round,
    watch_history,
)
from commonroom.store import Ref, Store
from commonroom.store.store import LONGEST_PAGE

PICKS = 7
"""How far the home looks back: the film of tonight, and half a dozen before."""


class PickSeen(Struct, frozen=True):
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
    picked: PickSeen | None = None
    """From the pick on."""


class HomeSeen(Struct, frozen=True, kw_only=True):
    """A household with everything that matters in it."""

    members: list[Member]
    """The longest-standing first."""
    preferences: dict[str, Preferences]
    tonight: Tonight | None
    """None where nothing is open and the last evening is over."""
    watched: list[PickSeen]
    """The newest first."""
    wishes: list[Wish]
    """The newest first."""


async def see_home(store: Store, seat: Seat) -> HomeSeen:
    """The household as it is now: six requests, and the one for the seat.

    Rounds that nothing happened in since an earlier version need one more each.
    """
    group_id, open_id = seat.group_id, seat.group.open_round_id
    seats, tastes, picks, voted, wished = await asyncio.gather(
        store.page(members_of_group(group_id=group_id)),
        preferences_of(store, seat),
        store.page(watch_history(group_id=group_id), limit=PICKS),
        _voted(store, open_id),
        wishes(store, seat),
    )
    members, seen, opened = await _found(store, seats.items, picks.items, open_id)
    return HomeSeen(
        members=members,
        preferences=tastes,
        tonight=_tonight(opened, voted, seen, [one.user_id for one in members]),
        watched=[one for one in seen if one.pick.watched],
        wishes=wished,
    )


async def home_version(store: Store, group_id: str) -> str:
    """What changes whenever the home does: the household, or its evening. Two requests."""
    group = await store.get(group_by_id(group_id=group_id))
    if group is None:
        return "gone"
    if group.open_round_id is not None:
        newest = await store.get(Round.at(round_id=group.open_round_id))
    else:
        newest = await store.first(rounds_of_group(group_id=group_id))
    return version_of(group.version, newest)


def version_of(household: int, newest: Round | None) -> str:
    """The version of a home: that of its household, and of its newest round until that is over."""
    if newest is None or status_of(newest) in ("rated", "expired"):
        return f"{household}.0"
    return f"{household}.{newest.version}"


async def _voted(store: Store, round_id: str | None) -> frozenset[str]:
    if round_id is None:
        return frozenset()
    votes = await store.page(votes_of_round(round_id=round_id), limit=LONGEST_PAGE)
    return frozenset(one.member_id for one in votes.items)


async def _found(
    store: Store, seats: Sequence[Membership], picks: Sequence[Pick], open_id: str | None
) -> tuple[list[Member], list[PickSeen], Round | None]:
    """Everybody, the rounds of the picks with their films, and the open round: one request."""
    refs: list[Ref[Any]] = [
        *(User.at(user_id=one.user_id) for one in seats),
        *(Round.at(round_id=one.round_id) for one in picks),
        *(Suggestion.at(round_id=one.round_id, tmdb_movie_id=one.tmdb_movie_id) for one in picks),
        *([] if open_id is None else [Round.at(round_id=open_id)]),
    ]
    found = iter(await store.batch_get(refs))
    members = [Member(next(found), one) for one in seats]
    rounds = [next(found) for _ in picks]
    films = [next(found) for _ in picks]
    opened = next(found, None)
    seen = [
        PickSeen(pick, as_it_is_now(round_), film, await ratings_in(store, round_))
        for pick, round_, film in zip(picks, rounds, films, strict=True)
        if round_ is not None
    ]
    return sorted(members, key=longest_standing), seen, opened


def _tonight(
    opened: Round | None, voted: frozenset[str], picks: Sequence[PickSeen], members: Sequence[str]
) -> Tonight | None:
    if opened is not None and status_of(opened) in OPEN:
        attendees = attendees_of(opened, members)
        return Tonight(round=as_it_is_now(opened), attendees=attendees, voted=voted)
    if picks and picks[0].round.status in ("selected", "watched"):
        last = picks[0]
        attendees = attendees_of(last.round, members)
        return Tonight(round=last.round, attendees=attendees, picked=last)
    return None
