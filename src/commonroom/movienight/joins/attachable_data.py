"""Rounds that are attached to a plan: what a round keeps of its plan."""

from __future__ import annotations

from commonroom.errors import NotFound
from commonroom.joins.attachments import AttachableData, CarryingPlan
from commonroom.movienight.rules.rounds import ATTACHED_AS
from commonroom.movienight.service.rounds.conditions import round_at
from commonroom.movienight.tables import Round
from commonroom.store import Ref, Store, add, as_read, update


async def follow_plan(store: Store, thing_id: str, plan: CarryingPlan, is_carried: bool) -> None:
    """Keeps the day of the plan that carries a round; of another plan than that, nothing."""
    ref = ref_of(thing_id)
    found = None if ref is None else await store.get(ref)
    if found is None or found.plan_id not in (plan.plan_id, None):
        return
    plan_id, day = (plan.plan_id, plan.day) if is_carried else (None, None)
    if (found.plan_id, found.plan_day) != (plan_id, day):
        unchanged = as_read(found, "plan_id", "plan_day")
        await store.write(
            update(found, plan_id=plan_id, plan_day=day, version=add(1), if_=unchanged)
        )


def ref_of(thing_id: str) -> Ref[Round] | None:
    """Returns where the round of an id is; None where the id cannot be one."""
    try:
        return round_at(thing_id)
    except NotFound:
        return None


ATTACHABLE = AttachableData(
    key=ATTACHED_AS,
    follow_plan=follow_plan,
    entities=(Round,),
    id_of=lambda one: one.round_id,
    ref=ref_of,
)
