"""Neighbours: what an item needs and another one of the same application says.

Whatever a check can see and repair is left to it; this is what no item of ours would lack.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec

from commonroom.accounts.tables import User, users
from commonroom.hangouts.rules.times import span_of_moments
from commonroom.hangouts.tables import Hangout, HangoutPointer, inviter
from commonroom.library.tables import Book, LoanEvent, media
from commonroom.movienight.tables import HouseholdMembership, group_memberships
from commonroom.store.declare.completion import fields_of_key
from commonroom.store.declare.entity import Entity
from commonroom.store.declare.table import Table
from commonroom.store.transfer import ForeignTable, read_lines
from commonroom.store.values import Item
from commonroom.titles.tables import worth_watch
from commonroom.watchlists.tables import Profile

MAX_NAME = 30


KINDS: Mapping[Table, type[Entity]] = {
    group_memberships: HouseholdMembership,
    inviter: HangoutPointer,
    media: LoanEvent,
}
"""Which kind of a table says something of others."""

IN_POINTERS = ("title", "startTimestamp")
"""What the data model of hangouts names for pointers alone, as copies from the hangout."""


class ImportedNeighbours:
    """The household of each person, what the pointers of each hangout say of it, since when
    something is lent, and the accounts of profiles."""

    def __init__(self) -> None:
        self._households: dict[str, str] = {}
        self._groups: dict[str, list[str]] = defaultdict(list)
        self._listed: dict[str, Item] = {}
        self._lent: dict[tuple[str, ...], Item] = {}

    @classmethod
    def of(cls, sources: Sequence[ForeignTable]) -> ImportedNeighbours:
        """Reads the tables that say something of others."""
        made = cls()
        for source in sources:
            if source.table in KINDS:
                for line in (one for file in source.files for one in read_lines(file)):
                    made._note(source.table, line.item or {})
        return made

    def _note(self, table: Table, item: Item) -> None:
        fields = _fields_of(KINDS[table], table, item)
        if fields is None:
            return
        if table is group_memberships:  # a person is in one household, and the last line counts
            self._households[fields["user_id"]] = fields["group_id"]
        elif table is inviter:
            self._groups[fields["hangout_id"]].append(fields["group_id"])
            self._listed.setdefault(
                fields["hangout_id"], {name: item[name] for name in IN_POINTERS if name in item}
            )
        else:
            event = {"UpdatedAt": fields["updated_at"]} | item
            place = _place_of_item(fields)
            self._lent[place] = max(
                self._lent.get(place, event), event, key=lambda one: str(one["UpdatedAt"])
            )

    def filled(self, table: Table, item: Item) -> Item:
        """Returns an item with what its neighbours say of it."""
        if table is users and isinstance(household := self._household(item), str):
            return {"household_id": household} | item
        if table is inviter and (fields := _fields_of(Hangout, table, item)) is not None:
            groups = self._groups.get(fields["hangout_id"])
            listed = self._listed.get(fields["hangout_id"], {})
            return _with_time(({"groupIds": groups} if groups else {}) | listed | item)
        if table is media and isinstance(item.get("LentTo"), str):
            fields = _fields_of(Book, table, item)  # a video has the same form of key
            last = self._lent.get(_place_of_item(fields)) if fields else None
            if last is not None and last.get("Type") == "LENT":
                return {"LentAt": last["UpdatedAt"]} | item
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


def _fields_of(kind: type[Entity], table: Table, item: Item) -> dict[str, Any] | None:
    return fields_of_key(kind, tuple(item.get(one.name) for one in table.key))


def _place_of_item(fields: dict[str, Any]) -> tuple[str, ...]:
    return fields["owner_id"], fields["library_id"], fields["item_id"]


def _with_time(hangout: Item) -> Item:
    """Returns a hangout with the time that its start stands for: the data model names no more."""
    start, end = hangout.get("startTimestamp"), hangout.get("endTimestamp")
    if hangout.get("time") is not None or not isinstance(start, int):
        return hangout
    span = span_of_moments(start, end if isinstance(end, int) else None)
    if span is None:
        return hangout
    return hangout | {"time": msgspec.to_builtins(span.entered), "endTimestamp": span.end}


def _account(profile: Profile) -> User:
    return User(
        user_id=profile.user_id,
        email=profile.email,
        display_name=profile.username[:MAX_NAME],
        created_at=profile.created_at,
        notification_prefs={},
    )
