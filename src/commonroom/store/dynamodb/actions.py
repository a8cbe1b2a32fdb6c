"""An update's actions as one update expression."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from commonroom.store.dynamodb.conditions import IsMap
from commonroom.store.dynamodb.terms import Terms
from commonroom.store.engine import Action

CLAUSES = ("SET", "REMOVE", "ADD")


def update_expression(actions: Sequence[Action], terms: Terms) -> str:
    """What to change; empty where the actions change nothing."""
    parts = [part for action in actions for part in _parts(action, terms)]
    clauses = {word: ", ".join([text for one, text in parts if one == word]) for word in CLAUSES}
    return " ".join([f"{word} {texts}" for word, texts in clauses.items() if texts])


def needed_maps(actions: Sequence[Action]) -> Iterator[IsMap]:
    """The maps that must be there for their entries to be changed."""
    for action in actions:
        if action.kind in ("merge", "discard", "count"):
            yield IsMap(action.name)


def _parts(action: Action, terms: Terms) -> Iterator[tuple[str, str]]:
    name = terms.name(action.name)
    match action.kind:
        case "set":
            yield "SET", f"{name} = {terms.value(action.value)}"
        case "set_if_absent":
            yield "SET", f"{name} = if_not_exists({name}, {terms.value(action.value)})"
        case "append":
            there = f"if_not_exists({name}, {terms.value([])})"
            yield "SET", f"{name} = list_append({there}, {terms.value(action.value)})"
        case "merge":
            for entry, value in action.value.items():
                yield "SET", f"{name}.{terms.name(entry)} = {terms.value(value)}"
        case "count":
            for entry, amount in action.value.items():
                place = f"{name}.{terms.name(entry)}"
                there = f"if_not_exists({place}, {terms.value(0)})"
                yield "SET", f"{place} = {there} + {terms.value(amount)}"
        case "remove":
            yield "REMOVE", name
        case "discard":
            for entry in action.value:
                yield "REMOVE", f"{name}.{terms.name(entry)}"
        case "add":
            yield "ADD", f"{name} {terms.value(action.value)}"
