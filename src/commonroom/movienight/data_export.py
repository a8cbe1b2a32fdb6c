"""What movie night keeps of a person, for whoever takes their data along."""

from __future__ import annotations

from typing import Any

from commonroom.accounts.tables import User, managed_members
from commonroom.movienight.tables import (
    group_by_id,
    preferences_of_group,
    rounds_of_group,
    votes_of_round,
    wishes_of_group,
)
from commonroom.store import Store


async def export_person(store: Store, person: User) -> dict[str, Any]:
    """A person's household, and all that they and the members they manage did there."""
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
    evenings = []
    async for round_ in store.all(rounds_of_group(group_id=group_id)):
        votes = [
            {"film": one.tmdb_movie_id, "member": one.member_id, "vote": one.vote}
            async for one in store.all(votes_of_round(round_id=round_.round_id))
            if one.member_id in theirs
        ]
        ratings = {member: rated for member, rated in round_.rated.items() if member in theirs}
        if votes or ratings:
            evenings.append({"day": round_.created_at, "votes": votes, "ratings": ratings})
    return evenings
