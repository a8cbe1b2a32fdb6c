"""Talk: what people say on a hangout."""

from __future__ import annotations

from commonroom.hangouts.tables.inviter import inviter
from commonroom.store import Entity, Keys


class TalkMessage(Entity, table=inviter, kind="MESSAGE", rename="camel"):
    """Something said. It sorts behind all else of its hangout, the newest first."""

    hangout_id: str
    message_id: str
    """Begins with what is left of time, so that later ones sort before earlier ones."""
    user_id: str
    user_name: str | None = None
    text: str
    sent_at: str

    keys = Keys(
        PK="EVENT#{hangout_id}",
        SK="TALK#{message_id}",
        gsi1pk="USER#{user_id}",
        gsi1sk="ON#{hangout_id}#TALK#{message_id}",
    )
