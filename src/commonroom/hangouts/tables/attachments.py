"""Attachments: things of other rooms that a hangout carries. Beyond the data model."""

from __future__ import annotations

from commonroom.hangouts.tables.inviter import OnHangout, inviter, keys_on_hangout
from commonroom.store import Entity, Keys


class Attachment(OnHangout, table=inviter, kind="ATTACHMENT"):
    """A thing that a person attached to a hangout."""

    kind: str
    thing_id: str
    attached_at: str

    keys = keys_on_hangout("ATTACHMENT#{kind}#{thing_id}")


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
