"""Talk: what people say on a hangout."""

from __future__ import annotations

from commonroom.hangouts.tables.inviter import OnHangout, inviter, keys_on_hangout


class TalkMessage(OnHangout, table=inviter, kind="MESSAGE"):
    """Something said. It sorts behind all else of its hangout, the newest first."""

    message_id: str
    """Begins with what is left of time, so that later ones sort before earlier ones."""
    text: str
    sent_at: str

    keys = keys_on_hangout("TALK#{message_id}")
