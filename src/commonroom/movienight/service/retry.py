"""Retry of a write that lost a race."""

from commonroom.errors import Conflict
from commonroom.store import Retry

# Enough for a full household that does the same in the same moment.
retry = Retry(tries=10, refusal=Conflict)
