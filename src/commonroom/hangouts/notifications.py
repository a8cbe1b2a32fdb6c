"""What hangouts tell people: new ones, what changed, that it is on, a place, and reminders."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

from commonroom.accounts.tables import User
from commonroom.hangouts import words
from commonroom.hangouts.rules.times import entered_moment
from commonroom.hangouts.tables import Hangout, Period
from commonroom.http.times import weekday_and_date
from commonroom.http.typed_times import known_zone
from commonroom.http.words import _, lazy, ngettext
from commonroom.notifications.notifications import Facts, Kind, NotificationAction
from commonroom.notifications.preferences import Preference


def hangout_facts(hangout: Hangout, **more: str) -> dict[str, str]:
    """Returns what every notification about a hangout is made of; its time is that of the place."""
    facts = {"title": hangout.title, "start": "", "period": "", "place": "", **more}
    if hangout.start_timestamp is not None:
        facts["start"] = entered_moment(hangout.start_timestamp, zone_of(hangout))
    if hangout.time is not None and hangout.time.period is not None:
        facts["period"] = hangout.time.period
    if hangout.place is not None:
        facts["place"] = hangout.place.name
    return facts


def by_clock(people: Sequence[User], hangout: Hangout) -> tuple[list[User], list[User]]:
    """Those whose clocks show a hangout's own time, and those who must be told whose time it is."""
    start = datetime.fromtimestamp(hangout.start_timestamp or 0, UTC)
    there = start.astimezone(ZoneInfo(zone_of(hangout))).utcoffset()

    here: list[User] = []
    elsewhere: list[User] = []
    for one in people:
        zone = known_zone(one.time_zone) or zone_of(hangout)
        is_here = start.astimezone(ZoneInfo(zone)).utcoffset() == there
        (here if is_here else elsewhere).append(one)
    return here, elsewhere


def city_of(hangout: Hangout) -> str:
    """Returns the city whose time a hangout has."""
    return zone_of(hangout).rpartition("/")[2].replace("_", " ")


def zone_of(hangout: Hangout) -> str:
    """Returns the time zone of a hangout."""
    return known_zone(None if hangout.time is None else hangout.time.time_zone) or "UTC"


def page_of(hangout_id: str) -> str:
    """Returns the page that a notification about a hangout leads to."""
    return f"/hangouts/{hangout_id}"


def when_and_where(facts: Facts) -> str:
    """When and where, in one line; the day by its name, since it may be read on another day.

    Nothing is said of what is not known: there may be a day by the time that a person reads it.
    """
    parts = [_when(facts), facts.get("place", "")]
    return " · ".join(filter(None, parts))


def _when(facts: Facts) -> str:
    if not facts.get("start"):
        return ""
    start = datetime.fromisoformat(facts["start"])
    day = weekday_and_date(start)
    period: Period | str = facts.get("period", "")
    if period in words.PERIODS:
        part = _(words.PERIODS[period]).lower()  # type: ignore[index] # it is one of them
        return f"{day}, {part}"
    clock = f"{day}, {start:%H:%M}"
    city = facts.get("city")
    return f"{clock} ({_('%(city)s time') % {'city': city}})" if city else clock


def _new_title(facts: Facts) -> str:
    if facts.get("group"):
        return _("New in %(group)s: %(title)s") % facts
    return _("You are invited: %(title)s") % facts


def _changed_title(facts: Facts) -> str:
    return _("Changed: %(title)s") % facts


def _changed_text(facts: Facts) -> str:
    return _("New time or place: %(details)s") % {"details": when_and_where(facts)}


def _changed_often(facts: Facts, number: int) -> str:
    text = ngettext("%(n)d change: %(title)s", "%(n)d changes: %(title)s", number)
    return text % {**facts, "n": number}


def _answered_title(facts: Facts) -> str:
    texts = {
        "GOING": _("%(who)s is going: %(title)s"),
        "INTERESTED": _("%(who)s is interested: %(title)s"),
    }
    text = texts.get(facts["status"], _("%(who)s can’t come: %(title)s"))
    return text % {**facts, "who": facts["who"] or _("Someone")}


def _answers(facts: Facts, number: int) -> str:
    text = ngettext("%(n)d answer to %(title)s", "%(n)d answers to %(title)s", number)
    return text % {**facts, "n": number}


def _cancelled_title(facts: Facts) -> str:
    return _("Cancelled: %(title)s") % facts


def _back_title(facts: Facts) -> str:
    return _("Back on: %(title)s") % facts


def _on_title(facts: Facts) -> str:
    return _("It’s on: %(title)s") % facts


def _place_title(facts: Facts) -> str:
    return _("You have a place: %(title)s") % facts


def _place_text(facts: Facts) -> str:
    moved = _("You moved up from the waiting list.")
    return f"{moved} {when_and_where(facts)}"


def _reminder_title(facts: Facts) -> str:
    return _("Coming up: %(title)s") % facts


def _seat_offered_title(facts: Facts) -> str:
    return _("A free seat: %(title)s") % facts


def _seat_offered_text(_facts: Facts) -> str:
    return _("Someone drives there and may have room for you.")


def _seat_given_title(facts: Facts) -> str:
    return _("You have a ride: %(title)s") % facts


def _seat_given_text(_facts: Facts) -> str:
    return _("Someone takes you along in their car.")


def _seat_lost_title(facts: Facts) -> str:
    return _("You need another ride: %(title)s") % facts


