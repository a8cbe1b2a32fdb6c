"""Names of people in other services' files."""

from __future__ import annotations

import re

# What follows a comma and is no name of its own: “Walter M. Miller, Jr.”.
_AFTER = re.compile(r"(jr|sr|i{2,3}|iv|ph\.?d|m\.?d|esq)\.?", re.IGNORECASE)
_BETWEEN = re.compile(r"\s*;\s*|\s+&\s+")


def listed(text: str, separator: str) -> list[str]:
    """The parts of a list that was written in one cell."""
    found: list[str] = []
    for part in (one.strip() for one in text.split(separator)):
        if found and _AFTER.fullmatch(part):
            found[-1] += f", {part}"
        elif part:
            found.append(part)
    return found


def parted(text: str) -> list[str]:
    """“A & B”, or “A; B”, as two people; “Dorling & Kindersley” are one, for they have no names."""
    names = [one for one in _BETWEEN.split(text.strip()) if one]
    return names if all(" " in one or "," in one for one in names) else [text.strip()]


def turned(name: str) -> str:
    """“Tolkien, J. R. R.” as one says it; what has no comma stays as it is."""
    last, *rest = listed(name, ",") or [""]
    surname, _, after = last.partition(", ")
    if len(rest) != 1:
        return name.strip()
    first, _, later = rest[0].partition(", ")
    suffix = after or later
    return f"{first} {surname}{', ' + suffix if suffix else ''}"


def with_role(name: str, role: str) -> str:
    """Somebody who is no author, and what they did: “Ann Goldstein (Translator)”."""
    return f"{name} ({role.strip()})" if role.strip() else name
