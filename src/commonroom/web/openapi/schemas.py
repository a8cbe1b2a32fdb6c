"""The shapes of bodies and answers, as JSON Schema has them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

import msgspec

REF = "#/components/schemas/"

PROBLEM: dict[str, Any] = {
    "title": "Problem",
    "description": "What went wrong (RFC 9457). There may be additional members.",
    "type": "object",
    "properties": {
        "type": {"type": "string", "description": "The kind of problem."},
        "title": {
            "type": "string",
            "description": "A short title, the same for all problems of a kind.",
        },
        "status": {"type": "integer"},
        "detail": {"type": "string", "description": "What happened, in a sentence."},
        "instance": {"type": "string"},
        "field": {"type": "string", "description": "The invalid field, where it is one."},
        "errors": {
            "type": "array",
            "description": "Every invalid field, where there are several.",
            "items": {
                "type": "object",
                "properties": {"field": {"type": "string"}, "message": {"type": "string"}},
            },
        },
    },
    "required": ["type", "title", "status", "detail"],
}


class Schemas:
    """The schemas of many types, each named once."""

    def __init__(self, types: Iterable[Any]) -> None:
        wanted = list(dict.fromkeys(types))
        template = REF + "{name}"
        refs, components = msgspec.json.schema_components(wanted, ref_template=template)
        refs, components = _named((list(refs), components))
        self._refs: dict[Any, dict[str, Any]] = dict(zip(wanted, refs, strict=True))
        self._all: dict[str, Any] = {**components, "Problem": PROBLEM}
        self._taken_apart: set[str] = set()

    def ref(self, kind: Any) -> dict[str, Any]:
        """Where a type is described."""
        return self._refs[kind]

    def properties(self, kind: Any) -> dict[str, Any]:
        """A struct's fields, which then stand by themselves."""
        name = self._refs[kind]["$ref"].removeprefix(REF)
        self._taken_apart.add(name)
        return dict(self._all[name]["properties"])

    @property
    def components(self) -> dict[str, Any]:
        """All that are referred to."""
        return {name: one for name, one in self._all.items() if name not in self._taken_apart}


def _named(schemas: Any) -> Any:
    """The same with names for lists that people would give: `MemberList`, not `Listed_Member_`."""
    text = msgspec.json.encode(schemas).decode()
    return msgspec.json.decode(re.sub(r"Listed(?:_(\w+?)_(?=\")|\[(\w+)\])", r"\1\2List", text))
