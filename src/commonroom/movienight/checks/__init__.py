"""What can drift in movie night, and how it is repaired: `commonroom check` looks at all of it.

The tables of the data model are the truth; what Commonroom adds to them, so that a condition can
hold a rule, follows them. A repair holds everything that it was worked out from, so it may run
beside people at work, and twice.
"""

from commonroom.movienight.checks import films, members
from commonroom.movienight.checks.households import HOUSEHOLDS
from commonroom.movienight.checks.rounds import ROUNDS
from commonroom.movienight.relations import RELATIONS
from commonroom.store.checking import Check
from commonroom.store.checking.related import RelatedCheck
from commonroom.store.checking.relations import rules_of

RULES = rules_of(RELATIONS, members.RULES | films.RULES)


def checks() -> list[Check]:
    """Everything that is looked at in this room besides keys and copies."""
    return [HOUSEHOLDS, ROUNDS, RelatedCheck(RULES)]
