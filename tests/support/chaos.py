"""Random steps on one small table, for both engines to take side by side."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import msgspec
from hypothesis import strategies as st
from msgspec.structs import replace

from commonroom.store import Condition, Index, Table, number, stored
from commonroom.store.conditions import all_of
from commonroom.store.engine import (
    AttributeChange,
    Engine,
    ItemDecoder,
    Query,
    SortRange,
    WriteOperation,
)
from commonroom.store.errors import ConditionFailed, StoreError
from commonroom.store.limits import check_operations
from commonroom.store.values import Item, Key, same_value
from tests.support.conditions import conditions, values

chaos = Table(
    "Chaos",
    room="tests",
    partition="P",
    sort=number("S"),
    ttl="E",
    indexes=[Index("ByText", "T", "U"), Index("ByNumber", "T", number("N"))],
)

WHOLE: ItemDecoder[Item] = ItemDecoder(from_blob=msgspec.msgpack.decode, from_item=dict, whole=True)
FAR = 10**10
"""A time that no database's own clock reaches while tests run; what lies around it can expire."""

MANY = {f"entry{number}": number for number in range(300)}
"""More entries than DynamoDB's expressions can name."""

KEYS: list[Key] = [("p", -1), ("p", 0.5), ("p", 10), ("q", 0), ("q", 2)]
"""Few, so that steps meet."""

keys = st.sampled_from(KEYS)
texts = st.sampled_from(["a", "b", "ab", "é", "\U00010000"])
numbers = st.sampled_from([0, 1, -1, 2.5, 10, 10**15, 2**53 + 1, 2**53 + 2, 2**63 - 1])
times = st.sampled_from([FAR - 10, FAR, FAR + 10])
indexed = st.builds(
    dict.__or__,
    st.one_of(
        st.just({}),
        st.fixed_dictionaries({"T": st.sampled_from("xy")}),
        st.fixed_dictionaries({"T": st.sampled_from("xy")}, optional={"E": times}),
    ),
    st.fixed_dictionaries({"U": texts}, optional={"N": numbers})
    | st.fixed_dictionaries({"N": numbers}, optional={"U": texts}),
)

# Mostly a number in A, a list in B and a map in C, so that changes find what they need; now and
# then something else, so that they do not.
_small = st.sampled_from([0.1, 0.2, 1, -5])
_amounts = _small | st.sampled_from([0.7, 1e-20, 1e20, 2**62, 1 - 2**63, 1e100, -1e100, 9e125])
_lists: st.SearchStrategy[list[Any]] = st.lists(values, min_size=1, max_size=2) | st.just([])
_entries: st.SearchStrategy[dict[str, Any]] = st.dictionaries(
    st.sampled_from("ab"), values, min_size=1
) | st.just({})
_typical = {"A": _small, "B": _lists, "C": _entries}
bodies = st.builds(
    dict.__or__,
    st.one_of(
        st.fixed_dictionaries({}, optional=_typical),
        st.dictionaries(st.sampled_from("ABC"), values),
    ),
    indexed,
)
beginnings = st.tuples(
    *(
        st.builds(
            lambda *parts: parts[0] | parts[1] | {"T": "x"},
            st.fixed_dictionaries(_typical),
            indexed,
        )
        for _ in KEYS
    )
)
"""What is there before the first step."""


def _actions(
    kind: Any, names: str, given: st.SearchStrategy[Any]
) -> st.SearchStrategy[AttributeChange]:
    return st.builds(AttributeChange, st.just(kind), st.sampled_from(names), given)


actions = st.one_of(
    _actions("set", "ABC", values),
    _actions("set_if_absent", "ABC", values),
    _actions("remove", "ABCTUNE", st.none()),
    _actions("set", "T", st.sampled_from("xy")),
    _actions("set", "U", texts),
    _actions("set", "N", numbers),
    _actions("add", "AAAAAANNNNBC", _amounts),
    _actions("append", "BBBBBBBBBBAC", _lists),
    _actions("merge", "CCCCCCCCCCAB", _entries),
    _actions("count", "CCCCCCCCCCAB", st.dictionaries(st.sampled_from("ab"), _amounts)),
    _actions("count", "C", st.just(MANY)),
    _actions("merge", "C", st.just(MANY)),
    _actions("discard", "CCCCCCCCCCAB", st.lists(st.sampled_from("ab"), unique=True)),
)


def _operation(
    kind: Any, key: Key, condition: Condition | None, body: Item, several: list[AttributeChange]
) -> WriteOperation:
    match kind:
        case "put":
            return WriteOperation("put", chaos, key, condition, item=body)
        case "update":
            return WriteOperation(
                "update", chaos, key, all_of(stored, condition), actions=tuple(several)
            )
        case "delete":
            return WriteOperation("delete", chaos, key, condition)
    return WriteOperation("check", chaos, key, condition or stored)


operations = st.builds(
    _operation,
    st.sampled_from(["put", "put", "update", "update", "update", "delete", "check"]),
    keys,
    st.one_of(st.none(), st.none(), st.none(), conditions),
    bodies,
    st.lists(actions, min_size=1, max_size=3, unique_by=lambda action: action.name),
)


@dataclass(frozen=True)
class Write:
    """Some operations, all or nothing."""

    operations: list[WriteOperation]


@dataclass(frozen=True)
class Fetch:
    """Some items by key."""

    keys: list[Key]


