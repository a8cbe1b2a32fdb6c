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
from commonroom.http.words import _, lazy
from commonroom.notifications.kinds import Facts, Kind, NotificationAction, Plural, say
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
        return say(lazy("New in %(group)s: %(title)s"), facts)
    return say(lazy("You are invited: %(title)s"), facts)


def _changed_text(facts: Facts) -> str:
    return _("New time or place: %(details)s") % {"details": when_and_where(facts)}


def _answered_title(facts: Facts) -> str:
    texts = {
        "GOING": lazy("%(who)s is going: %(title)s"),
        "INTERESTED": lazy("%(who)s is interested: %(title)s"),
    }
    return say(texts.get(facts["status"], lazy("%(who)s can’t come: %(title)s")), facts)


def _place_text(facts: Facts) -> str:
    moved = _("You moved up from the waiting list.")
    return f"{moved} {when_and_where(facts)}"


def _poll_question(facts: Facts) -> str:
    return facts["question"] or _(words.POLL_TITLES[facts["subject"]])


def _poll_full_text(facts: Facts) -> str:
    return _("“%(question)s” can be closed.") % {"question": _poll_question(facts)}


def _poll_tied_text(facts: Facts) -> str:
    text = _("Nobody won “%(question)s” by the deadline. Choose, and the poll is closed.")
    return text % {"question": _poll_question(facts)}


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


LINK_OFF = lazy("Someone turned it off, or removed someone who had it. You can make a new one.")
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
CHANGED = Kind(
    "hangout_changed",
    lazy("Changed: %(title)s"),
    _changed_text,
    CHANGES,
    several=Plural("%(n)d change: %(title)s", "%(n)d changes: %(title)s"),
)
CANCELLED = Kind("hangout_cancelled", lazy("Cancelled: %(title)s"), when_and_where, CHANGES)
BACK = Kind("hangout_back", lazy("Back on: %(title)s"), when_and_where, CHANGES)
ON = Kind(
    "hangout_on",
    lazy("It’s on: %(title)s"),
    when_and_where,
    Preference("hangout_on", lazy("It’s on"), lazy("An idea has become a plan.")),
)
HAS_PLACE = Kind("hangout_place", lazy("You have a place: %(title)s"), _place_text)
REMINDER = Kind(
    "hangout_reminder",
    lazy("Coming up: %(title)s"),
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
    several=Plural("%(n)d answer to %(title)s", "%(n)d answers to %(title)s"),
)
POLLS = Preference(
    "hangout_polls",
    lazy("Polls"),
    lazy("A poll has begun in one of your hangouts, or what you voted on is decided."),
)
POLL_OPENED = Kind("hangout_poll_opened", lazy("A poll: %(title)s"), _poll_question, POLLS)
DECIDED = Kind("hangout_decided", _decided_title, _decided_text, POLLS, action=_offer_going)
POLL_FULL = Kind(
    "hangout_poll_full",
    lazy("Everyone has voted: %(title)s"),
    _poll_full_text,
    Preference(
        "hangout_poll_full",
        lazy("Everyone has voted"),
        lazy("A poll of yours has an answer from everyone."),
    ),
)
POLL_TIED = Kind("hangout_poll_tied", lazy("It’s a tie: %(hangout)s"), _poll_tied_text)
"""Nothing turns it off: the plan waits for an answer."""
RIDES = Preference(
    "hangout_rides",
    lazy("Rides to hangouts"),
    lazy("Someone has a seat for you, or can no longer take you."),
)
SEAT_OFFERED = Kind(
    "hangout_seat_offered",
    lazy("A free seat: %(title)s"),
    lazy("Someone drives there and may have room for you."),
    RIDES,
)
SEAT_GIVEN = Kind(
    "hangout_seat_given",
    lazy("You have a ride: %(title)s"),
    lazy("Someone takes you along in their car."),
    RIDES,
)
SEAT_LOST = Kind(
    "hangout_seat_lost",
    lazy("You need another ride: %(title)s"),
    lazy("Your driver can no longer take you."),
    RIDES,
)
SPOT_LOST = Kind(
    "hangout_spot_lost",
    lazy("No longer offered: %(offer)s"),
    lazy("You had a spot for %(title)s."),
    Preference(
        "hangout_spots",
        lazy("Withdrawn offers"),
        lazy("Something you counted on is no longer bought or booked."),
    ),
)
GROUP_LINK_ENDED = Kind(
    "group_link_ended", lazy("Your invite link for %(title)s is turned off"), LINK_OFF
)
GUEST_LINK_ENDED = Kind(
    "hangout_link_ended", lazy("The guest link is turned off: %(title)s"), LINK_OFF
)

KINDS = (
    *(NEW, CHANGED, CANCELLED, BACK, ON, HAS_PLACE, REMINDER, ANSWERED),
    *(SEAT_OFFERED, SEAT_GIVEN, SEAT_LOST, SPOT_LOST, GROUP_LINK_ENDED, GUEST_LINK_ENDED),
    *(POLL_OPENED, POLL_FULL, POLL_TIED, DECIDED),
)
