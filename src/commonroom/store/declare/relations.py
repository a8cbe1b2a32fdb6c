"""Relations: what counts a thing, what it belongs to, and what is written along with it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache, partial
from typing import Any, TypeAlias, TypeVar

from commonroom.errors import CommonroomError, Conflict
from commonroom.store.declare.entity import Entity, Ref
from commonroom.store.declare.patterns import BoundPattern
from commonroom.store.errors import BadDeclaration, UnknownField

P = TypeVar("P", bound=Entity)  # the parent

Kinds: TypeAlias = type[Entity] | tuple[type[Entity], ...]
Found: TypeAlias = Callable[[Any], BoundPattern[Any]]
"""The pattern that finds the children of a parent, among others perhaps."""


@dataclass(frozen=True, slots=True)
class Count:
    """“`bring_count` on Hangout is how many BringItems it has, at most fifty.”"""

    of: tuple[type[Entity], ...]
    on: type[Entity]
    field: str
    total_of: str | None
    """The field that is summed up; None where each counts as one."""
    where: Callable[[Any], bool] | None
    held: tuple[str, ...]
    """The fields of a child on which it depends what it counts for, and where."""
    refers: Mapping[str, str]
    """Key field of the parent to the field of the child that holds its value."""
    at_most: int | str | None
    """The most that it may come to: a number, or the parent's field that says so."""
    refuse: str | None
    """What is said where it would come to more; without it, a write has lost a race."""
    overbooked: str | None
    """What a check says where it has come to more."""
    found: Found | None

    @property
    def description(self) -> str:
        """What follows from a write of a child, in a sentence."""
        limit = f", at most {self.at_most}" if isinstance(self.at_most, int) else ""
        limit = f", at most its `{self.at_most}`" if isinstance(self.at_most, str) else limit
        what = "Counts it in" if self.total_of is None else f"Adds its `{self.total_of}` to"
        return f"{what} `{self.field}` of {self.on.__name__}{limit}."

    def parent(self, child: Entity) -> Ref[Any] | None:
        """Returns where a child is counted; None where it is not."""
        return _referred(self.on, self.refers, child)

    def number(self, child: Entity) -> int:
        """Returns what a child counts for."""
        if self.where is not None and not self.where(child):
            return 0
        number: int = 1 if self.total_of is None else getattr(child, self.total_of)
        return number

    def limit(self, parent: Entity | None) -> int | None:
        """Returns the most that it may come to, as the parent was read."""
        if not isinstance(self.at_most, str):
            return self.at_most
        if parent is None:
            raise UnknownField(
                f"{self.on.__name__}.{self.field} is limited by its {self.at_most}: "
                "give it as it was read."
            )
        found: int | None = getattr(parent, self.at_most)
        return found


@dataclass(frozen=True, slots=True)
class Children:
    """“BringClaims belong to their BringItem, and go with it.”"""

    of: tuple[type[Entity], ...]
    on: type[Entity]
    refers: Mapping[str, str]
    lost: str
    """What a check says of a child whose parent is gone."""
    check: str
    found: Found | None
    """None where something else deletes them, and the check alone looks for those left over."""
    known: Callable[[Any, Any], bool] | None
    """Whether a parent knows of a child; None where it need not."""
    known_by: tuple[str, ...]
    """The parent's fields that say so."""
    unknown: str
    """What a check says of a child that its parent does not know of."""
    unknown_check: str

    @property
    def description(self) -> str:
        """What follows from the parent's end, in a sentence."""
        return "Goes with it." if self.found is not None else "Goes with it, deleted by hand."

    def parent(self, child: Entity) -> Ref[Any] | None:
        """Returns where a child's parent is; None where it has none."""
        return _referred(self.on, self.refers, child)


@dataclass(frozen=True, slots=True)
class Mirror:
    """“AttachmentPointer is written and deleted with its Attachment.”"""

    of: tuple[type[Entity], ...]
    by: type[Entity]
    made: Callable[[Any], Entity | None]
    """Makes the mirror of an original; None where that has none."""
    original: Callable[[Any], Ref[Any] | None]
    """Where the original of a mirror is."""
    held: tuple[str, ...]
    """The fields that a mirror is made of, besides those of the original's key."""
    missing: str
    """What a check says of an original without its mirror, or with another."""
    missing_check: str
    stray: str
    """What it says of a mirror without an original."""
    stray_check: str

    @property
    def description(self) -> str:
        """What follows from a write of the original, in a sentence."""
        return f"Writes or deletes its {self.by.__name__}."


Relation: TypeAlias = Count | Children | Mirror


@dataclass(frozen=True, slots=True)
class Increment:
    """What a write adds to a count, and the parent if it was read."""

    count: Count
    amount: int
    seen: Entity | None

    def refusal(self, number: int) -> CommonroomError | None:
        """Returns the refusal, where this would make more of a number than is allowed."""
        if self.count.refuse is None or self.amount <= 0:
            return None
        limit = self.count.limit(self.seen)
        is_too_many = limit is not None and number + self.amount > limit
        return Conflict(self.count.refuse) if is_too_many else None


