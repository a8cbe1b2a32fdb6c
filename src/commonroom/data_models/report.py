"""The comparison in lines: what deviates and why, and what must be repaired or explained."""

from __future__ import annotations

from collections.abc import Iterator

from commonroom.data_models.comparison import Comparison, Explained
from commonroom.data_models.statements import ModelStatement


def report(comparison: Comparison) -> Iterator[str]:
    """Yields every deviation from a data model, with its reason."""
    yield f"{comparison.document.title}: {counts(comparison.document)}"
    for one in comparison.explained:
        for where, says, here, because in deviation_rows(one):
            yield f"  {where}"
            yield f"      the model: {says}"
            yield f"      here:      {here}"
            yield f"      because:   {because}"


def problems(comparison: Comparison) -> Iterator[str]:
    """Yields what must be repaired or explained, a line each."""
    for one in comparison.unexplained:
        yield f"{comparison.name}: {one.subject}: {one.says} → {one.here} (no reason is given)"
    for subject in comparison.stale:
        yield f"{comparison.name}: {subject}: a reason is given, and nothing differs"


def counts(document: ModelStatement) -> str:
    """Returns how much of a data model is compared."""
    indexes = sum(len(one.indexes) for one in document.tables.values())
    attributes = sum(len(one.attributes) for one in document.entities.values())
    attributes += sum(map(len, document.objects.values()))
    keys = sum(len(one.keys) for one in document.entities.values())
    numbers = {
        "tables": len(document.tables),
        "indexes": indexes,
        "attributes": attributes,
        "key forms": keys,
        "limits": len(document.limits),
        "access patterns": len(document.patterns),
        "examples": len(document.examples),
    }
    one = {"indexes": "index"}
    return ", ".join(
        f"{number} {what if number > 1 else one.get(what, what.removesuffix('s'))}"
        for what, number in numbers.items()
        if number
    )


def deviation_rows(explained: Explained) -> Iterator[list[str]]:
    """Yields a row for what a reason says itself, else one for all differences that are alike."""
    reason = explained.reason
    subjects = [one.subject for one in explained.differences]
    if reason.says or not subjects:
        yield [", ".join(subjects) or reason.where, reason.says, reason.here, reason.because]
        return
    alike: dict[tuple[str, str], list[str]] = {}
    for one in explained.differences:
        alike.setdefault((one.says, reason.here or one.here), []).append(one.subject)
    for (says, here), same in alike.items():
        yield [", ".join(same), says, here, reason.because]
