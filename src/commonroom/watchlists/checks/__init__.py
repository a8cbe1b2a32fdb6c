"""What can drift in watchlists, and how it is mended: `commonroom check` looks at all of it."""

from commonroom.store.checking import Check
from commonroom.watchlists.checks.opinions import OpinionCheck


def checks() -> list[Check]:
    """Everything that is looked at in this room besides keys and copies."""
    return [OpinionCheck()]
