"""What keeps things of other rooms that are attached to a hangout."""

from __future__ import annotations

from commonroom.hangouts.service.attachments import (
    carried_after,
    find_thing,
    forget_thing,
    removal_writes,
)
from commonroom.hangouts.tables import Attachment, Hangout
from commonroom.http.words import lazy
from commonroom.joins.attachments import AttachmentKeeper

KEEPER = AttachmentKeeper(
    entity=Attachment,
    thing=lambda one: (one.kind, one.thing_id),
    forget=forget_thing,
    removal=removal_writes,
    find=find_thing,
    link=lazy("To the hangout"),
    address=lambda plan_id: f"/hangouts/{plan_id}",
    plan_entities=(Hangout, Attachment),
    carried_after=carried_after,
)
