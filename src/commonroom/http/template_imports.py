"""Imports of templates: of an imported file, only the macros that are used.

An import evaluates all of a file, on every page anew. So each says in the file's name which macros
it takes, such as `parts/fields.html#field,wrong`, and is given these and those that they call.
"""

from __future__ import annotations

import re

_IMPORT = re.compile(r'\{% from "([^"#]+)" import ([\w, ]+?)( with context)? %\}')
_MACRO = re.compile(r"\{% macro (\w+)\(.*?\{%-? endmacro %\}", re.DOTALL)


def split_name(name: str) -> tuple[str, list[str] | None]:
    """The file that a name is of, and the macros that are taken of it; None for all there is."""
    file, marked, taken = name.partition("#")
    return file, taken.split(",") if marked else None


def with_taken(source: str) -> str:
    """Returns a template whose imports say what they take."""
    return _IMPORT.sub(_with_taken, source)


def only_taken(source: str, taken: list[str]) -> str:
    """A template without the macros that are not taken, and the imports that only they need.

    Every line stays where it is, so that errors name the right one.
    """
    macros = {found[1]: found[0] for found in _MACRO.finditer(source)}
    needed, open_ones = set[str](), set(taken) & macros.keys()
    while open_ones:
        needed |= open_ones
        text = "".join(macros[name] for name in open_ones)
        open_ones = {name for name in macros.keys() - needed if _calls(text, name)}
    trimmed = _MACRO.sub(lambda found: found[0] if found[1] in needed else _lines(found[0]), source)
    rest = _IMPORT.sub("", trimmed)
    return _IMPORT.sub(
        lambda found: (
            found[0]
            if any(_calls(rest, local) for _name, local in _imported(found[2]))
            else _lines(found[0])
        ),
        trimmed,
    )


def _with_taken(found: re.Match[str]) -> str:
    file, imported, context = found.groups(default="")
    taken = ",".join(sorted({name for name, _local in _imported(imported)}))
    return f'{{% from "{file}#{taken}" import {imported}{context} %}}'


def _imported(names: str) -> list[tuple[str, str]]:
    """Returns the names of imported macros: in their file, and where they are imported."""
    pairs = [one.split(" as ") for one in names.split(",")]
    return [(pair[0].strip(), pair[-1].strip()) for pair in pairs]


def _calls(text: str, name: str) -> bool:
    return re.search(rf"\b{name}\(", text) is not None


def _lines(text: str) -> str:
    return "\n" * text.count("\n")
