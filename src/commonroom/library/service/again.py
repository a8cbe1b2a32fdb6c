"""Trying again when somebody was quicker."""

from commonroom.errors import Conflict
from commonroom.store import Again

# Enough for as many who put something into one collection in the same moment.
again = Again(tries=25, refusal=Conflict)
