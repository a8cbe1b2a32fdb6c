"""What can drift in watchlists, and how it is repaired: `commonroom check` looks at all of it.

A repair does what the service or a consumer would have done, on condition that everything still is
as it was found. So it may run beside people at work, and twice.
"""

from commonroom.store.checking import Check
from commonroom.store.checking.related import RelatedCheck
from commonroom.store.checking.relations import rules_of
from commonroom.watchlists.checks import facets, lists, opinions, people
from commonroom.watchlists.checks.counts import COUNTS
from commonroom.watchlists.checks.day_saves import DAY_SAVES
from commonroom.watchlists.checks.facets import FacetCheck
from commonroom.watchlists.checks.opinions import OpinionCheck
from commonroom.watchlists.relations import CHECKED

RULES = rules_of(CHECKED, lists.RULES | people.RULES | facets.RULES | opinions.RULES)


def checks() -> list[Check]:
    """Everything that is looked at in this room besides keys and copies.

    Counts come first: restoring one side of a pair then counts it.
    """
    return [
        *(OpinionCheck(), COUNTS, DAY_SAVES, FacetCheck()),
        RelatedCheck(RULES),
    ]
