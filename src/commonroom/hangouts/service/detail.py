"""Detail: everything of one hangout, with one query of its partition; and its version."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Container, Iterable, Iterator, Sequence
from functools import cached_property
from hashlib import blake2b
from typing import Any, TypeVar

from msgspec import Struct, msgpack
from msgspec.structs import replace

from commonroom.accounts.context import Context
from commonroom.accounts.tables import User
from commonroom.hangouts.service.access import HangoutAccess, access_to, no_such
from commonroom.hangouts.tables import (
    Attachment,
    AttachmentPointer,
    Ballot,
    GuestRsvp,
    Hangout,
    HangoutPoll,
    Rsvp,
    Series,
    TalkMessage,
    detail,
    things_of_hangout,
)
from commonroom.ids import is_id
from commonroom.store import Entity, Ref, Store

E = TypeVar("E", bound=Entity)
P = TypeVar("P", bound=Entity)

BATCH = 250
"""Things that one query reads; messages come last, so it has at least the newest of them."""
MAX_QUERIES = 10
"""For a hangout with thousands of answers."""


class HangoutThings(Struct, frozen=True, dict=True):
    """All that stands in a hangout's partition, but for older messages."""

    hangout: Hangout
    things: Sequence[Entity]

    def of(self, kind: type[E]) -> list[E]:
        """Returns those of one kind, in the order of their keys."""
        return [*self._by_kind.get(kind, ())]

    @cached_property
    def _by_kind(self) -> dict[type[Entity], list[Any]]:
        """All of them by their kinds, of which a page asks for many."""
        found: dict[type[Entity], list[Any]] = {}
        for one in self.things:
            found.setdefault(type(one), []).append(one)
        return found

    def each_with(self, kind: type[E], parts: type[P]) -> list[tuple[E, list[P]]]:
        """Returns those of one kind, each with what belongs to it, such as a poll's ballots."""
        (name,) = (one for one in kind.schema.primary_fields if one != "hangout_id")
        found: dict[str, list[P]] = defaultdict(list)
        for part in self.of(parts):
            found[getattr(part, name)].append(part)
        return [(one, found[getattr(one, name)]) for one in self.of(kind)]

    def unless_said_by(self, blocked: Container[str]) -> HangoutThings:
        """Returns the things without messages of those whom the reader has blocked."""
        kept = [
            one
            for one in self.things
            if not (isinstance(one, TalkMessage) and one.user_id in blocked)
        ]
        return HangoutThings(self.hangout, kept)

    @property
    def answers(self) -> list[Rsvp | GuestRsvp]:
        """All answers, those who answered first coming first."""
        found: list[Rsvp | GuestRsvp] = [*self.of(Rsvp), *self.of(GuestRsvp)]
        return sorted(found, key=lambda one: one.created_at)


class HangoutDetail(Struct, frozen=True):
    """A hangout as one of those sees it who may have it."""

    access: HangoutAccess
    things: HangoutThings
    invited: Sequence[User]
    """Who was invited directly, and its maker, as far as they are still there."""
    member: User
    """The caller: the person, or the managed member whom they act for."""
    series: Series | None = None
    """The series that it is of."""

    @property
    def hangout(self) -> Hangout:
        """The hangout itself."""
        return self.things.hangout

    @property
    def made_by(self) -> str | None:
        """The maker's name; None where they have left."""
        maker = self.hangout.created_by
        return next((one.display_name for one in self.invited if one.user_id == maker), None)

    @property
    def own_rsvp(self) -> Rsvp | None:
        """The answer of the caller."""
        mine = self.member.user_id
        return next((one for one in self.things.of(Rsvp) if one.user_id == mine), None)

    @property
    def said_yes(self) -> bool:
        """Whether the caller said Yes to the day that the last poll has set."""
        poll_id, start = self.hangout.decided_poll_id, self.hangout.start_timestamp
        poll = next((one for one in self.things.of(HangoutPoll) if one.poll_id == poll_id), None)
        if poll is None or poll.subject != "TIME":
            return False
        winners = {one.option_id for one in poll.options if one.start_timestamp == start}
        voter = (poll_id, self.member.user_id)
        ballots = [one for one in self.things.of(Ballot) if (one.poll_id, one.user_id) == voter]
        return any(one.votes.get(it) == "YES" for one in ballots for it in winners)


async def see_hangout(ctx: Context, member: User, hangout_id: str) -> HangoutDetail:
    """A hangout with everything on it: two requests, more only where it has hundreds of things."""
    things = (await read_things(ctx.store, hangout_id)).unless_said_by(ctx.person.blocked)
    series_id = things.hangout.series_id
    also: list[Ref[Any]] = [User.at(user_id=one) for one in things.hangout.invited_user_ids]
    also += [] if series_id is None else [Series.at(series_id=series_id)]
    access = await access_to(ctx, things.hangout, also=also)
    invited = [one for one in access.also if isinstance(one, User)]
    series = next((one for one in access.also if isinstance(one, Series)), None)
    return HangoutDetail(access, things, invited, member, series)


async def read_things(store: Store, hangout_id: str) -> HangoutThings:
    """Returns all of a hangout's partition without checking access: one request per 250 things."""
    if not is_id(hangout_id):
        raise no_such(Hangout)
    asked = detail(hangout_id=hangout_id)
    page = await store.page(asked, limit=BATCH)
    found = list(page.items)
    for _ in range(MAX_QUERIES):
        if page.cursor is None or isinstance(found[-1], TalkMessage):
            break
        page = await store.page(asked, limit=BATCH, cursor=page.cursor)
        found += page.items
    hangout = next((one for one in found if isinstance(one, Hangout)), None)
    if hangout is None:
        raise no_such(Hangout)
    return HangoutThings(hangout, found)


async def hangout_version(store: Store, hangout_id: str) -> str:
    """The version of a hangout with everything on it; `gone` where it is not there any more.

    Messages are not read for it: the hangout says how many there are, and since when. What it
    carries of other rooms is left out: not all who listen may know that it is there.
    """
    page = await store.page(things_of_hangout(hangout_id=hangout_id), limit=BATCH)
    return version_of([*_known_to_all(page.items)]) if page.items else "gone"


def _known_to_all(things: Iterable[Entity]) -> Iterator[Entity]:
    for one in things:
        if isinstance(one, Hangout):
            yield replace(one, attachment_count=0)
        elif not isinstance(one, Attachment | AttachmentPointer):
            yield one


def version_of(things: object) -> str:
    """Returns a text that is another whenever something of these changes."""
    return blake2b(msgpack.encode(things), digest_size=12).hexdigest()
