"""The comparison of a data model with the declarations, each deviation beside its reason."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from msgspec import Struct, to_builtins

from commonroom.data_models.attributes import added_attributes, compare_attributes
from commonroom.data_models.differences import NOTHING, ModelDifference
from commonroom.data_models.keys import check_names, compare_keys
from commonroom.data_models.patterns import compare_limits, compare_patterns
from commonroom.data_models.statements import Deviation, ModelStatement, StatedEntity
from commonroom.data_models.structure import compare_structure
from commonroom.store.declare.entity import Entity
from commonroom.store.declare.model import Model


class Explained(Struct, frozen=True):
    """A reason with every difference that it explains; none where it states a behaviour."""

    reason: Deviation
    differences: Sequence[ModelDifference]


class Comparison(Struct, frozen=True):
    """How the declarations compare with one data model."""

    name: str
    document: ModelStatement
    explained: Sequence[Explained]
    unexplained: Sequence[ModelDifference]
    stale: Sequence[str]
    """What reasons name, and what no longer differs."""
    added: dict[str, list[str]]
    """Attributes beyond the data model, by entity."""

    @property
    def holds(self) -> bool:
        """Whether every deviation has a reason, and every reason a deviation."""
        return not self.unexplained and not self.stale

    def as_json(self) -> dict[str, Any]:
        """Returns the comparison as plain values."""
        return {
            "document": self.name,
            "explained": to_builtins(self.explained),
            "unexplained": to_builtins(self.unexplained),
            "stale": list(self.stale),
            "added": self.added,
        }


def compare(name: str, document: ModelStatement, model: Model) -> Comparison:
    """Compares one data model with what is declared."""
    found = sorted(_differences(document, model), key=lambda one: one.subject)
    reasons = {subject: reason for reason in document.deviations for subject in reason.of}
    excused = [one for one in found if one.subject in reasons and not one.is_mistake]
    differing = {one.subject for one in excused}
    return Comparison(
        name,
        document,
        [
            Explained(reason, [one for one in excused if reasons[one.subject] is reason])
            for reason in document.deviations
        ],
        [one for one in found if one not in excused],
        [subject for subject in reasons if subject not in differing],
        {
            entity.__name__: names
            for stated, entity in _declared(document, model)
            if (names := added_attributes(stated, entity))
        },
    )


def _differences(document: ModelStatement, model: Model) -> Iterator[ModelDifference]:
    yield from compare_structure(document, model)
    declared = {entity.__name__: entity for _, entity in _declared(document, model)}
    for name, stated in document.entities.items():
        if name not in declared:
            yield ModelDifference(f"entity {name}", f"an entity of `{stated.table}`", NOTHING)
            continue
        yield from compare_attributes(document, name, stated, declared[name])
        yield from compare_keys(name, stated, declared[name], document.examples)
    yield from check_names(document)
    yield from compare_limits(document)
    yield from compare_patterns(document, model)


def _declared(
    document: ModelStatement, model: Model
) -> Iterator[tuple[StatedEntity, type[Entity]]]:
    """Yields the stated entities that are declared, each in the table that the document names."""
    for table in model.tables:
        for entity in table.entities.values():
            stated = document.entities.get(entity.__name__)
            if stated is not None and stated.table == table.name:
                yield stated, entity
