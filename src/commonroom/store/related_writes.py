"""Writes with what relations declare: counts and mirrors change in the same transaction.

Each of these returns the operations that it takes, so what it costs is seen where it is called: one
for the thing, one for each parent that counts it, one for each mirror. An operation that the same
write holds on such a parent anyway, as a check that it is as it was read, is one with its count.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, TypeVar

from msgspec.structs import replace

from commonroom.errors import CommonroomError
from commonroom.store.actions import apply_actions
from commonroom.store.conditions import (
    Condition,
    absent,
    all_of,
    at_most,
    new,
    stored,
)
from commonroom.store.declare.entity import Entity, Ref
from commonroom.store.declare.relations import Count, Increment, Mirror, relations_of
from commonroom.store.engine import AttributeChange
from commonroom.store.errors import BadDeclaration, SameItemTwice, UnknownField
from commonroom.store.operations import Write, as_read, check, delete, put, update
from commonroom.store.updates import FieldUpdate, add, attribute_of, bind_condition
from commonroom.store.values import Item, Key

E = TypeVar("E", bound=Entity)


def insert(
    thing: Entity, *, on: Sequence[Entity] = (), if_: Condition | None = None
) -> list[Write]:
    """Stores a new thing. `on` are those that count it, as they were read, where a limit asks."""
    _check_related(type(thing))
    return [put(thing, if_=all_of(new, if_)), *_following(None, thing, on)]


def exchange(
    before: E | None, after: E, *, on: Sequence[Entity] = (), if_: Condition | None = None
) -> list[Write]:
    """Stores a thing in place of itself as it was read, or as new where it was not there.

    Those that count it are held to be there, also where their count stays.
    """
    if before is None:
        return insert(after, on=on, if_=if_)
    same = as_read(before, *_held(before))
    held = [replace(check(one, if_=stored), joins=True) for one in on]
    return [put(after, if_=all_of(same, if_)), *_following(before, after, on), *held]


def amend(
    thing: Entity, *, on: Sequence[Entity] = (), if_: Condition | None = None, **changes: Any
) -> list[Write]:
    """Changes fields of a thing as it was read, by which it may count for more, or elsewhere."""
    _check_related(type(thing))
    held = _held(thing)
    outright = {name: it for name, it in changes.items() if not isinstance(it, FieldUpdate)}
    if named := (changes.keys() - outright.keys()) & set(held):
        raise UnknownField(f"A relation depends on {', '.join(sorted(named))}: set it outright.")
    following = _following(thing, replace(thing, **outright), on)
    same = None if changes.keys().isdisjoint(held) else as_read(thing, *held)
    return [update(thing, if_=all_of(same, if_), **changes), *following]


def remove(thing: Entity, *, if_: Condition | None = None) -> list[Write]:
    """Deletes a thing as it was read; those that count it are there."""
    _check_related(type(thing))
    return removal(thing, if_=if_)


def removal(thing: Entity, *, if_: Condition | None = None) -> list[Write]:
    """Deletes a thing of any kind, as it was read, with all that follows, which may be nothing."""
    same = as_read(thing, *_held(thing))
    return [delete(thing, if_=all_of(same, if_)), *_following(thing, None, ())]


def joined(writes: Sequence[Write]) -> Sequence[Write]:
    """Returns writes with all that relations add to one item in one operation, within its bounds.

    Refuses at once where what was read says that there is no room.
    """
    if not any(one.joins for one in writes):
        return writes
    given = [one for one in writes if not one.joins]
    places: dict[tuple[str, Key], Write] = {_place(one): one for one in given}
    if len(places) < len(given):
        return writes  # which is refused
    for one in writes:
        if one.joins:
            place = _place(one)
            places[place] = _together(places[place], one) if place in places else one
    return [_bounded(one) if one.increments else one for one in places.values()]


def refusal_of(write: Write, found: Item | None) -> CommonroomError | None:
    """Returns the refusal that a count declares, where it was what made a condition fail."""
    if found is None:
        return None
    for one in write.increments:
        number = found.get(attribute_of(one.count.on, one.count.field), 0)
        refusal = one.refusal(number) if isinstance(number, int) else None
        if refusal is not None:
            return refusal
    return None


def mirrors_of(thing: Entity) -> Iterator[Entity]:
    """Yields what is written and deleted with a thing."""
    for relation in relations_of(type(thing)):
        if isinstance(relation, Mirror) and (made := relation.made(thing)) is not None:
            yield made


def _check_related(kind: type[Entity]) -> None:
    """Refuses a kind of which no relation is known: then its relations have not been loaded."""
    if not relations_of(kind):
        raise BadDeclaration(f"Nothing counts or mirrors {kind.__name__}: use `create`, `delete`.")


def _following(before: Entity | None, after: Entity | None, on: Sequence[Entity]) -> list[Write]:
    """Returns what follows where one thing stands in place of another, or of nothing."""
    thing = after if before is None else before
    writes: list[Write] = []
    for relation in () if thing is None else relations_of(type(thing)):
        if isinstance(relation, Count):
            writes += _counted(relation, before, after, on)
        else:
            writes += _mirrored(relation, before, after)
    return writes


def _counted(
    count: Count, before: Entity | None, after: Entity | None, on: Sequence[Entity]
) -> Iterator[Write]:
    amounts: dict[Key, tuple[Ref[Any], int]] = {}
    for thing, sign in ((before, -1), (after, 1)):
        parent = None if thing is None else count.parent(thing)
        if thing is not None and parent is not None:
            _, amount = amounts.get(parent.key, (parent, 0))
            amounts[parent.key] = parent, amount + sign * count.number(thing)
    for parent, amount in amounts.values():
        if amount:
            seen = next((one for one in on if type(one) is count.on and one.ref == parent), None)
            added: dict[str, Any] = {count.field: add(amount)}
            made = update(parent, **added)
            yield replace(made, joins=True, increments=(Increment(count, amount, seen),))


def _mirrored(mirror: Mirror, before: Entity | None, after: Entity | None) -> Iterator[Write]:
    old = None if before is None else mirror.made(before)
    new_ = None if after is None else mirror.made(after)
    if old is not None and (new_ is None or new_.ref != old.ref):
        yield delete(old)
    if new_ is not None and new_ != old:
        yield put(new_)


def _held(thing: Entity) -> list[str]:
    """Returns the fields by which a thing counts, and of which its mirrors are made."""
    fields: dict[str, None] = {}
    for relation in relations_of(type(thing)):
        fields |= dict.fromkeys(relation.held)
    return list(fields)


def _together(one: Write, other: Write) -> Write:
    """Returns an operation with what a relation adds to its item."""
    before, added = one.operation, other.operation
    if before.kind == "delete":
        return one  # with it, its counts go
    if before.kind == "put":
        item = apply_actions(before.item, added.actions)
        operation = replace(before, item=item)
    else:
        operation = replace(
            before,
            kind="check" if before.kind == added.kind == "check" else "update",
            condition=all_of(before.condition, added.condition),
            actions=_joined_actions(one, other),
        )
    return replace(one, operation=operation, increments=(*one.increments, *other.increments))


def _joined_actions(one: Write, other: Write) -> tuple[AttributeChange, ...]:
    actions = {action.name: action for action in one.operation.actions}
    for action in other.operation.actions:
        there = actions.get(action.name)
        if there is not None and (there.kind, action.kind) != ("add", "add"):
            raise SameItemTwice(
                f"{one.entity_type.__name__}: one write sets {action.name}, and a relation adds "
                "to it."
            )
        more = action.value if there is None else there.value + action.value
        actions[action.name] = AttributeChange(action.kind, action.name, more)
    return tuple(actions.values())


def _bounded(write: Write) -> Write:
    """Returns a write that holds the bounds of what it adds to."""
    totals: dict[str, Increment] = {}
    for one in write.increments:
        before = totals.get(one.count.field)
        seen = one.seen or (None if before is None else before.seen)
        more = one.amount + (0 if before is None else before.amount)
        totals[one.count.field] = Increment(one.count, more, seen)
    operation = write.operation
    if operation.kind == "put":
        # It is made with all that it counts: nothing was there that a condition could hold.
        made = write.entity_type.from_item(operation.item)
        for one in totals.values():
            _check_room(Increment(one.count, one.amount, made), of_it=one.amount)
    else:
        for one in totals.values():
            _check_room(one)
        bounds = (_bound(one) for one in totals.values())
        operation = replace(operation, condition=all_of(operation.condition, *bounds))
    return replace(write, operation=operation, increments=tuple(totals.values()))


def _check_room(one: Increment, *, of_it: int = 0) -> None:
    """Refuses where there is no room in what was read; `of_it` is counted there already."""
    if one.seen is not None:
        refusal = one.refusal(getattr(one.seen, one.count.field) - of_it)
        if refusal is not None:
            raise refusal


def _bound(one: Increment) -> Condition | None:
    """That there is room, where more is added; an absent number counts as 0."""
    count = one.count
    if one.amount <= 0 or count.at_most is None:
        return None
    limit = count.limit(one.seen)
    held = None
    if isinstance(count.at_most, str) and one.seen is not None:
        held = as_read(one.seen, count.at_most)
    fits = None
    if limit is not None:
        fits = at_most(**{count.field: limit - one.amount})
        if limit >= one.amount:
            fits = absent(count.field) | fits
    bound = all_of(held, fits)
    return None if bound is None else bind_condition(count.on, bound)


def _place(write: Write) -> tuple[str, Key]:
    return write.operation.table.name, write.operation.key
