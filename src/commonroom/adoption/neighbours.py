"""Neighbours: what an item needs and another one of the same application says.

Whatever a check can see and repair is left to it; this is what no item of ours would lack.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence

from commonroom.accounts.tables import User, users
from commonroom.hangouts.tables import Hangout, HangoutPointer, inviter
from commonroom.movienight.tables import HouseholdMembership, group_memberships
from commonroom.store.declare.completion import fields_of_key
from commonroom.store.declare.table import Table
from commonroom.store.transfer import ForeignTable, read_lines
from commonroom.store.values import Item
from commonroom.titles.tables import worth_watch
from commonroom.watchlists.tables import Profile

MAX_NAME = 30


class ImportedNeighbours:
    """The household of each person, the groups of each hangout, and the accounts of profiles."""

    def __init__(self) -> None:
        self._households: dict[str, str] = {}
        self._groups: dict[str, list[str]] = defaultdict(list)

    @classmethod
    def of(cls, sources: Sequence[ForeignTable]) -> ImportedNeighbours:
        """Reads the tables that say something of others."""
        made = cls()
        for source in sources:
            if source.table in (group_memberships, inviter):
                for line in (one for file in source.files for one in read_lines(file)):
                    made._note(source.table, line.item or {})
        return made

    def _note(self, table: Table, item: Item) -> None:
        kind = HouseholdMembership if table is group_memberships else HangoutPointer
        key = tuple(item.get(one.name) for one in table.key)
        fields = fields_of_key(kind, key)
        if fields is None:
            return
        if kind is HouseholdMembership:  # a person is in one household, and the last line counts
            self._households[fields["user_id"]] = fields["group_id"]
        else:
            self._groups[fields["hangout_id"]].append(fields["group_id"])

    def filled(self, table: Table, item: Item) -> Item:
        """Returns an item with what its neighbours say of it."""
        if table is users and isinstance(household := self._household(item), str):
            return {"household_id": household} | item
        if table is inviter:
            fields = fields_of_key(Hangout, (item.get("PK"), item.get("SK")))
            groups = self._groups.get(fields["hangout_id"]) if fields else None
            return {"groupIds": groups} | item if groups else item
        return item

    def _household(self, item: Item) -> str | None:
        person = item.get("user_id")
        return self._households.get(person) if isinstance(person, str) else None

    def accounts_of(
        self, table: Table, items: Sequence[Item]
    ) -> Iterator[tuple[Table, list[Item]]]:
        """Yields the accounts that profiles need: to their own application they were accounts."""
        if table is worth_watch:
            kind = Profile.schema.kind
            profiles = [Profile.from_item(one) for one in items if one.get("entityType") == kind]
            yield users, [_account(one).to_item() for one in profiles]


def _account(profile: Profile) -> User:
    return User(
        user_id=profile.user_id,
        email=profile.email,
        display_name=profile.username[:MAX_NAME],
        created_at=profile.created_at,
        notification_prefs={},
    )
