"""What can be done in movie night; one module or folder per thing."""

from commonroom.errors import Conflict
from commonroom.store import Retry

# Enough for a full household that acts in the same moment.
retry = Retry(tries=10, refusal=Conflict)
