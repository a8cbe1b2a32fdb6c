"""What only the embedded engine has."""

from __future__ import annotations

from commonroom.errors import CommonroomError
from commonroom.settings import Settings


class NotHere(CommonroomError):
    """A command that the configured engine has no use for."""

    title = "Not available with this engine"


def require_embedded(settings: Settings) -> None:
    """Refuses a command that copies the data file, where there is none."""
    if settings.store != "embedded":
        raise NotHere(
            "On DynamoDB, use its point-in-time recovery, or `commonroom export` and "
            "`commonroom import`: there is no data file to copy."
        )
