"""What hangouts tell people."""

from __future__ import annotations

from commonroom.notify.notifications import Facts, Kind, Preference
from commonroom.web.words import _, later


def _fill_in(text: str, facts: Facts) -> str:
    return text % {**facts, "who": facts.get("who") or _("Someone")}


# Carpool: one choice for all of it.

RIDES = Preference(
    "hangout_rides",
    later("Rides"),
    later("Someone offers you a seat to a hangout, or can no longer take you."),
)


def _seat_offered_title(facts: Facts) -> str:
    return _fill_in(_("%(who)s has a free seat"), facts)


def _seat_offered_text(facts: Facts) -> str:
    return _("You need a ride to %(title)s.") % facts


SEAT_OFFERED = Kind("hangout_seat_offered", _seat_offered_title, _seat_offered_text, RIDES)


def _seat_given_title(facts: Facts) -> str:
    return _fill_in(_("%(who)s takes you along"), facts)


def _seat_given_text(facts: Facts) -> str:
    return _("You have a seat to %(title)s.") % facts


SEAT_GIVEN = Kind("hangout_seat_given", _seat_given_title, _seat_given_text, RIDES)


def _seat_lost_title(facts: Facts) -> str:
    return _("You need another ride to %(title)s") % facts


def _seat_lost_text(facts: Facts) -> str:
    return _fill_in(_("%(who)s can no longer take you."), facts)


SEAT_LOST = Kind("hangout_seat_lost", _seat_lost_title, _seat_lost_text, RIDES)


KINDS = (
    SEAT_OFFERED,
    SEAT_GIVEN,
    SEAT_LOST,
)
