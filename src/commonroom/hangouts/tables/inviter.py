"""The one table of the data model, and how what people have on hangouts is kept in it."""

from __future__ import annotations

from commonroom.store import Entity, Index, Keys, Table, number

# The data model's query patterns write PK and SK; only the keys of its indexes are in lower case.
inviter = Table(
    "InviterTable",
    room="hangouts",
    partition="PK",
    sort="SK",
    discriminator="itemType",  # beyond the data model, whose partitions hold several kinds
    stream=True,
    indexes=[
        Index("UserGroupIndex", "gsi1pk", "gsi1sk"),
        Index("EntityTimeIndex", "gsi1pk", number("startTimestamp")),
    ],
    version=2,
)

NOBODY = "nobody"
"""Who made something, where the data of another application does not tell."""
NO_NAME = "–"
"""A name, normalised alike in every language."""


class OnHangout(Entity, rename="camel"):
    """What a person has on a hangout, under their name, and found among all that is theirs."""

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
