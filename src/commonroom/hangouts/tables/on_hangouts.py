"""What a person has on a hangout: under their name, and found among all that is theirs."""

from __future__ import annotations

from commonroom.store import Entity, Keys


class OnHangout(Entity, rename="camel"):
    """What a person has on a hangout, under their name."""

    hangout_id: str
    user_id: str
    user_name: str | None = None


def keys_on_hangout(sort: str, among_theirs: str | None = None) -> Keys:
    """Returns the keys of what a person has on a hangout: there, and among all that they have."""
    return Keys(
        PK="EVENT#{hangout_id}",
        SK=sort,
        gsi1pk="USER#{user_id}",
        gsi1sk=f"ON#{{hangout_id}}#{among_theirs or sort}",
    )
