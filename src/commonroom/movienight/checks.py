"""What can drift in movie night: a household must name and count those who have a membership."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence

from commonroom.movienight.rules.households import listed_members
from commonroom.movienight.tables import Group, group_by_id, members_of_group
from commonroom.store import Store, update
from commonroom.store.checking import Check, Problem, StoredEntity

LOOKS = 5
"""How often a household that keeps changing is looked at."""


class MemberCheck:
    """Compares what each household says of its members with their memberships."""

    async def examine(self, store: Store, things: Sequence[StoredEntity]) -> AsyncIterator[Problem]:
        """Which of these households are wrong about their members."""
        for thing in things:
            if isinstance(thing.entity, Group):
                problem = await _compare(store, thing.entity)
                if problem is not None:
                    yield problem


async def _compare(store: Store, group: Group) -> Problem | None:
    """The problem of a household, as long as nobody comes or goes, which raises its version."""
    for _ in range(LOOKS):
        asked = members_of_group(group_id=group.group_id)
        ids = [one.user_id async for one in store.all(asked)]
        if _is_right(group, ids):
            return None
        now = await store.get(group_by_id(group_id=group.group_id))
        if now is None:
            return None
        if now.version == group.version:
            return _problem(group, ids)
        group = now
    return None


def _is_right(group: Group, ids: Sequence[str]) -> bool:
    """Whether it counts all of them, and names these unless an earlier version made it."""
    listed = listed_members(group)
    return group.member_count == len(ids) and (listed is None or set(listed) == set(ids))


def _problem(group: Group, ids: list[str]) -> Problem:
    detail = (
        f"It counts {group.member_count} members and names {len(group.member_ids)}, but it has "
        f"{len(ids)}, or others."
    )
    mend = update(group, member_count=len(ids), member_ids=ids)
    return Problem("members", group.schema.table.name, group.ref.key, detail, (mend,))


def checks() -> list[Check]:
    """Everything that is looked at in this room besides keys and copies."""
    return [MemberCheck()]