@dataclass(frozen=True)
class Walk:
    """A partition from one end to the other."""

    index: str | None
    partition: str
    sort: SortRange | None
    forward: bool
    limit: int


@dataclass(frozen=True)
class Wait:
    """Time goes on, or back."""

    until: float


def _range(sign: Any, low: Any, high: Any) -> SortRange:
    return SortRange(sign, low, high if sign == "between" else None)


def _ranges(ends: st.SearchStrategy[Any], *more: str) -> st.SearchStrategy[SortRange | None]:
    signs = st.sampled_from(["=", "<", "<=", ">", ">=", "between", *more])
    return st.none() | st.builds(_range, signs, ends, ends)


def _walks(
    index: str | None, partitions: str, ranges: st.SearchStrategy[SortRange | None]
) -> st.SearchStrategy[Walk]:
    return st.builds(
        Walk,
        st.just(index),
        st.sampled_from(partitions),
        ranges,
        st.booleans(),
        st.integers(1, 5),
    )


Step = Write | Fetch | Walk | Wait
steps: st.SearchStrategy[Step] = st.one_of(
    st.builds(Write, st.lists(operations, min_size=1, max_size=3)),
    *[st.builds(Write, st.lists(operations, min_size=1, max_size=1))] * 4,
    st.builds(Fetch, st.lists(keys, min_size=1, max_size=4)),
    _walks(None, "pq", _ranges(numbers)),
    _walks("ByText", "xy", _ranges(texts, "begins_with")),
    _walks("ByNumber", "xy", _ranges(numbers)),
    st.builds(Wait, st.sampled_from([FAR - 20, FAR - 5, FAR, FAR + 5, FAR + 20])),
)


LOOK_AROUND: list[Step] = [
    Fetch(KEYS),
    *(Walk(None, partition, None, forward=True, limit=3) for partition in "pq"),
    *(
        Walk(index, partition, None, forward=False, limit=2)
        for index in ("ByText", "ByNumber")
        for partition in "xy"
    ),
]
"""What sees everything that the steps before have done."""


class Taken:
    """What became of the steps on one engine; every partition's name begins with `prefix`."""

    def __init__(self, engine: Engine, prefix: str) -> None:
        self.engine = engine
        self.prefix = prefix

    async def begin(self, bodies: Sequence[Item]) -> None:
        """Puts what is to be there before the first step."""
        pairs = zip(KEYS, bodies, strict=True)
        await self._write(
            Write([WriteOperation("put", chaos, key, item=body) for key, body in pairs])
        )

    async def take(self, step: Step) -> Any:
        """What a step gives, or the error that it ends in."""
        try:
            match step:
                case Write():
                    return await self._write(step)
                case Fetch():
                    wanted = [(chaos, self._key(key)) for key in step.keys]
                    return await self.engine.batch_get(wanted)
                case Walk():
                    return await self._walk(step)
        except ConditionFailed as failed:
            return ("ConditionFailed", failed.index, failed.item)
        except StoreError as error:
            return type(error).__name__

    async def _write(self, step: Write) -> str:
        writes = [self._own(operation) for operation in step.operations]
        check_operations(writes)
        await self.engine.write(writes)
        return "written"

    async def _walk(self, walk: Walk) -> list[list[Any]]:
        """All items from end to end, those with equal sort keys in an order of our own."""
        index = None if walk.index is None else chaos.index(walk.index)
        sort = "S" if index is None or index.sort is None else index.sort.name
        start, found = None, []
        while True:
            query = Query(
                chaos,
                index,
                self.prefix + walk.partition,
                walk.sort,
                walk.forward,
                walk.limit,
                start,
            )
            rows = await self.engine.query(query, WHOLE)
            found += rows.items
            start = rows.next
            if start is None:
                break
        order = [item[sort] for item in found]
        assert order == sorted(order, reverse=not walk.forward)
        return [
            [place, sorted((item for item in found if item[sort] == place), key=_primary)]
            for place in dict.fromkeys(order)
        ]

    def _key(self, key: Key) -> Key:
        return (self.prefix + str(key[0]), *key[1:])

    def _own(self, operation: WriteOperation) -> WriteOperation:
        key = self._key(operation.key)
        if operation.kind == "put":
            item = operation.item | {"P": key[0], "S": key[1]}
            if "T" in item:
                item["T"] = self.prefix + item["T"]
            return replace(operation, key=key, item=item)
        actions = tuple(self._own_action(action) for action in operation.actions)
        return replace(operation, key=key, actions=actions)

    def _own_action(self, action: AttributeChange) -> AttributeChange:
        moves = action.name == "T" and action.kind == "set"
        return replace(action, value=self.prefix + action.value) if moves else action


def _primary(item: Item) -> tuple[str, float]:
    return item["P"], item["S"]


def alike(one: Any, other: Any) -> bool:
    """Whether two outcomes are the same, types included."""
    if isinstance(one, tuple) or isinstance(other, tuple):
        return type(one) is type(other) and one[:2] == other[:2] and same_value(one[2], other[2])
    return same_value(one, other)


def both_wrong(step: Step, one: Any, other: Any) -> bool:
    """Whether a write has two faults in two operations, of which each engine told another one.

    DynamoDB Local tells of a wrong type before it looks at any condition.
    """
    several = isinstance(step, Write) and len(step.operations) > 1
    return several and {_fault(one), _fault(other)} == {"WrongType", "ConditionFailed"}


def _fault(outcome: Any) -> Any:
    return outcome[0] if isinstance(outcome, tuple) else str(outcome)
