"""Attachments: things of other rooms that a hangout carries. Beyond the data model."""

from __future__ import annotations

from commonroom.hangouts.tables.inviter import inviter
from commonroom.store import Entity, Keys


class Attachment(Entity, table=inviter, kind="ATTACHMENT", rename="camel"):
    """A thing that a person attached to a hangout."""

    hangout_id: str
    kind: str
    thing_id: str
    user_id: str
    """Who attached it."""
    user_name: str | None = None
    attached_at: str

    keys = Keys(
        PK="EVENT#{hangout_id}",
        SK="ATTACHMENT#{kind}#{thing_id}",
        gsi1pk="USER#{user_id}",
        gsi1sk="ON#{hangout_id}#ATTACHMENT#{kind}#{thing_id}",
    )


class AttachmentPointer(Entity, table=inviter, kind="ATTACHMENT_POINTER", rename="camel"):
    """Where a thing is attached, for when it is gone."""

    hangout_id: str
    kind: str
    thing_id: str

    keys = Keys(
        PK="EVENT#{hangout_id}",
        SK="ATTACHED#{kind}#{thing_id}",
        gsi1pk="THING#{kind}#{thing_id}",
        gsi1sk="ATTACHED#{hangout_id}",
    )
