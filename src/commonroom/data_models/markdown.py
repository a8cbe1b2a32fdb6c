"""Access patterns with the operations that serve them, and the comparison, as Markdown."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from commonroom.data_models.comparison import Comparison, Explained
from commonroom.data_models.consequences import consequence_tables
from commonroom.data_models.differences import NOTHING, code, joined
from commonroom.data_models.report import counts, deviation_rows
from commonroom.data_models.statements import ModelStatement, StatedPattern
from commonroom.house.consequences import consequences_of, read_declarations
from commonroom.store.declare.markdown import grid
from commonroom.store.declare.model import Model

DEVIATIONS = "decisions/0009-where-tables-differ-from-the-data-models.md"

MATRICES = f"""\
## The five data models

Each room keeps a DynamoDB data model of its own to the letter. These are the access patterns that
the five list, each with its table, its index and the operation that serves it: a function of
`src/commonroom`, which a test finds to use the pattern. Where tables, keys, attributes or limits
differ from the models, [decision 9]({DEVIATIONS}) says why."""


def model_page(model: Model, documents: Mapping[str, ModelStatement]) -> str:
    """The data model as a page: access patterns, what follows from writes, then all tables."""
    introduction, tables = model.as_markdown().split("\n\n## ", 1)
    titles = {one.room: one.title for one in documents.values()}
    follows = consequence_tables(consequences_of(read_declarations()), titles)
    return f"{introduction}\n\n{access_patterns(documents)}\n\n{follows}\n\n## {tables}"


def access_patterns(documents: Mapping[str, ModelStatement]) -> str:
    """Returns the access-pattern matrix of every data model."""
    parts = [MATRICES]
    for name, document in documents.items():
        parts.append(f"### {document.title} ([statement](documents/{name}.toml))")
        if document.patterns_note:
            parts.append(document.patterns_note)
        heads = ["access pattern", "table", "index", "key condition", "served by"]
        parts.append(grid(heads, (_pattern(one) for one in document.patterns)))
    return "\n\n".join(parts)


def _pattern(stated: StatedPattern) -> list[str]:
    served = joined(stated.served_by) if stated.served_by else f"no operation ([why]({DEVIATIONS}))"
    return [stated.name, code(stated.table), code(stated.index), code(stated.condition), served]


def comparison_tables(comparisons: Sequence[Comparison]) -> str:
    """Returns every deviation with its reason, what was read how, and what was added."""
    return "\n\n".join(part for one in comparisons for part in _comparison(one)) + "\n"


def _comparison(comparison: Comparison) -> Iterator[str]:
    document = comparison.document
    yield f"## {document.title}"
    yield (
        f"Stated in [{comparison.name}.toml](../documents/{comparison.name}.toml), and compared: "
        f"{counts(document)}."
    )
    added, changed = _parted(comparison.explained)
    if changed:
        yield "**What differs**"
        rows = [row for one in changed for row in deviation_rows(one)]
        yield grid(["where", "the model", "here", "because"], rows)
    if document.readings:
        yield "**What the model leaves open**"
        rows = [[one.where, one.disagrees, one.read_as] for one in document.readings]
        yield grid(["where", "what disagrees", "what we do"], rows)
    if document.rules:
        yield "**What it asks for, and the test that holds it**"
        yield grid(["the model", "test"], ([one.says, code(one.test)] for one in document.rules))
    if added:
        yield "**What was added to the structure**"
        yield grid(["what", "for"], (_addition(one) for one in added))
    if comparison.added:
        yield "**Attributes that were added**"
        rows = [[name, joined(attributes)] for name, attributes in comparison.added.items()]
        yield grid(["to", "what"], rows)


def _parted(explained: Sequence[Explained]) -> tuple[list[Explained], list[Explained]]:
    """Reasons for what was added, and reasons for what is otherwise."""
    added: list[Explained] = []
    changed: list[Explained] = []
    for one in explained:
        is_addition = bool(one.differences) and all(
            each.says == NOTHING for each in one.differences
        )
        (added if is_addition else changed).append(one)
    return added, changed


def _addition(explained: Explained) -> list[str]:
    """Returns a row for what was added, a line for each kind with its key."""
    names = [
        f"{one.subject}, {one.here}" if one.subject.startswith("kind ") else one.subject
        for one in explained.differences
    ]
    return ["<br>".join(names), explained.reason.because]
