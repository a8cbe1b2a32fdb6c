"""Access patterns: the queries of a room, each by name and each one request."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Generic, Literal, TypedDict, TypeVar, Unpack, cast, overload

from msgspec import Struct

from commonroom.store.declare.entity import Entity, Ref, decoder_of
from commonroom.store.declare.key_templates import KeyTemplate, template
from commonroom.store.declare.table import Index, KeyAttribute, Table
from commonroom.store.engine import ItemDecoder, SortRange
from commonroom.store.errors import BadDeclaration, BadKey, UnknownField
from commonroom.store.values import Item, KeyValue

T_co = TypeVar("T_co", covariant=True)
A = TypeVar("A", bound=Entity)
B = TypeVar("B", bound=Entity)
C = TypeVar("C", bound=Entity)

Sign = Literal["=", "<", "<=", ">", ">=", "begins_with", "between"]


@dataclass(frozen=True, slots=True)
class SortCondition:
    """What a pattern asks of the sort key."""

    sign: Sign
    low: KeyTemplate
    high: KeyTemplate | None = None

    def text(self, name: str) -> str:
        """Returns the condition as documentation shows it."""
        if self.sign == "begins_with":
            return f"begins_with({name}, {self.low.text})"
        if self.high is not None:
            return f"{name} BETWEEN {self.low.text} AND {self.high.text}"
        return f"{name} {self.sign} {self.low.text}"


def begins_with(text: str) -> SortCondition:
    """Sort keys with this prefix."""
    return SortCondition("begins_with", template(text))


def equal_to(text: str) -> SortCondition:
    """Exactly this sort key."""
    return SortCondition("=", template(text))


def greater_than(text: str) -> SortCondition:
    """Sort keys after this."""
    return SortCondition(">", template(text))


def less_than(text: str) -> SortCondition:
    """Sort keys before this."""
    return SortCondition("<", template(text))


def between(low: str, high: str) -> SortCondition:
    """Sort keys from one to another, both included."""
    return SortCondition("between", template(low), template(high))


class BoundPattern(Struct, Generic[T_co], frozen=True):
    """A pattern with its parameters filled in: what `Store.page` answers."""

    pattern: Pattern[T_co]
    partition: KeyValue
    sort: SortRange | None


@dataclass(eq=False)
class Pattern(Generic[T_co]):
    """A named query of one partition of a table or index."""

    name: str
    table: Table
    index: Index | None
    partition: KeyTemplate
    sort: SortCondition | None
    gives: tuple[type[Entity], ...]
    newest_first: bool = False
    one: bool = False
    """Whether it names a whole primary key, so that there is at most one answer."""

    @cached_property
    def decoder(self) -> ItemDecoder[Any]:
        """Returns how a stored item becomes an answer."""
        return _key_decoder(self) if self.gives_keys else decoder_of(*self.gives)

    @property
    def gives_keys(self) -> bool:
        """Whether the index carries keys only: answers are then references to fetch in a batch."""
        return self.index is not None and self.index.keys_only

    @property
    def key(self) -> tuple[KeyAttribute, ...]:
        """The key that the pattern goes through."""
        return self.table.key if self.index is None else self.index.key

    @property
    def parameters(self) -> tuple[str, ...]:
        """What has to be filled in."""
        templates = [self.partition]
        if self.sort is not None:
            templates += [one for one in (self.sort.low, self.sort.high) if one is not None]
        return tuple(dict.fromkeys(name for one in templates for name in one.fields))

    @property
    def condition(self) -> str:
        """The key condition as documentation shows it."""
        texts = [f"{self.key[0].name} = {self.partition.text}"]
        if self.sort is not None:
            texts.append(self.sort.text(self.key[1].name))
        return " AND ".join(texts)

    def __call__(self, **parameters: Any) -> BoundPattern[T_co]:
        """Returns the pattern with its parameters, ready for `Store.page`."""
        try:
            partition = self.partition.value(parameters)
            sort = None if self.sort is None else self._range(self.sort, parameters)
        except KeyError as error:
            raise UnknownField(f"“{self.name}” needs {error.args[0]}.") from error
        if partition is None:
            raise BadKey(f"“{self.name}” needs a value for each of {', '.join(self.parameters)}.")
        return BoundPattern(self, partition, sort)

    def _range(self, sort: SortCondition, parameters: dict[str, Any]) -> SortRange:
        low = sort.low.value(parameters)
        high = sort.high.value(parameters) if sort.high is not None else None
        if low is None or (high is None and sort.high is not None):
            raise BadKey(f"“{self.name}” needs a value for each of {', '.join(self.parameters)}.")
        return SortRange(sort.sign, low, high)


def _key_decoder(pattern: Pattern[Any]) -> ItemDecoder[Any]:
    """References from the key attributes that a keys-only index carries."""
    table, entities = pattern.table, pattern.gives
    by_kind = {entity.schema.kind: entity for entity in entities}

    def reference(item: Item) -> Ref[Entity]:
        kind = item.get(table.discriminator) if table.discriminator else None
        entity = by_kind.get(kind, entities[0])
        return Ref(entity, tuple(item[attribute.name] for attribute in table.key), {})

    def unused(_: bytes) -> Any:
        raise AssertionError("a keys-only index has no blobs")

    return ItemDecoder(from_blob=unused, from_item=reference, whole=True)


class QueryOptions(TypedDict, total=False):
    """How a pattern gets at its partition."""

    index: str
    partition: str
    """Needed only where the entities do not agree on one template for it."""
    sort: SortCondition
    newest_first: bool


@overload
def many(
    table: Table, name: str, *, gives: type[A], **options: Unpack[QueryOptions]
) -> Pattern[A]: ...
@overload
def many(
    table: Table, name: str, *, gives: tuple[type[A], type[B]], **options: Unpack[QueryOptions]
) -> Pattern[A | B]: ...
@overload
def many(
    table: Table,
    name: str,
    *,
    gives: tuple[type[A], type[B], type[C]],
    **options: Unpack[QueryOptions],
) -> Pattern[A | B | C]: ...
@overload
def many(
    table: Table, name: str, *, gives: tuple[type[Entity], ...], **options: Unpack[QueryOptions]
) -> Pattern[Entity]: ...
def many(
    table: Table,
    name: str,
    *,
    gives: type[Entity] | tuple[type[Entity], ...],
    **options: Unpack[QueryOptions],
) -> Pattern[Any]:
    """Declares a pattern that gives a page of these entities."""
    entities = gives if isinstance(gives, tuple) else (gives,)
    index = table.index(options["index"]) if "index" in options else None
    attribute = index.partition if index is not None else table.partition
    partition = (
        template(options["partition"])
        if "partition" in options
        else _shared_template(name, attribute, entities)
    )
    return _register(
        Pattern(
            name,
            table,
            index,
            partition,
            options.get("sort"),
            entities,
            newest_first=options.get("newest_first", False),
        )
    )


@overload
def one(table: Table, name: str, *, gives: type[A]) -> Pattern[A]: ...
@overload
def one(table: Table, name: str, *, gives: tuple[type[A], type[B]]) -> Pattern[A | B]: ...
@overload
def one(
    table: Table, name: str, *, gives: tuple[type[A], type[B], type[C]]
) -> Pattern[A | B | C]: ...
def one(table: Table, name: str, *, gives: type[Entity] | tuple[type[Entity], ...]) -> Pattern[Any]:
    """Declares a pattern that gives the one thing with a primary key."""
    entities = gives if isinstance(gives, tuple) else (gives,)
    partition, *rest = (_shared_template(name, attribute, entities) for attribute in table.key)
    sort = SortCondition("=", rest[0]) if rest else None
    return _register(Pattern(name, table, None, partition, sort, entities, one=True))


def keys_of(pattern: Pattern[A]) -> Pattern[Ref[A]]:
    """Types a pattern by what a keys-only index returns: references to fetch in a batch."""
    if not pattern.gives_keys:
        raise BadDeclaration(f"“{pattern.name}” does not go through a keys-only index.")
    return cast("Pattern[Ref[A]]", pattern)


def _shared_template(
    name: str, attribute: KeyAttribute, gives: Sequence[type[Entity]]
) -> KeyTemplate:
    """The template that all the entities have for the partition, so that no pattern repeats it."""
    found = {
        entity.schema.templates[attribute.name].text: entity.schema.templates[attribute.name]
        for entity in gives
        if attribute.name in entity.schema.templates
    }
    if len(found) != 1:
        raise BadDeclaration(
            f"“{name}” must say its partition: {attribute.name} is not one template."
        )
    return next(iter(found.values()))


def _register(pattern: Pattern[T_co]) -> Pattern[T_co]:
    pattern.table.patterns.append(pattern)
    return pattern
