"""The engine contract: what every engine can do. Rooms never see it; `Store` speaks it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import TYPE_CHECKING, Any, Generic, Literal, Protocol, TypeAlias, TypeVar

from msgspec import Struct

from commonroom.store.conditions import Condition
from commonroom.store.values import Item, Key, KeyValue, Value

if TYPE_CHECKING:
    from commonroom.store.declare.table import Index, Table
    from commonroom.store.errors import DamagedItem
    from commonroom.store.upgrades.incomplete import Incomplete

T = TypeVar("T")

Clock = Callable[[], float]


class ItemDecoder(Struct, Generic[T], frozen=True):
    """How a stored item becomes what the caller wants."""

    from_blob: Callable[[bytes], T]
    from_item: Callable[[Item], T]
    kinds: frozenset[str] | None = None
    """Discriminators to keep; items of other kinds are left out. None keeps all."""
    whole: bool = False
    """Whether key attributes that are no field of an entity are wanted too."""


Wanted: TypeAlias = "tuple[Table, Key, ItemDecoder[Any]]"
"""An item by its primary key, and what it is to become."""


class SortRange(Struct, frozen=True):
    """A condition on a sort key; `between` has two values and includes both."""

    sign: Literal["=", "<", "<=", ">", ">=", "begins_with", "between"]
    low: KeyValue
    high: KeyValue | None = None


class Query(Struct, frozen=True):
    """One page of one partition of a table or of an index."""

    table: Table
    index: Index | None
    partition: KeyValue
    sort: SortRange | None
    forward: bool
    limit: int
    """How many items the page may hold; it may hold fewer and still have a next one."""
    start: Item | None = None
    """The key attributes (the index's and the table's) of the item after which to go on."""


class Rows(Struct, Generic[T], frozen=True):
    """A page of results and, where there may be more, the key attributes to go on after."""

    items: list[T]
    next: Item | None
    damaged: Sequence[DamagedItem] = ()
    """What belongs to the page and cannot be decoded."""


class AttributeChange(Struct, frozen=True):
    """One change of one attribute of an update."""

    kind: Literal["set", "set_if_absent", "remove", "add", "append", "merge", "discard", "count"]
    name: str
    value: Value = None
    """What to set, add (a number), append (a list), merge or count (entries), discard (names)."""

    @classmethod
    def assign(cls, name: str, value: Value) -> AttributeChange:
        """Sets an attribute, or removes it where the value is None."""
        return cls("remove", name) if value is None else cls("set", name, value)


class WriteOperation(Struct, frozen=True):
    """One part of a write; `condition` speaks of attributes and includes all that must hold."""

    kind: Literal["put", "update", "delete", "check"]
    table: Table
    key: Key
    condition: Condition | None = None
    item: Item = {}
    actions: tuple[AttributeChange, ...] = ()
    plain: bool = False
    """Whether the item is of an entity with plain fields, of which less has to be checked."""


class Shard(Struct, frozen=True):
    """A part of a table's stream that is in order; its parent is to be finished first."""

    id: str
    parent: str | None = None


class ChangeRecord(Struct, frozen=True):
    """One change of one item, as the engine recorded it."""

    table: str
    position: str
    kind: Literal["insert", "modify", "remove"]
    key: Key
    old: Item | None
    new: Item | None
    at: float
    by_ttl: bool = False
    damage: str = ""
    """Why an image could not be decoded, which is then missing."""


class StreamNews(Struct, frozen=True):
    """Where all streams of an engine stand, and in which of them that is news."""

    upto: int
    shards: Collection[tuple[str, str]]
    """Tables and shards."""


class Changes(Struct, frozen=True):
    """Records of a shard in order, where to go on, and whether the shard will never have more."""

    records: list[ChangeRecord]
    position: str | None
    ended: bool = False
    trimmed: bool = False
    """Whether records after the position that was asked for may no longer be kept."""