def counts(
    of: Kinds,
    *,
    on: type[Entity],
    field: str,
    total_of: str | None = None,
    where: Callable[[Any], bool] | None = None,
    depends_on: tuple[str, ...] = (),
    refers: Mapping[str, str] | None = None,
    at_most: int | str | None = None,
    refuse: str | None = None,
    overbooked: str | None = None,
    found: Found | None = None,
) -> Count:
    """Declares that a field of a parent is the number of its children, or the total of theirs.

    `where` leaves some out, by what it `depends_on`. `found` is how a check finds the children;
    without it, the check of a room counts them.
    """
    kinds = _kinds(of)
    references = _references(on, kinds, refers)
    schema = on.schema
    if field not in schema.attributes:
        raise BadDeclaration(f"{on.__name__} lacks {field}.")
    if any(field in made.fields for made in schema.templates.values()):
        raise BadDeclaration(f"{on.__name__}.{field} takes part in a key: it cannot be added to.")
    if schema.raises_version([field]):
        raise BadDeclaration(f"{on.__name__}.{field} counts: it is to be `unversioned`.")
    if isinstance(at_most, str) and at_most not in schema.attributes:
        raise BadDeclaration(f"{on.__name__} lacks {at_most}.")
    looked_at = [*references.values(), *depends_on, *([] if total_of is None else [total_of])]
    _check_fields(kinds, looked_at)
    fixed = {name for kind in kinds for name in kind.schema.primary_fields}
    held = tuple(dict.fromkeys(name for name in looked_at if name not in fixed))
    made = Count(
        *(kinds, on, field, total_of, where, held),
        *(references, at_most, refuse, overbooked, found),
    )
    kinds[0].schema.table.relations.append(made)
    return made


def children(
    of: Kinds,
    *,
    on: type[Entity],
    lost: str,
    check: str = "orphans",
    refers: Mapping[str, str] | None = None,
    found: Found | None = None,
    known: Callable[[Any, Any], bool] | None = None,
    known_by: tuple[str, ...] = (),
    unknown: str | None = None,
    unknown_check: str | None = None,
) -> Children:
    """Declares that things belong to a parent, and go with it.

    `lost` is what a check says of one that is left over: its fields in braces are filled in.
    `found` asks the base table: an index might not show the latest. Where a parent has to know of
    a child, `known` takes both and says whether it does, by the parent's fields `known_by`; and
    `unknown` is what a check says of one that goes, if it is not the same.
    """
    kinds = _kinds(of)
    if known is not None:
        _check_fields((on,), known_by)
    made = Children(
        *(kinds, on, _references(on, kinds, refers), lost, check, found),
        *(known, known_by, unknown or lost, unknown_check or check),
    )
    kinds[0].schema.table.relations.append(made)
    return made


def mirror(
    of: Kinds,
    by: type[Entity],
    *,
    made: Callable[[Any], Entity | None],
    missing: str,
    stray: str,
    missing_check: str = "pointers",
    stray_check: str = "pointers",
    made_of: tuple[str, ...] = (),
    original: Callable[[Any], Ref[Any] | None] | None = None,
) -> Mirror:
    """Declares that one thing is written and deleted with another, as `made` makes it.

    `made_of` names the fields that it takes from its original, besides those of its key. Where its
    `original` is, its own fields say by the same names, unless that is given.
    """
    kinds = _kinds(of)
    _check_fields(kinds, made_of)
    if original is None:
        references = _references(kinds[0], (by,), None)
        original = partial(_referred, kinds[0], references)
    declared = Mirror(
        *(kinds, by, made, original, made_of),
        *(missing, missing_check, stray, stray_check),
    )
    kinds[0].schema.table.relations.append(declared)
    return declared


def relations_of(kind: type[Entity]) -> tuple[Count | Mirror, ...]:
    """Returns what follows from writes of one kind of thing in the same transaction."""
    return _relations_of(kind, len(kind.schema.table.relations))


@cache
def _relations_of(kind: type[Entity], _declared: int) -> tuple[Count | Mirror, ...]:
    declared = kind.schema.table.relations
    return tuple(one for one in declared if not isinstance(one, Children) and kind in one.of)


def _kinds(of: Kinds) -> tuple[type[Entity], ...]:
    return of if isinstance(of, tuple) else (of,)


def _references(
    on: type[Entity], kinds: tuple[type[Entity], ...], refers: Mapping[str, str] | None
) -> Mapping[str, str]:
    """Returns how children refer to the whole key of their parent: by fields of the same names."""
    references = {name: name for name in on.schema.primary_fields} | dict(refers or {})
    if set(references) != set(on.schema.primary_fields):
        raise BadDeclaration(f"A relation to {on.__name__} must refer to its primary key.")
    _check_fields(kinds, references.values())
    return references


def _check_fields(kinds: tuple[type[Entity], ...], fields: Iterable[str]) -> None:
    for kind in kinds:
        if lacking := set(fields) - kind.schema.attributes.keys():
            raise BadDeclaration(f"{kind.__name__} lacks {', '.join(sorted(lacking))}.")


def _referred(to: type[P], refers: Mapping[str, str], thing: Entity) -> Ref[P] | None:
    fields = {key: getattr(thing, field) for key, field in refers.items()}
    return None if None in fields.values() else to.at(**fields)
