"""Relations of every kind, in the table of the contract suite: beds, their pots, and labels."""

from __future__ import annotations

from commonroom.store import Entity, Keys, begins_with, children, counts, many, mirror
from tests.support.world import world

MAX_POTS = 3


class Bed(Entity, table=world, kind="BED", rename="pascal"):
    """A parent; it counts its pots, those that bloom, and their seeds."""

    bed_id: str
    name: str = "Bed"
    pots: int = 0
    blooming: int = 0
    seeds: int = 0
    max_seeds: int | None = None
    version: int = 1

    unversioned = frozenset({"pots", "blooming", "seeds"})
    keys = Keys(PK="bed#{bed_id}", SK="about")


class Pot(Entity, table=world, kind="POT", rename="pascal"):
    """A child; it stands in a bed, or in none."""

    pot_id: str
    bed_id: str | None = None
    seeds: int = 1
    is_blooming: bool = False
    name: str | None = None
    note: str | None = None

    keys = Keys(PK="pot#{pot_id}", SK="about", OwnerKey="bed#{bed_id}", ShelfKey="pot#{pot_id}")


class Label(Entity, table=world, kind="LABEL", rename="pascal"):
    """The mirror of a pot that has a name."""

    name: str
    pot_id: str

    keys = Keys(PK="label#{name}", SK="pot#{pot_id}")


class Weed(Entity, table=world, kind="WEED", rename="pascal"):
    """A child that nothing counts."""

    bed_id: str
    weed_id: str

    keys = Keys(PK="bed#{bed_id}", SK="weed#{weed_id}")


def label_of(pot: Pot) -> Label | None:
    """Returns the label of a pot that has a name."""
    return None if pot.name is None else Label(name=pot.name, pot_id=pot.pot_id)


pots_of_bed = many(world, "Pots of a bed", index="ByShelf", sort=begins_with("pot#"), gives=Pot)
weeds_of_bed = many(world, "Weeds of a bed", sort=begins_with("weed#"), gives=Weed)

RELATIONS = (
    counts(
        Pot,
        on=Bed,
        field="pots",
        at_most=MAX_POTS,
        refuse=f"A bed has at most {MAX_POTS} pots.",
        found=lambda bed: pots_of_bed(bed_id=bed.bed_id),
    ),
    counts(
        Pot,
        on=Bed,
        field="blooming",
        where=lambda pot: pot.is_blooming,
        depends_on=("is_blooming",),
        found=lambda bed: pots_of_bed(bed_id=bed.bed_id),
    ),
    counts(
        Pot,
        on=Bed,
        field="seeds",
        total_of="seeds",
        at_most="max_seeds",
        overbooked="There are {number} seeds; {limit} fit in.",
        found=lambda bed: pots_of_bed(bed_id=bed.bed_id),
    ),
    mirror(
        Pot,
        Label,
        made=label_of,
        made_of=("name",),
        missing="The pot {name} has no label.",
        stray="The label {name} is of no pot.",
        stray_check="orphans",
    ),
    children(
        Weed,
        on=Bed,
        lost="The bed of the weed {weed_id} is gone.",
        known=lambda _, bed: bed.name != "Weeded",
        known_by=("name",),
        unknown="The weed {weed_id} is in a bed that was weeded.",
        found=lambda bed: weeds_of_bed(bed_id=bed.bed_id),
    ),
    children(Pot, on=Bed, lost="Its bed is gone."),
)
