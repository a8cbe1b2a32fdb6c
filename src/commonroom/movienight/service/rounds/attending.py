"""Who takes part in a round: coming late, being taken out again, leaving the household."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from msgspec import Struct

from commonroom.accounts.tables import User
from commonroom.catalog.film_source import FilmSource
from commonroom.errors import Conflict, Forbidden
from commonroom.moments import iso
from commonroom.movienight.rules.ceilings import passes
from commonroom.movienight.rules.rounds import (
    OPEN,
    Status,
    all_have_rated,
    attends,
    may_change_attendee,
    status_of,
)
from commonroom.movienight.rules.tastes import taste_of
from commonroom.movienight.service.members.listing import member_in
from commonroom.movienight.service.retry import retry
from commonroom.movienight.service.rounds.company import (
    check_somebody_independent,
    company,
    present,
)
from commonroom.movienight.service.rounds.drafting import redrafted
from commonroom.movienight.service.rounds.earlier import attendees_in, ratings_in
from commonroom.movienight.service.rounds.holding import (
    as_creator,
    carry_out,
    check_state,
    here,
    in_state,
    unchanged,
)
from commonroom.movienight.service.rounds.reading import round_in
from commonroom.movienight.service.rounds.shortlist import shortlist
from commonroom.movienight.service.seats import Seat
from commonroom.movienight.tables import (
    Group,
    Membership,
    Round,
    Vote,
    rounds_of_group,
    suggestions_of_round,
    votes_of_round,
)
from commonroom.store import ConditionFailed, Store, Write, check, delete, new, stored, update
from commonroom.store.store import LONGEST_PAGE

REMEMBERED_ROUNDS = 10
"""In how many rounds nobody waits any longer for the rating of whoever left."""


async def add_attendee(  # noqa: PLR0917 - who, where, what: the order of everything here
    store: Store, now: float, films: FilmSource, seat: Seat, round_id: str, member_id: str
) -> None:
    """Lets one more member take part in an open round; being there already changes nothing."""

    async def attempt() -> None:
        change = await _Change.of(store, now, films, seat, round_id, member_id)
        if member_id not in change.before:
            await change.carry_out([*change.before, member_id])

    await retry(attempt)


async def remove_attendee(  # noqa: PLR0917 - who, where, what: the order of everything here
    store: Store, now: float, films: FilmSource, seat: Seat, round_id: str, member_id: str
) -> None:
    """Takes a member out of an open round, and their votes along."""

    async def attempt() -> None:
        change = await _Change.of(store, now, films, seat, round_id, member_id)
        if member_id in change.before:
            await change.carry_out([one for one in change.before if one != member_id])

    await retry(attempt)


class _Change(Struct, frozen=True, kw_only=True):
    """A member who is to take part in an open round, or no longer."""

    store: Store
    now: float
    films: FilmSource
    seat: Seat
    round: Round
    member: User
    before: list[str]
    """Who takes part as it was read."""

    @classmethod
    async def of(  # noqa: PLR0917 - as the functions above have it
        cls, store: Store, now: float, films: FilmSource, seat: Seat, round_id: str, member_id: str
    ) -> _Change:
        """The change as it can be made now; refused where it may not."""
        round_ = await round_in(store, seat, round_id)
        check_state(round_, *OPEN)
        member = await member_in(store, seat.group_id, member_id)
        if not may_change_attendee(seat.member_id, round_, seat.group.created_by, member):
            raise Forbidden(
                "Only the person who started this movie night, the household’s creator "
                "and the members themselves can change who is watching."
            )
        return cls(
            store=store,
            now=now,
            films=films,
            seat=seat,
            round=round_,
            member=member,
            before=await attendees_in(store, round_),
        )

    async def carry_out(self, after: list[str]) -> None:
        """Makes it: a draft gets films for the new company, a vote goes on with its films."""
        watching = await company(self.store, self.seat, after)
        check_somebody_independent(watching)
        last = (await self.store.page(suggestions_of_round(round_id=self.round.round_id))).items
        if status_of(self.round) == "draft":
            found = await shortlist(
                self.store,
                self.films,
                self.seat.group,
                watching,
                round_id=self.round.round_id,
                wishes=any(one.from_wish_list for one in last),
            )
            by = self.seat.person.user_id
            writes = redrafted(self.now, self.round, last, found, attendees=after, moved_by=by)
            await self._write("draft", writes)
        else:
            ceiling = taste_of(watching).ceiling
            barred = [one.title for one in last if not passes(one.content_rating, ceiling)]
            if self.member.user_id in after and barred:
                raise Conflict(
                    f"{self.member.display_name} cannot join this vote: the rating of "
                    f"{', '.join(barred)} is too high. Cancel it and start a movie night with "
                    "everyone.",
                )
            await self._write("voting", await self._in_vote(after))

    async def _in_vote(self, after: Sequence[str]) -> list[Write]:
        changed = update(
            Round.at(round_id=self.round.round_id),
            attendees=after,
            moved_by=self.seat.person.user_id,
            updated_at=iso(self.now),
            if_=in_state("voting") & unchanged(self.round),
        )
        member_id = self.member.user_id
        votes = [] if member_id in after else await _votes(self.store, self.round, member_id)
        return [changed, *map(delete, votes)]

    async def _write(self, status: Status, writes: Sequence[Write]) -> None:
        seat, member_id = self.seat, self.member.user_id
        by = [self._by()]
        if member_id != seat.member_id:
            by.append(check(Membership.at(group_id=seat.group_id, user_id=member_id), if_=stored))
        await carry_out(self.store, seat, (status,), *writes, *by)

    def _by(self) -> Write:
        """That whoever changes this still may."""
        seat, member = self.seat, self.member
        own = (self.round.started_by, member.user_id, member.parent_user_id)
        return here(seat) if seat.member_id in own else as_creator(seat)


async def drop_leaver(store: Store, now: float, group_id: str, member_id: str) -> None:
    """Lets nobody wait any longer for somebody who has left the household.

    Their votes in the open round go, and a round that only lacked their rating is over. Doing it
    again changes nothing.
    """
    await retry(partial(_drop_from_open_round, store, group_id, member_id))
    recent = await store.page(rounds_of_group(group_id=group_id), limit=REMEMBERED_ROUNDS)
    for one in recent.items:
        if status_of(one) == "watched" and attends(member_id, one):
            await retry(partial(_end_if_all_rated, store, now, one.round_id))


async def _drop_from_open_round(store: Store, group_id: str, member_id: str) -> None:
    group = await store.get(Group.at(group_id=group_id))
    if group is None or group.open_round_id is None:
        return
    round_ = await store.get(Round.at(round_id=group.open_round_id))
    if round_ is None or status_of(round_) not in OPEN or not attends(member_id, round_):
        return
    after = [one for one in await attendees_in(store, round_) if one != member_id]
    gone = check(Membership.at(group_id=group_id, user_id=member_id), if_=new)
    dropped = update(round_.ref, attendees=after, if_=in_state(*OPEN) & unchanged(round_))
    votes = await _votes(store, round_, member_id)
    try:
        await store.write(gone, dropped, *map(delete, votes))
    except ConditionFailed as failed:
        if failed.operation.entity_type is not Membership:
            raise  # who has come back meanwhile stays


async def _end_if_all_rated(store: Store, now: float, round_id: str) -> None:
    round_ = await store.get(Round.at(round_id=round_id))
    if round_ is None or status_of(round_) != "watched":
        return
    rated = await ratings_in(store, round_)
    if not all_have_rated(rated, await present(store, round_)):
        return
    ended = update(
        Round.at(round_id=round_id),
        status="rated",
        rated=rated,
        rated_at=iso(now),
        if_=in_state("watched") & unchanged(round_),
    )
    await store.write(ended)


async def _votes(store: Store, round_: Round, member_id: str) -> list[Vote]:
    page = await store.page(votes_of_round(round_id=round_.round_id), limit=LONGEST_PAGE)
    return [one for one in page.items if one.member_id == member_id]
