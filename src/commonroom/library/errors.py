"""What can go wrong in the library beyond what can go wrong anywhere."""

from __future__ import annotations

from commonroom.errors import Conflict


class NeedsConfirmation(Conflict):
    """It can be done, once whoever asks has seen what it takes along."""

    title = "Are you sure?"
