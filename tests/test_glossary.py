"""One word, one meaning: what docs/glossary.md says of names holds."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from pathlib import Path

SOURCE = Path(__file__).parent.parent / "src" / "commonroom"
RETIRED = re.compile(r"\b_?(?:MOST|LONGEST|FEWEST)_[A-Z_]+\b")
"""Words that were replaced: bounds are `MAX_` and `MIN_`."""


def test_a_class_name_stands_for_one_thing() -> None:
    places = defaultdict(list)
    for path in SOURCE.rglob("*.py"):
        for node in ast.parse(path.read_text()).body:
            if isinstance(node, ast.ClassDef):
                places[node.name].append(str(path.relative_to(SOURCE)))
    assert {name: found for name, found in places.items() if len(found) > 1} == {}


def test_no_retired_word_comes_back() -> None:
    found = {
        f"{path.relative_to(SOURCE)}: {match[0]}"
        for pattern in ("*.py", "*.html", "*.js")
        for path in SOURCE.rglob(pattern)
        for match in RETIRED.finditer(path.read_text())
    }
    assert found == set()
