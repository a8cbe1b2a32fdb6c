"""The one table of the data model: canonical records, pointer records, and two indexes."""

from __future__ import annotations

from commonroom.store import Index, Table, number

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
