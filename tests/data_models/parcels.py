"""A small data model and a declaration that keeps to it, each of which tests change."""

from typing import Any, Literal

from msgspec import Struct

from commonroom.data_models.comparison import Comparison, compare
from commonroom.data_models.statements import read_document
from commonroom.store import Entity, Index, Keys, Table, begins_with, many, number, one
from commonroom.store.declare.model import Model

STATED = """
title = "Parcels"
room = "tests"

[configuration]
BillingMode = "PAY_PER_REQUEST"

[tables.Parcels]
key = ["PK S", "SK S"]
discriminator = "kind"
ttl = "ttl"
stream = true
indexes.ByCity = { key = ["city S", "weight N"], projection = "ALL" }

[entities.Parcel]
table = "Parcels"
kind = "PARCEL"
keys.PK = "parcel#<parcelId>"
keys.SK = "METADATA"
[entities.Parcel.attributes]
kind = { type = "S", values = ["PARCEL"] }
parcelId = "S!"
city = "S?"
weight = "N"
status = { type = "S", values = ["sent", "lost"] }
isFragile = { type = "BOOL", default = false }
tags = "L"
labels = "M"
stops = { type = "L", of = "Stop" }
ttl = "N?"

[objects.Stop]
stopName = "S"

[[examples]]
entity = "Parcel"
item = { PK = "parcel#7", SK = "METADATA", parcelId = "7" }

[limits]
"Parcel.city" = { value = 30, unit = "characters", here = ["accounts.rules:MAX_NAME"] }

[[patterns]]
name = "Get a parcel"
table = "Parcels"
condition = "PK = parcel#<parcelId> AND SK = METADATA"

[[patterns]]
name = "Parcels of a city"
table = "Parcels"
index = "ByCity"
condition = "city = <city>"

[[deviations]]
of = ["pattern Parcels: Get a parcel", "pattern Parcels: Parcels of a city"]
because = "they are only declared here"
"""


class Stop(Struct, rename="camel"):
    """Where a parcel was."""

    stop_name: str


def declared(
    *, stop_of: Any = Stop, statuses: Any = Literal["sent", "lost"], **table: Any
) -> Model:
    """A model with the table of parcels, declared as stated but for what is given."""
    usual: dict[str, Any] = {
        "room": "tests",
        "partition": "PK",
        "sort": "SK",
        "discriminator": "kind",
        "ttl": "ttl",
        "stream": True,
        "indexes": [BY_CITY],
    }
    parcels = Table("Parcels", **usual | table)

    class Parcel(Entity, table=parcels, kind="PARCEL", rename="camel"):
        parcel_id: str
        city: str | None = None
        weight: int
        status: statuses
        is_fragile: bool = False
        tags: list[str]
        labels: dict[str, str]
        stops: list[stop_of]
        ttl: int | None = None
        keys = Keys(PK="parcel#{parcel_id}", SK="METADATA")

    one(parcels, "Get a parcel", gives=Parcel)
    if BY_CITY in parcels.indexes:
        many(parcels, "Parcels of a city", index="ByCity", gives=Parcel)
    many(parcels, "Parcels by prefix", sort=begins_with("META"), gives=Parcel)
    return Model([parcels])


BY_CITY = Index("ByCity", "city", number("weight"))


def compared(model: Model | None = None, stated: str = STATED) -> Comparison:
    """The comparison of a statement with a model."""
    return compare("parcels", read_document("parcels", stated), model or declared())


def found(comparison: Comparison) -> list[tuple[str, str, str]]:
    """What differs and has no reason."""
    return [(one.subject, one.says, one.here) for one in comparison.unexplained]
