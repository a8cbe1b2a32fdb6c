"""What can drift in the library, and how it is repaired: `commonroom check` looks at all of it.

A repair does what the service or a consumer would have done, on condition that everything still is
as it was found. So it may run beside people at work, and twice.
"""

from commonroom.library.checks import items, libraries
from commonroom.library.checks.counts import LibraryCountCheck
from commonroom.library.relations import RELATIONS
from commonroom.library.tables import Book, Library, SharedLibrary, Video
from commonroom.store import Entity
from commonroom.store.checking import Check
from commonroom.store.checking.related import RelatedCheck
from commonroom.store.checking.relations import rules_of

RULES = rules_of(RELATIONS, libraries.RULES | items.RULES)

ORPHANS: frozenset[type[Entity]] = frozenset({Library, SharedLibrary, Book, Video})
"""Whose lost originals are reported here, with the repair."""


def checks() -> list[Check]:
    """Everything that is looked at in this room besides keys and copies."""
    return [RelatedCheck(RULES), LibraryCountCheck()]
