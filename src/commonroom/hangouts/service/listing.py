"""Rows of lists with what belongs to them: the reader's RSVPs, and the names of the makers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct

from commonroom.accounts.context import Context
from commonroom.accounts.tables import User
from commonroom.hangouts.rules.agenda import is_for
from commonroom.hangouts.service.access import open_group, read_by_key
from commonroom.hangouts.service.groups import my_groups
from commonroom.hangouts.service.timeline import Partitions, Row
from commonroom.hangouts.tables import (
    AgendaEntry,
    FriendGroup,
    GroupMembership,
    Hangout,
    HangoutPerson,
    HangoutPointer,
    InvitationPointer,
    Rsvp,
)
from commonroom.store import Ref, copied_fields
from commonroom.store.limits import BATCH
from commonroom.store.values import Key


class HangoutRow(Struct, frozen=True):
    """A hangout in a list, with the caller's RSVP and its maker's name."""

    row: Row
    rsvp: Rsvp | None
    made_by: str | None
    """None where the maker has left."""


class Scope(Struct, frozen=True):
    """Whose hangouts a list has: one group's, or all of the caller's."""

    group: FriendGroup | None = None
    mine: Sequence[GroupMembership] = ()
    """The person's groups as an index has them, by name."""
    user_id: str | None = None

    @property
    def partitions(self) -> Partitions:
        """Where its hangouts are."""
        if self.group is not None:
            return Partitions(group_ids=(self.group.group_id,))
        groups = tuple(sorted(one.group_id for one in self.mine))
        return Partitions(group_ids=groups, user_id=self.user_id)

    @property
    def names(self) -> Mapping[str, str]:
        """The names of the person's groups by id; a group's own list need not name it."""
        return {one.group_id: one.group_name for one in self.mine}


async def own_scope(ctx: Context) -> Scope:
    """Returns the scope of all of the caller's hangouts: one request."""
    return Scope(mine=await my_groups(ctx), user_id=ctx.person.user_id)


async def group_scope(ctx: Context, group_id: str) -> Scope:
    """One group's hangouts, for its members: one request."""
    return Scope(group=(await open_group(ctx, group_id)).group)


async def list_rows(
    ctx: Context,
    member: User,
    scope: Scope,
    rows: Sequence[Row],
    entries: Sequence[AgendaEntry] = (),
) -> list[HangoutRow]:
    """Rows that the person may see, then what entries of their agenda stand for.

    One request for a hundred things; who made what entries stand for takes a second.
    """
    asked = {one.key: one for one in _refs(ctx, member, scope, rows, entries)}
    refs = list(asked.values())
    first = max(BATCH, 1 + len(entries))
    found = await read_by_key(ctx.store, refs[:first])
    originals = [found.get(_hangout(one).key) for one in entries]
    makers = {_maker(one).key: _maker(one) for one in originals if one is not None}
    more = [ref for key, ref in makers.items() if key not in asked]
    found |= await read_by_key(ctx.store, [*refs[first:], *more])
    person: HangoutPerson | None = found.get(_person(ctx).key)
    shown = {one.hangout_id: one for one in rows if _is_visible(one, scope, person)}
    for one in originals:
        if one is not None and is_for(one, ctx.person.user_id, person):
            shown[one.hangout_id] = _pointer(ctx, one)
    return [_listed(one, member, found) for one in shown.values()]


def _refs(
    ctx: Context,
    member: User,
    scope: Scope,
    rows: Sequence[Row],
    entries: Sequence[AgendaEntry],
) -> Iterator[Ref[Any]]:
    """What belongs to rows and entries, as far as it is known before; originals come first."""
    if scope.group is None and (rows or entries):
        yield _person(ctx)
    yield from map(_hangout, entries)
    for one in (*rows, *entries):
        yield _rsvp(one, member)
    yield from map(_maker, rows)


def _is_visible(row: Row, scope: Scope, person: HangoutPerson | None) -> bool:
    """Whether a row is the person's to see: an index may still have a group they have left."""
    if scope.group is not None or not isinstance(row, HangoutPointer):
        return True
    return person is not None and row.group_id in person.groups


def _pointer(ctx: Context, hangout: Hangout) -> InvitationPointer:
    """Returns a hangout as a row of the person's own list."""
    fields = copied_fields(hangout, InvitationPointer)
    return InvitationPointer(user_id=ctx.person.user_id, **fields)


def _listed(row: Row, member: User, found: Mapping[Key, Any]) -> HangoutRow:
    maker: User | None = found.get(_maker(row).key)
    name = None if maker is None else maker.display_name
    return HangoutRow(row, found.get(_rsvp(row, member).key), name)


def _person(ctx: Context) -> Ref[HangoutPerson]:
    return HangoutPerson.at(user_id=ctx.person.user_id)


def _hangout(entry: AgendaEntry) -> Ref[Hangout]:
    return Hangout.at(hangout_id=entry.hangout_id)


def _rsvp(row: Row | AgendaEntry, member: User) -> Ref[Rsvp]:
    return Rsvp.at(hangout_id=row.hangout_id, user_id=member.user_id)


def _maker(row: Row | Hangout) -> Ref[User]:
    return User.at(user_id=row.created_by)
