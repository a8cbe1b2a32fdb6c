"""Documents with parts that are written by a command: figures, between two comments."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

PART = re.compile(r"(<!-- (\w+): [^\n]* -->\n).*?(<!-- end of \2 -->)", re.DOTALL)


def with_parts(page: str, parts: Mapping[str, str]) -> str:
    """The page with these parts anew; others stay."""

    def anew(part: re.Match[str]) -> str:
        made = parts.get(part[2])
        return part[0] if made is None else f"{part[1]}\n{made}\n{part[3]}"

    return PART.sub(anew, page)


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table whose columns after the first are figures."""
    ruler = ["---", *("---:" for _ in head[1:])]
    return "".join(f"| {' | '.join(row)} |\n" for row in (head, ruler, *rows))
