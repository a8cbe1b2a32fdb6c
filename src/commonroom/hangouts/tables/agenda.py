"""The agenda: what a person is invited to, found without asking each of their groups."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import field

from commonroom.hangouts.tables.inviter import inviter
from commonroom.store import Entity, Keys

WITHOUT_DAY = 64_000_000_000
"""Behind every day that a hangout can have; less the moment it was made, the newest comes first."""

LAST_DAY = 33_000_000_000
"""No hangout is later: the year 2999 ends before."""


def need_place(
    hangout_id: str,
    start_timestamp: int,
    is_unanswered: bool,
    poll_ids: Sequence[str],
    moved_up: str | None,
) -> str | None:
    """Where an entry is found that waits for its person: by its start, those without a day last."""
    if not (is_unanswered or poll_ids or moved_up):
        return None
    return f"NEEDS#{start_timestamp:012}#{hangout_id}"


class AgendaEntry(Entity, table=inviter, kind="AGENDA_ENTRY", rename="camel"):
    """A hangout in a person's agenda: where to look, never what is so. That the originals say."""

    user_id: str
    hangout_id: str
    start_timestamp: int
    """Epoch seconds; without a day, a number behind all of them."""
    series_id: str | None = None
    is_unanswered: bool = False
    poll_ids: list[str] = field(default_factory=list)
    """Open polls in which they have not voted."""
    moved_up: str | None = None
    """The moment of the answer with which they waited and got a place, until they answer again."""

    keys = Keys(
        PK="USER#{user_id}",
        SK="AGENDA#{hangout_id}",
        gsi1pk="AGENDA#{user_id}",
        gsi1sk=need_place,
    )

    @property
    def floating_since(self) -> int | None:
        """When it was made, in epoch seconds, where it has no day; None for one that has."""
        return WITHOUT_DAY - self.start_timestamp if self.start_timestamp > LAST_DAY else None