def _seat_lost_text(_facts: Facts) -> str:
    return _("Your driver can no longer take you.")


def _spot_lost_title(facts: Facts) -> str:
    return _("No longer offered: %(offer)s") % facts


def _spot_lost_text(facts: Facts) -> str:
    return _("You had a spot for %(title)s.") % facts


def _group_link_title(facts: Facts) -> str:
    return _("Your invite link for %(title)s is turned off") % facts


def _guest_link_title(facts: Facts) -> str:
    return _("The guest link is turned off: %(title)s") % facts


def _link_text(_facts: Facts) -> str:
    return _("Someone turned it off, or removed someone who had it. You can make a new one.")


def _poll_title(facts: Facts) -> str:
    return _("A poll: %(title)s") % facts


def _poll_question(facts: Facts) -> str:
    return facts["question"] or _(words.POLL_TITLES[facts["subject"]])


def _poll_full_title(facts: Facts) -> str:
    return _("Everyone has voted: %(title)s") % facts


def _poll_full_text(facts: Facts) -> str:
    return _("“%(question)s” can be closed.") % {"question": _poll_question(facts)}


def _decided_title(facts: Facts) -> str:
    named = {"TIME": _when(facts), "PLACE": facts["place"]}
    return _("Decided: %(what)s") % {"what": named.get(facts["subject"]) or facts["winner"]}


def _decided_text(facts: Facts) -> str:
    is_on = _("It’s on!") if facts["is_on"] else ""
    place = facts["place"] if facts["subject"] == "TIME" else _when(facts)
    return " · ".join(filter(None, [facts["title"], place, is_on]))


def _offer_going(facts: Facts) -> NotificationAction | None:
    """Returns the actions of a decided poll: a Yes for the winner is offered as Going."""
    if not facts.get("said_yes"):
        return None
    values = {"status": "GOING", "next": "/notifications"}
    return NotificationAction(_("I’m going"), f"{page_of(facts['hangout_id'])}/answer", values)


CHANGES = Preference(
    "hangout_changed",
    lazy("Changed hangout"),
    lazy("A hangout you answered has another time or place, or is cancelled."),
)
NEW = Kind(
    "hangout_new",
    _new_title,
    when_and_where,
    Preference(
        "hangout_new",
        lazy("New hangout"),
        lazy("Someone has an idea in one of your groups, or invites you."),
    ),
)
CHANGED = Kind("hangout_changed", _changed_title, _changed_text, CHANGES, several=_changed_often)
CANCELLED = Kind("hangout_cancelled", _cancelled_title, when_and_where, CHANGES)
BACK = Kind("hangout_back", _back_title, when_and_where, CHANGES)
ON = Kind(
    "hangout_on",
    _on_title,
    when_and_where,
    Preference("hangout_on", lazy("It’s on"), lazy("An idea has become a plan.")),
)
HAS_PLACE = Kind("hangout_place", _place_title, _place_text)
REMINDER = Kind(
    "hangout_reminder",
    _reminder_title,
    when_and_where,
    Preference(
        "hangout_reminder",
        lazy("Hangout reminder"),
        lazy("Two hours before, or the evening before a whole day or weekend."),
    ),
)
ANSWERED = Kind(
    "hangout_answer",
    _answered_title,
    when_and_where,
    Preference(
        "hangout_answer",
        lazy("Answers"),
        lazy("Someone has answered a hangout that you made."),
        channels=frozenset({"list"}),
    ),
    several=_answers,
)
POLLS = Preference(
    "hangout_polls",
    lazy("Polls"),
    lazy("A poll has begun in one of your hangouts, or what you voted on is decided."),
)
POLL_OPENED = Kind("hangout_poll_opened", _poll_title, _poll_question, POLLS)
DECIDED = Kind("hangout_decided", _decided_title, _decided_text, POLLS, action=_offer_going)
POLL_FULL = Kind(
    "hangout_poll_full",
    _poll_full_title,
    _poll_full_text,
    Preference(
        "hangout_poll_full",
        lazy("Everyone has voted"),
        lazy("A poll of yours has an answer from everyone."),
    ),
)
RIDES = Preference(
    "hangout_rides",
    lazy("Rides to hangouts"),
    lazy("Someone has a seat for you, or can no longer take you."),
)
SEAT_OFFERED = Kind("hangout_seat_offered", _seat_offered_title, _seat_offered_text, RIDES)
SEAT_GIVEN = Kind("hangout_seat_given", _seat_given_title, _seat_given_text, RIDES)
SEAT_LOST = Kind("hangout_seat_lost", _seat_lost_title, _seat_lost_text, RIDES)
SPOT_LOST = Kind(
    "hangout_spot_lost",
    _spot_lost_title,
    _spot_lost_text,
    Preference(
        "hangout_spots",
        lazy("Withdrawn offers"),
        lazy("Something you counted on is no longer bought or booked."),
    ),
)
GROUP_LINK_ENDED = Kind("group_link_ended", _group_link_title, _link_text)
GUEST_LINK_ENDED = Kind("hangout_link_ended", _guest_link_title, _link_text)

KINDS = (
    *(NEW, CHANGED, CANCELLED, BACK, ON, HAS_PLACE, REMINDER, ANSWERED),
    *(SEAT_OFFERED, SEAT_GIVEN, SEAT_LOST, SPOT_LOST, GROUP_LINK_ENDED, GUEST_LINK_ENDED),
    *(POLL_OPENED, POLL_FULL, DECIDED),
)
