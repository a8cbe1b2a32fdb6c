"""Plans of things of other rooms: hangouts that carry them."""

from __future__ import annotations

from urllib.parse import urlencode

from commonroom.joins.plans import PlanForm


def plan_with(kind: str, thing_id: str) -> str:
    """Returns the form of a new hangout that carries a thing."""
    return f"/hangouts/new?{urlencode({'kind': kind, 'thing': thing_id})}"


PLAN_FORM = PlanForm(plan_with)
