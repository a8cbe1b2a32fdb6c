"""What can drift in hangouts, and how it is repaired: `commonroom check` looks at all of it.

A repair does what the service or a consumer would have done, on condition that everything still is
as it was found. So it may run beside people at work, and twice.
"""

from commonroom.hangouts.checks import groups, pointers
from commonroom.hangouts.checks.agenda import AgendaCheck
from commonroom.hangouts.checks.hangouts import HANGOUTS
from commonroom.hangouts.checks.members import GROUPS
from commonroom.hangouts.relations import RELATIONS
from commonroom.hangouts.tables import (
    OF_A_PERSON,
    GroupMembership,
    HangoutPerson,
    HangoutPointer,
    InvitationPointer,
    SeriesPointer,
)
from commonroom.store import Entity
from commonroom.store.checking import Check
from commonroom.store.checking.related import RelatedCheck
from commonroom.store.checking.relations import count_check, rules_of

RULES = rules_of(RELATIONS, pointers.RULES | groups.RULES)

ORPHANS: frozenset[type[Entity]] = frozenset(
    {HangoutPointer, InvitationPointer, SeriesPointer, GroupMembership, HangoutPerson, *OF_A_PERSON}
)
"""Whose lost originals are reported here, with the repair."""


def checks() -> list[Check]:
    """Returns everything that is looked at in this room besides keys and copies.

    Pointers come first: repairing a hangout writes all of them. Agendas follow from the rest.
    """
    return [RelatedCheck(RULES), GROUPS, count_check(RELATIONS), HANGOUTS, AgendaCheck()]
