"""Ceilings: what may be shown to whom. Nothing ever raises one but the people who may."""

from __future__ import annotations

from collections.abc import Iterable
from typing import get_args

from commonroom.accounts.tables import Ceiling, User
from commonroom.catalog import films
from commonroom.catalog.films import CERTIFICATIONS, Certification
from commonroom.movienight.tables import Preferences

CEILINGS: tuple[Ceiling, ...] = get_args(Ceiling)
HIGHEST: Ceiling = CEILINGS[-1]


def strictest(ceilings: Iterable[Ceiling]) -> Ceiling:
    """The lowest of them; the highest there is where none is given."""
    return min(ceilings, key=CEILINGS.index, default=HIGHEST)


def ceiling_of(member: User, preferences: Preferences | None) -> Ceiling:
    """What one member may see: the stricter of what they chose and what was set for them.

    What was set for a member counts also where that member never chose anything.
    """
    chosen = None if preferences is None else preferences.max_content_rating
    return strictest(one for one in (chosen, member.content_rating_ceiling) if one is not None)


def passes(certification: Certification | str | None, ceiling: Ceiling) -> bool:
    """Whether a film may be shown under a ceiling; one of unknown certification only under R."""
    known = next((one for one in CERTIFICATIONS if one == certification), None)
    return (known is not None or certification is None) and films.passes(known, ceiling)


def raises(before: Ceiling | None, after: Ceiling | None) -> bool:
    """Whether a change lets a member see more than before."""
    return _height(after) > _height(before)


def _height(ceiling: Ceiling | None) -> int:
    return len(CEILINGS) if ceiling is None else CEILINGS.index(ceiling)
