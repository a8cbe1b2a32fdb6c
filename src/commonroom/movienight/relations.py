"""What goes with what in movie night.

What a household counts stays by hand: it names its members as well, and whatever changes of it
raises its version, by which home is known to be as it was.
"""

from __future__ import annotations

from commonroom.movienight.tables import HouseholdMembership, Preferences
from commonroom.store import children

RELATIONS = (
    children(Preferences, on=HouseholdMembership, lost="They are of somebody who is not in it."),
)
