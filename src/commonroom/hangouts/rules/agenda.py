"""The agenda: which hangouts a person has on theirs, and what of these waits for them."""

from __future__ import annotations

from collections.abc import Collection

from commonroom.hangouts.rules.times import DAY, is_over
from commonroom.hangouts.tables import WITHOUT_DAY, AgendaEntry, Hangout, HangoutPerson, Rsvp
from commonroom.moments import seconds

SERIES_DAYS = 21
"""How many days before, a date of a series is on the agenda: of what is daily, not a whole year."""


def is_for(hangout: Hangout, user_id: str, person: HangoutPerson | None) -> bool:
    """Returns whether a person is invited to a hangout, directly or by one of their groups."""
    if user_id in hangout.invited_user_ids:
        return True
    return person is not None and not person.groups.keys().isdisjoint(hangout.group_ids)


def is_listed(hangout: Hangout, now: float) -> bool:
    """Whether a hangout is on agendas at a moment: not called off, not over, no date far ahead."""
    if is_called_off(hangout) or now < listed_from(hangout):
        return False
    return not is_over(hangout, now)


def is_called_off(hangout: Hangout) -> bool:
    """Whether a hangout is cancelled that has a day; lists find one without it by agendas alone."""
    return hangout.cancelled_at is not None and hangout.start_timestamp is not None


def listed_from(hangout: Hangout) -> float:
    """Returns the moment from which a hangout is on agendas; 0 for one that always was."""
    if hangout.series_id is None or hangout.start_timestamp is None:
        return 0
    return hangout.start_timestamp - SERIES_DAYS * DAY


def open_polls(hangout: Hangout) -> list[str]:
    """Returns the ids of the open polls of a hangout, the oldest first."""
    known = {hangout.time_poll_id, hangout.place_poll_id, *hangout.open_polls}
    return sorted(one for one in known if one is not None)


def agenda_entry(
    hangout: Hangout,
    user_id: str,
    rsvp: Rsvp | None,
    poll_ids: Collection[str],
    moved_up: str | None = None,
) -> AgendaEntry:
    """The entry of a person who is invited, with the open polls in which they have not voted.

    What is cancelled waits for nobody.
    """
    start, is_on = hangout.start_timestamp, hangout.cancelled_at is None
    return AgendaEntry(
        user_id=user_id,
        hangout_id=hangout.hangout_id,
        start_timestamp=WITHOUT_DAY - int(seconds(hangout.created_at)) if start is None else start,
        series_id=hangout.series_id,
        is_unanswered=is_on and rsvp is None,
        poll_ids=sorted(poll_ids) if is_on else [],
        moved_up=moved_up if is_on and has_new_place(hangout, rsvp, moved_up) else None,
    )


def has_new_place(hangout: Hangout, rsvp: Rsvp | None, moved_up: str | None) -> bool:
    """Whether a person got a place with the answer of a moment, and has not answered again."""
    if rsvp is None or rsvp.status != "GOING" or rsvp.updated_at != moved_up:
        return False
    return all(one.answer_id != rsvp.user_id for one in hangout.waiting)
