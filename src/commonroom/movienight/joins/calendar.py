"""Movie night in calendars: the evening that is on, and those of the last weeks."""

from __future__ import annotations

from datetime import date, datetime, time

from commonroom.accounts.tables import User
from commonroom.http.calendars import CalendarEntry, Status
from commonroom.http.times import zone_of
from commonroom.http.words import _
from commonroom.moments import iso, seconds
from commonroom.movienight.rules.rounds import OPEN, attendees_of, status_of
from commonroom.movienight.tables import Household, Pick, Round, watch_history
from commonroom.store import Store

BACK_SECONDS = 30 * 24 * 3600
MAX_EVENINGS = 60


async def calendar_entries(store: Store, person: User, now: float) -> list[CalendarEntry]:
    """Returns the films of a person's household that are picked or were watched, and an open vote.

    Evenings have a day and no hour: they are in a calendar for the whole day and keep nobody busy.
    Only those are there in which the person takes part. Three requests.
    """
    if person.household_id is None:
        return []
    group, page = await store.gather(
        store.get(Household.at(group_id=person.household_id)),
        store.page(watch_history(group_id=person.household_id), limit=MAX_EVENINGS),
    )
    if group is None:
        return []
    picks = {one.round_id: one for one in page.items if one.picked_at >= iso(now - BACK_SECONDS)}
    ids = dict.fromkeys([*picks, *([group.open_round_id] if group.open_round_id else [])])
    rounds = await store.batch_get([Round.at(round_id=one) for one in ids])
    return [
        entry
        for one in rounds
        if one is not None and person.user_id in attendees_of(one, [person.user_id])
        if (entry := _entry(person, one, picks.get(one.round_id))) is not None
    ]


def _entry(person: User, round_: Round, pick: Pick | None) -> CalendarEntry | None:
    if pick is None and status_of(round_) not in OPEN:
        return None
    day = round_.created_at if pick is None else pick.watched_at or pick.picked_at
    zone = person.time_zone or "UTC"
    title = _("Movie night") if pick is None else _("Movie night: %(film)s") % {"film": pick.title}
    status: Status = "TENTATIVE" if pick is None else "CONFIRMED"
    start = _noon(round_.plan_day, person) if round_.plan_day is not None else int(seconds(day))
    return CalendarEntry(
        uid=f"round-{round_.round_id}@commonroom",
        version=round_.version,
        changed_at=round_.updated_at or day,
        title=title,
        start=start,
        end=start + 1,
        zone=zone,
        whole_days=True,
        path=f"/movie-night/rounds/{round_.round_id}",
        status=status,
        takes_time=False,
    )


def _noon(day: str, person: User) -> int:
    """Returns a moment of a day of the calendar, where a person lives."""
    return int(datetime.combine(date.fromisoformat(day), time(12), zone_of(person)).timestamp())
