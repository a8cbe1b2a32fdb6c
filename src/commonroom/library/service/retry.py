"""Retry of a write that lost a race."""

from commonroom.errors import Conflict
from commonroom.store import Retry

# Enough for as many who put something into one collection in the same moment.
retry = Retry(tries=25, refusal=Conflict)
