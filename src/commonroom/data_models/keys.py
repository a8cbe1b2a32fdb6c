"""Key forms: what a data model says that a key is made of, and what our templates make."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from commonroom.data_models.differences import NOTHING, ModelDifference, code, joined
from commonroom.data_models.statements import Example, ModelStatement, StatedEntity
from commonroom.store.declare.entity import Entity, EntitySchema
from commonroom.store.declare.key_templates import KeyTemplate

_FIELD = re.compile(r"<(\w+)((?::[^>]+)?)>")


def compare_keys(
    name: str, stated: StatedEntity, entity: type[Entity], examples: Sequence[Example]
) -> Iterator[ModelDifference]:
    """Finds keys of another form; where a function makes one, examples show what it makes."""
    schema = entity.schema
    shown = [one for one in examples if one.entity == name]
    wrong = dict(_wrong_examples(schema, shown))
    for attribute, forms in stated.keys.items():
        subject = f"key {name}.{attribute}"
        wanted = [forms] if isinstance(forms, str) else forms
        made = schema.templates.get(attribute)
        if made is None:
            yield ModelDifference(subject, joined(wanted), NOTHING)
        elif attribute in wrong:
            yield ModelDifference(subject, *wrong.pop(attribute))
        elif made.function and sum(attribute in one.item for one in shown) < len(wanted):
            yield ModelDifference(subject, joined(wanted), "no example shows it", is_mistake=True)
        elif not made.function and wanted != [form_of(schema, made)]:
            yield ModelDifference(subject, joined(wanted), code(form_of(schema, made)))
    for attribute, (says, here) in wrong.items():
        yield ModelDifference(f"key {name}.{attribute}", says, here)


def form_of(schema: EntitySchema, made: KeyTemplate) -> str:
    """Returns a template with the stored names of its fields, as data models write it."""
    return _FIELD.sub(lambda part: f"<{schema.attributes[part[1]]}{part[2]}>", made.text)


def example_key(schema: EntitySchema, example: Example, attribute: str) -> Any:
    """Returns what we make of an example's other attributes for one of its keys."""
    values: Mapping[str, Any] = {
        field: example.item.get(stored, example.fields.get(field))
        for field, stored in schema.attributes.items()
    }
    return schema.templates[attribute].value(values)


def _wrong_examples(
    schema: EntitySchema, shown: Sequence[Example]
) -> Iterator[tuple[str, tuple[str, str]]]:
    for example in shown:
        for attribute in example.item.keys() & schema.templates.keys():
            ours = example_key(schema, example, attribute)
            if ours != example.item[attribute]:
                yield attribute, (code(example.item[attribute]), code(ours))


def check_names(document: ModelStatement) -> Iterator[ModelDifference]:
    """Finds examples of entities that the document does not state."""
    for example in document.examples:
        if example.entity not in document.entities:
            yield ModelDifference(
                f"example {example.entity}", "an example", NOTHING, is_mistake=True
            )
