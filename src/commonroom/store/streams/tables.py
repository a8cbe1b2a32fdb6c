"""Checkpoints and leases of stream consumers, and the changes that they could not handle."""

from __future__ import annotations

from typing import Literal

from msgspec import field

from commonroom.store.declare.entity import Entity, Keys
from commonroom.store.declare.patterns import begins_with, many, one
from commonroom.store.declare.table import Table

consumers = Table(
    "Consumers",
    room="store",
    partition="consumer",
    sort="place",
    discriminator="kind",
    version=2,
)


class ShardState(Entity, table=consumers, kind="SHARD"):
    """The checkpoint of a consumer in one shard, and the lease of the worker that is at it."""

    consumer: str
    stream: str
    """The table whose changes these are."""
    shard: str
    position: str | None = None
    finished: bool = False
    """Whether the shard has ended and all of it was handled, so that its children may start."""
    owner: str | None = None
    leased_until: float | None = None
    """Another value at every renewal; a watcher needs no clock that agrees with it."""
    turns: int = 0
    """How often the lease was taken, so that a worker knows whether another was here since."""

    keys = Keys(place="shard#{stream}#{shard}")


class ConsumerState(Entity, table=consumers, kind="CONSUMER"):
    """What a consumer follows, until when it has seen everything, and what it has missed."""

    consumer: str
    streams: list[str] = field(default_factory=list)
    """The tables whose changes it follows."""
    since: float | None = None
    """When it was first there; None where an earlier version did not write that down."""
    followed_at: float | None = None
    """When it had last seen all changes, to about an hour."""
    missed_from: float | None = None
    """From when on it missed changes that were no longer kept when it came back."""
    missed_until: float | None = None
    repaired_at: float | None = None
    """When the data was checked and repaired after that."""
    is_new: bool = False
    """Whether what it missed is all that was there before it came, with a new version."""

    keys = Keys(place="consumer")


class LastImport(Entity, table=consumers, kind="IMPORT"):
    """When data was last imported: of what it holds from before, people were told elsewhere."""

    consumer: str = "import"
    imported_at: float
    keys = Keys(place="import")


class AdoptionState(Entity, table=consumers, kind="ADOPTION"):
    """How far tables of another application have been adopted; it goes when all is done."""

    consumer: str = "adoption"
    sources: str
    """A digest of the files, by which they are known again."""
    file: int = 0
    """How many files are done."""
    line: int = 0
    """How many lines of the next one are."""
    is_loaded: bool = False
    """Whether all is there, and only has to be checked and repaired."""
    adopted: dict[str, int] = field(default_factory=dict)
    """How many items of each table are."""
    aside_bytes: int = 0
    """How long the file was then of what does not fit."""
    keys = Keys(place="adoption")


class WorkerSign(Entity, table=consumers, kind="WORKER"):
    """When a worker that runs apart from the servers was last there."""

    consumer: str = "worker"
    seen_at: float
    keys = Keys(place="worker")


class StoreIdentity(Entity, table=consumers, kind="STORE"):
    """The id of this store, by which what belongs to its data is known, such as a search index."""

    consumer: str = "store"
    store_id: str
    keys = Keys(place="store")


class SecretsInUse(Entity, table=consumers, kind="SECRETS"):
    """A fingerprint of the secrets that servers and workers use, and when one of them last did."""

    consumer: str = "secrets"
    fingerprint: str
    seen_at: float
    keys = Keys(place="secrets")


def parked_place(aside: bool, stream: str, shard: str, position: str) -> str:
    """Under one prefix while it is to be tried again, under another once it was given up."""
    # Positions are numbers of up to 40 digits; padded, they sort in the order of the changes.
    return f"{'aside' if aside else 'parked'}#{stream}#{shard}#{position:0>40}"


class ParkedChange(Entity, table=consumers, kind="PARKED"):
    """A change that its consumer could not handle: to be retried, or set aside as a dead letter."""

    consumer: str
    stream: str
    shard: str
    position: str
    change: Literal["insert", "modify", "remove"]
    key: bytes
    """The item's primary key, packed."""
    changed_at: float
    images: bytes | None = None
    """The item before and after, compressed; None where that is too large to keep, or damaged."""
    by_ttl: bool = False
    attempts: int = 0
    next_at: float = 0.0
    error: str = ""
    aside: bool = False
    """Given up after too many attempts: `doctor` shows it, and it holds nothing up."""

    keys = Keys(place=parked_place)


consumer_state = one(consumers, "Get what a consumer has followed", gives=ConsumerState)
shard_state = one(consumers, "Get a consumer's place in a shard", gives=ShardState)
shard_states = many(
    consumers, "List a consumer's places", sort=begins_with("shard#"), gives=ShardState
)
parked_changes = many(
    consumers, "List a consumer's parked changes", sort=begins_with("parked#"), gives=ParkedChange
)
dead_letters = many(
    consumers, "List what a consumer set aside", sort=begins_with("aside#"), gives=ParkedChange
)

adoption = one(consumers, "Get how far an adoption has come", gives=AdoptionState)
last_import = one(consumers, "Get when data was last imported", gives=LastImport)
worker_sign = one(consumers, "Get when a worker was last there", gives=WorkerSign)
store_identity = one(consumers, "Get the id of the store", gives=StoreIdentity)
secrets_in_use = one(consumers, "Get which secrets are used", gives=SecretsInUse)

tables = [consumers]
