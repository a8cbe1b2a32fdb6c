"""Where the fields of what people edit are typed and shown, and what is left out on purpose."""

from __future__ import annotations

import types
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Literal, NamedTuple, TypeVar, Union, get_args, get_origin, get_type_hints

import msgspec
from msgspec import Struct
from msgspec.structs import replace

E = TypeVar("E", bound=Struct)
Fields = frozenset[str]

TYPED, SHOWN = "typed", "shown"


class LeftOut(NamedTuple):
    """Fields that some surfaces do not have, and why."""

    fields: str
    of: str
    """The surfaces; `typed` and `shown` stand for all of those."""
    why: str


class Travels(NamedTuple):
    """What people edit, and by which surfaces its fields come in and go out."""

    entity: type[Struct]
    typed: Mapping[str, Fields]
    """Where fields are typed or sent."""
    shown: Mapping[str, Fields]
    """Where fields are shown or exported."""
    left_out: Sequence[LeftOut] = ()

    def find_faults(self) -> Iterator[str]:
        """Returns each field that a surface neither has nor leaves out, and each stale excuse."""
        surfaces = {**self.typed, **self.shown}
        excused: defaultdict[str, set[str]] = defaultdict(set)
        fields = fields_of(self.entity)
        for one in self.left_out:
            for name in one.fields.split():
                if name not in fields:
                    yield f"{self.entity.__name__} has no {name} to be left out"
            for surface in self._expand(one.of):
                names = set(one.fields.split())
                for name in sorted(names & (surfaces[surface] | excused[surface])):
                    yield f"{surface} of {self.entity.__name__} has {name}, which is left out"
                excused[surface] |= names
        for surface, has in surfaces.items():
            for name in sorted(fields - has - excused[surface]):
                yield f"{surface} of {self.entity.__name__} lacks {name}"

    def _expand(self, of: str) -> Iterator[str]:
        groups = {TYPED: self.typed, SHOWN: self.shown}
        for name in of.split():
            yield from groups.get(name, (name,))


def fields_of(kind: type[Struct]) -> Fields:
    """Returns the fields of a kind, without those that say nothing but which kind it is."""
    hints = get_type_hints(kind)
    return frozenset(
        name
        for name in kind.__struct_fields__
        if not (get_origin(hints[name]) is Literal and len(get_args(hints[name])) == 1)
    )


def named(*kinds: type[Struct], **stands_for: str) -> Fields:
    """Returns the fields of bodies, forms or views; some stand for others of what is stored."""
    names = {name for kind in kinds for name in kind.__struct_fields__}
    for name, fields in stands_for.items():
        names.remove(name)
        names |= set(fields.split())
    return frozenset(names)


def told_by(kind: type[E], tell: Callable[[E], Any], **given: tuple[Any, Any]) -> Fields:
    """Returns the fields that change what is told of a filled record when they change.

    `given` are two values of a field that takes only certain ones, also within other fields.
    """
    samples = dict(samples_of(kind, given))
    filled = kind(**{name: values[0] for name, values in samples.items()})
    before = tell(filled)
    return frozenset(
        name
        for name, values in samples.items()
        if tell(replace(filled, **{name: values[1]})) != before
    )


def samples_of(
    kind: type[Struct], given: Mapping[str, tuple[Any, Any]]
) -> Iterator[tuple[str, tuple[Any, Any]]]:
    """Yields two values of each field of a kind that differ."""
    hints = get_type_hints(kind)
    for name in sorted(fields_of(kind)):
        yield name, given.get(name) or _two(hints[name], name, given)


def _two(hint: Any, name: str, given: Mapping[str, tuple[Any, Any]]) -> tuple[Any, Any]:
    origin, inner = get_origin(hint), get_args(hint)
    if origin in (Union, types.UnionType):
        return _two(next(one for one in inner if one is not types.NoneType), name, given)
    if origin is Literal:
        return inner[0], inner[1]
    if origin is list:
        return tuple([value] for value in _two(inner[0], name, given))  # type: ignore[return-value]
    if origin is dict:
        first, second = _two(inner[1], name, given)
        return {"one": first}, {"another": second}
    if isinstance(hint, type) and issubclass(hint, Struct):
        samples = dict(samples_of(hint, given))
        return tuple(hint(**{name: pair[at] for name, pair in samples.items()}) for at in (0, 1))  # type: ignore[return-value]
    return _PLAIN[hint] if hint is not str else _texts(name)


def _texts(name: str) -> tuple[str, str]:
    if name.endswith(("_at", "_time")):
        return "2026-01-02T03:04:05.000Z", "2026-02-03T04:05:06.000Z"
    if name.endswith(("_on", "_date", "_day")):
        return "2026-01-02", "2026-02-03"
    return f"{name} 1", f"{name} 2"


_PLAIN: Mapping[Any, tuple[Any, Any]] = {
    int: (1, 2),
    float: (1.5, 2.5),
    bool: (False, True),
    bytes: (b"1", b"2"),
}


def plain(value: Any) -> Any:
    """Returns what is told as JSON has it."""
    return msgspec.to_builtins(value)
