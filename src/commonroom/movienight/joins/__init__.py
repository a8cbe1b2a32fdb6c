"""What movie night offers to others: here what any process may ask for, in `server.py` the rest."""

from __future__ import annotations

from commonroom.http.words import lazy
from commonroom.joins.acquaintances import AcquaintanceSource, HouseholdSource
from commonroom.joins.calendar import CalendarSource
from commonroom.joins.menus import FirstStep, NewThing
from commonroom.joins.signup_invites import SignupInvites
from commonroom.movienight.joins.acquaintances import acquaintances
from commonroom.movienight.joins.attachable_data import ATTACHABLE
from commonroom.movienight.joins.calendar import calendar_entries
from commonroom.movienight.joins.search import HOUSEHOLD, PLACES
from commonroom.movienight.joins.watched_titles import WATCHED_TITLES
from commonroom.movienight.service.invites import signup_checks
from commonroom.movienight.service.members import household_people

OFFERS = (
    FirstStep(
        "household",
        "/movie-night",
        "movienight",
        lazy("Start a household"),
        lazy("The people you live with, to pick tonight’s film together."),
    ),
    NewThing(
        name=lazy("Movie night"),
        line=lazy("Pick tonight’s film together."),
        icon="movienight",
        address="/movie-night/rounds/new",
        for_managed=True,
    ),
    HOUSEHOLD,
    *PLACES,
    SignupInvites(signup_checks),
    CalendarSource(calendar_entries),
    HouseholdSource(household_people),
    AcquaintanceSource(acquaintances),
    ATTACHABLE,
    WATCHED_TITLES,
)