class TableReport(Struct, frozen=True):
    """How tables are found: what is missing, and which indexes cannot be asked yet."""

    missing: list[str]
    """Tables that are not there, or lack an index or their stream."""
    unready: list[tuple[str, str]]
    """Indexes, by table and name, that are being made or are not as declared."""
    counts: dict[str, int] = {}
    """How many items a table has, as far as that is known without counting them."""


class Engine(Protocol):
    """Where the data is. An expired item is invisible to all of this, whenever it is deleted."""

    name: str
    incomplete: Incomplete
    """Which indexes lack something; a query of one is refused."""
    retention_seconds: float
    """How long a stream record is kept at most, even if a consumer has not seen it."""
    trims_streams: bool
    """Whether `trim` does anything: records then go as soon as everybody has seen them."""

    async def get(self, table: Table, key: Key, decoder: ItemDecoder[T]) -> T | None:
        """Returns one item by its primary key, as of the last acknowledged write."""

    async def batch_get(self, wanted: Sequence[tuple[Table, Key]]) -> list[Item | None]:
        """Up to 100 items, in the order asked; None where there is none."""

    async def batch_get_decoded(self, wanted: Sequence[Wanted]) -> list[Any]:
        """Reads items decoded; None also where one is of another kind, or damaged."""

    async def query(self, query: Query, decoder: ItemDecoder[T]) -> Rows[T]:
        """Returns one page of a partition; of an index, it may lag behind."""

    async def scan(self, table: Table, *, limit: int, start: Item | None = None) -> Rows[Item]:
        """One page of everything, in no order that means anything; for exports and checks."""

    def change_number(self) -> int | None:
        """Returns a number that changes once a read may see something new; None if unknown."""

    def streams_with_news(self, since: int | None) -> StreamNews | None:
        """Which streams have records beyond a place in all of them; None where nobody knows."""

    async def write(self, operations: Sequence[WriteOperation]) -> None:
        """All operations or none; raises ConditionFailed with the index of the one that failed."""

    async def load(self, table: Table, items: Sequence[Item]) -> None:
        """Puts many items at once without conditions; for imports. Not one transaction."""

    async def create_tables(self, tables: Sequence[Table]) -> list[str]:
        """Creates what is missing and says what it created; never changes what is there."""

    async def missing_tables(self, tables: Sequence[Table]) -> list[str]:
        """Returns which of these tables the engine does not have."""

    async def examine_tables(self, tables: Sequence[Table]) -> TableReport:
        """Whether these tables are there as declared; one request for each at most."""

    async def upgrade_tables(self, tables: Sequence[Table], report: Callable[[str], None]) -> None:
        """Makes every additive change of tables and waits for it; tells what it is at."""

    async def sweep(self, limit: int) -> int:
        """Deletes up to so many expired items and says how many; 0 where the database does it."""

    async def trim(self, table: Table, shard: str, seen: Sequence[str]) -> None:
        """Lets go of records up to the least of these positions; nothing where it cannot."""

    async def reclaim_space(self) -> None:
        """Frees space that is no longer used, and leaves nothing readable that was deleted."""

    async def shards(self, table: Table) -> list[Shard]:
        """Returns the parts of a table's stream, parents before children."""

    async def changes(self, table: Table, shard: str, after: str | None, limit: int) -> Changes:
        """Records of a shard after a position; None starts with the oldest that is kept."""

    async def wait_for_changes(self, seconds: float, seen: int | None = None) -> None:
        """Returns soon after something changed, and after so many seconds at the latest.

        A caller that passes the change number it has seen misses nothing that came after it.
        """

    def new_worker_name(self) -> str:
        """Returns the name of a new worker, by which others may be able to tell whether it runs."""

    def has_worker_ended(self, worker: str) -> bool:
        """Whether a worker is known to run no more; False where that cannot be told."""

    async def close(self) -> None:
        """Finishes what is under way and lets go of files and connections."""
