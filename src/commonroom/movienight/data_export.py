"""What movie night keeps of a person, for their data export."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from commonroom.accounts.tables import User, managed_members
from commonroom.movienight.rules.rounds import attendees_of
from commonroom.movienight.tables import (
    Round,
    Vote,
    group_by_id,
    preferences_of_group,
    rounds_of_group,
    votes_of_round,
    wishes_of_group,
)
from commonroom.store import Store


async def export_person(store: Store, person: User) -> dict[str, Any]:
    """Returns a person's household, and all that they and the members they manage did there."""
    if person.household_id is None:
        return {}
    managed = [one async for one in store.all(managed_members(parent_user_id=person.user_id))]
    theirs = {one.user_id for one in (person, *managed)}
    group_id = person.household_id
    group = await store.get(group_by_id(group_id=group_id))
    tastes = [one async for one in store.all(preferences_of_group(group_id=group_id))]
    wishes = [one async for one in store.all(wishes_of_group(group_id=group_id))]
    return {
        "household": None if group is None else group.name,
        "preferences": [one.to_item() for one in tastes if one.user_id in theirs],
        "wishes": [one.to_item() for one in wishes if one.added_by in theirs],
        "evenings": await _evenings(store, group_id, theirs),
    }


async def _evenings(store: Store, group_id: str, theirs: set[str]) -> list[dict[str, Any]]:
    rounds = [one async for one in store.all(rounds_of_group(group_id=group_id))]
    votes = await _votes(store, rounds, theirs)
    evenings = []
    for round_ in rounds:
        cast = [
            {"film": one.tmdb_movie_id, "member": one.member_id, "vote": one.vote}
            for one in votes[round_.round_id]
        ]
        ratings = {member: rated for member, rated in round_.rated.items() if member in theirs}
        if cast or ratings:
            evenings.append({"day": round_.created_at, "votes": cast, "ratings": ratings})
    return evenings


async def _votes(
    store: Store, rounds: Sequence[Round], theirs: set[str]
) -> defaultdict[str, list[Vote]]:
    """Returns their votes by round: one request for every hundred that they may have cast.

    A round of an earlier version does not name its films, and needs a request of its own.
    """
    refs = [
        Vote.at(round_id=one.round_id, tmdb_movie_id=film, member_id=member)
        for one in rounds
        for member in attendees_of(one, sorted(theirs))
        if member in theirs
        for film in one.films
    ]
    found = [one for one in await store.batch_get(refs) if one is not None]
    for one in rounds:
        if not one.films:
            votes = store.all(votes_of_round(round_id=one.round_id))
            found += [vote async for vote in votes if vote.member_id in theirs]
    by_round: defaultdict[str, list[Vote]] = defaultdict(list)
    for vote in found:
        by_round[vote.round_id].append(vote)
    return by_round
