"""Those who watch together tonight."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from commonroom.accounts.tables import User
from commonroom.errors import InvalidField
from commonroom.movienight.rules.rounds import still_here
from commonroom.movienight.rules.tastes import Attendee
from commonroom.movienight.service.members import members_of
from commonroom.movienight.service.preferences import preferences_of
from commonroom.movienight.service.rounds.earlier import attendees_in
from commonroom.movienight.service.seats import Seat
from commonroom.movienight.tables import Round
from commonroom.store import Store


async def company(
    store: Store, seat: Seat, attendees: Collection[str] | None = None
) -> list[Attendee]:
    """Members of the household with what they like, all or some: three requests.

    Whoever has left meanwhile is not among them, and neither is a deleted account.
    """
    members, tastes = await store.gather(
        members_of(store, seat.group_id), preferences_of(store, seat)
    )
    return [
        Attendee(one.user, tastes.get(one.user_id))
        for one in members
        if one.user is not None and not one.is_gone
        if attendees is None or one.user_id in attendees
    ]


async def chosen_company(
    store: Store, seat: Seat, attendees: Sequence[str] | None
) -> list[Attendee]:
    """Those who were chosen to take part, everybody where nobody was named."""
    found = await company(store, seat, attendees)
    if attendees is not None and len(found) < len(set(attendees)):
        raise InvalidField("attendees", "Only members of the household can take part.")
    check_somebody_independent(found)
    return found


def check_somebody_independent(attendees: Iterable[Attendee]) -> None:
    """Refuses where only managed members would take part."""
    if all(one.member.is_managed for one in attendees):
        raise InvalidField("attendees", "Choose at least one person with their own account.")


async def present(store: Store, round_: Round) -> set[str]:
    """Those who take part and are still in the household: one request."""
    attendees = await attendees_in(store, round_)
    found = await store.batch_get([User.at(user_id=one) for one in attendees])
    people = dict(zip(attendees, found, strict=True))
    return set(still_here(attendees, people, round_.group_id))
