"""Clocks that were wrong: by how much, and set right in which direction."""

from __future__ import annotations

HOUR, DAY, YEAR = 3600.0, 86_400.0, 365 * 86_400.0
SET_BACK = (4 * HOUR, DAY, YEAR)
"""By how much a clock was ahead, until it was set back."""
CORRECTIONS = (*(-one for one in SET_BACK), *SET_BACK)
"""By how much a clock changes when it is set right."""
