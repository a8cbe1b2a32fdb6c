"""How much may be looked up, and how long that may take."""

from __future__ import annotations

from commonroom.accounts.service.throttle import Limit
from commonroom.errors import InvalidField

LOOK_UPS = Limit("library-look-up", 120, 600)
"""Of one person: as fast as somebody holds one book after the other before a camera."""

LONGEST_SECONDS = 6.0
"""For everything together; what has not come by then is left out."""

LONGEST_SOUGHT = 100


def sought_title(text: str) -> str:
    """A title to look for."""
    plain = " ".join(text.split())
    if not 1 <= len(plain) <= LONGEST_SOUGHT:
        raise InvalidField("title", f"Enter a title of up to {LONGEST_SOUGHT} characters.")
    return plain
