"""Trying again when somebody was quicker."""

from commonroom.errors import Conflict
from commonroom.store import Again

# Enough for a full household that does the same in the same moment.
again = Again(tries=10, refusal=Conflict)
too_late = again.too_late
