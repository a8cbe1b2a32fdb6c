"""What hangouts offer to others: here what any process may ask for, in `server.py` the rest."""

from __future__ import annotations

from commonroom.hangouts.joins.acquaintances import acquaintances
from commonroom.hangouts.joins.attachments import KEEPER
from commonroom.hangouts.joins.calendar import calendar_entries
from commonroom.hangouts.joins.plans import PLAN_FORM
from commonroom.hangouts.joins.search import GROUPS_OF_PERSON, KINDS, PLACES
from commonroom.hangouts.service.invite_codes import signup_checks
from commonroom.http.words import lazy
from commonroom.joins.acquaintances import AcquaintanceSource
from commonroom.joins.calendar import CalendarSource
from commonroom.joins.menus import FirstStep, NewThing
from commonroom.joins.signup_invites import SignupInvites

OFFERS = (
    FirstStep(
        "group",
        "/groups/new",
        "hangouts",
        lazy("Start a group"),
        lazy("The friends you do things with."),
    ),
    NewThing(
        name=lazy("Hangout"),
        line=lazy("Plan something with friends."),
        icon="hangouts",
        address="/hangouts/new",
    ),
    *KINDS,
    GROUPS_OF_PERSON,
    *PLACES,
    SignupInvites(signup_checks),
    CalendarSource(calendar_entries),
    AcquaintanceSource(acquaintances),
    KEEPER,
    PLAN_FORM,
)
