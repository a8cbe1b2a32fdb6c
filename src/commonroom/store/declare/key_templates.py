"""Key templates: `"owner#{owner_id}"` or a pure function, compiled to a function of fields."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from string import Formatter
from typing import Any, NoReturn, TypeVar

from commonroom.moments import in_utc
from commonroom.store.errors import BadDeclaration, BadKey
from commonroom.store.values import KeyValue
from commonroom.texts import collation_key

SEPARATOR = "#"

Compute = Callable[..., KeyValue | None]
C = TypeVar("C", bound=Compute)


def key_version(number: int, *, name: str = "") -> Callable[[C], C]:
    """Declares the version of a function that computes a key, to be raised with what it computes.

    A data file notices then that its keys are of an earlier version, and computes them again. The
    name is the one that it had before, where it was renamed and computes the same.
    """

    def declare(function: C) -> C:
        function.__dict__["key_version"] = (name or function.__name__, number)
        return function

    return declare


def compact(text: str) -> str:
    """Lowercase without spaces and dashes, as short ids stand in keys."""
    plain = text.lower().replace("-", "").replace(" ", "")
    if not plain:
        raise BadKey(f"Nothing of “{text}” can stand in a key.")
    return plain


def timestamp(text: str) -> str:
    """A moment in UTC to the millisecond: moments then sort as text, however they were written."""
    try:
        return in_utc(text)
    except ValueError as error:
        raise BadKey(str(error)) from None


FORMATS: Mapping[str, Callable[[str], str]] = {
    "sort": collation_key,
    "plain": compact,
    "lower": str.casefold,  # what must be unique however it is typed
    "ms": timestamp,
}
"""How a field's text is written inside a key, by the name that templates use: `{title:sort}`."""

FORMAT_VERSIONS: Mapping[str, int] = dict.fromkeys(FORMATS, 1)
"""Raised with what a format writes, so that keys of before are noticed and computed again."""


@dataclass(frozen=True, slots=True)
class KeyTemplate:
    """How one key attribute comes from fields; None where one of them has no value."""

    text: str
    fields: tuple[str, ...]
    compute: Compute
    identity: bool = False
    """Whether it is one field's value as it is."""
    function: str = ""
    """The function's name and version, where it is one."""
    versions: tuple[str, ...] = ()
    """The versions of its formats, where they were raised."""

    def value(self, values: Mapping[str, Any]) -> KeyValue | None:
        """Returns the attribute's value, from fields by name."""
        return self.compute(*[values[field] for field in self.fields])

    def value_of(self, thing: Any) -> KeyValue | None:
        """Returns the attribute's value, of a thing that has the fields."""
        return self.compute(*[getattr(thing, field) for field in self.fields])

    @property
    def prefix(self) -> str:
        """What every value starts with."""
        return self.text.partition("<")[0]


def template(source: str | Compute) -> KeyTemplate:
    """A template from its text, or from a function whose parameters name the fields it needs."""
    return _from_text(source) if isinstance(source, str) else _from_function(source)


def compile_key(templates: Sequence[KeyTemplate]) -> Callable[..., tuple[Any, ...]]:
    """A function of all the fields of several templates, by name, that gives all their values."""
    fields = ", ".join(dict.fromkeys(field for one in templates for field in one.fields))
    calls = "".join(f"make{n}({', '.join(one.fields)}), " for n, one in enumerate(templates))
    scope: dict[str, Any] = {f"make{n}": one.compute for n, one in enumerate(templates)}
    arguments = f"*, {fields}" if fields else ""
    exec(f"def key({arguments}): return ({calls})", scope)  # noqa: S102 - our own declaration
    made: Callable[..., tuple[Any, ...]] = scope["key"]
    return made


def compile_filler(templates: Mapping[str, KeyTemplate]) -> Callable[[Any, dict[str, Any]], None]:
    """Returns a function that puts every attribute that applies to a thing into its item."""
    lines = []
    for number, (name, made) in enumerate(templates.items()):
        fields = ", ".join(f"thing.{field}" for field in made.fields)
        lines.append(f"    value = make{number}({fields})\n")
        lines.append(f"    if value is not None: item[{name!r}] = value\n")
    scope: dict[str, Any] = {f"make{n}": one.compute for n, one in enumerate(templates.values())}
    exec("def fill(thing, item):\n" + "".join(lines) + "    return None\n", scope)  # noqa: S102 - our own declaration
    made_fill: Callable[[Any, dict[str, Any]], None] = scope["fill"]
    return made_fill


def constant(value: str) -> KeyTemplate:
    """Returns a key attribute that is the same for all items of a kind."""
    return KeyTemplate(value, (), lambda: value)


def _from_function(function: Compute) -> KeyTemplate:
    fields = tuple(inspect.signature(function).parameters)
    shown = f"<{function.__name__.strip('_').replace('_', ' ')}>"
    name, number = getattr(function, "key_version", (function.__name__, 1))
    return KeyTemplate(shown, fields, function, function=f"{name} v{number}")


def _from_text(text: str) -> KeyTemplate:
    parts = list(Formatter().parse(text))
    fields = tuple(dict.fromkeys(name for _, name, _, _ in parts if name is not None))
    if not fields:
        return constant(text)
    shown = "".join(literal + _display(name, spec) for literal, name, spec, _ in parts)
    if text == f"{{{fields[0]}}}":
        return KeyTemplate(shown, fields, _identity, identity=True)
    formats = {spec: FORMAT_VERSIONS.get(spec, 1) for _, _, spec, _ in parts if spec}
    raised = [f"{name} v{number}" for name, number in formats.items() if number > 1]
    return KeyTemplate(shown, fields, _compile(text, parts, fields), versions=tuple(raised))


def _display(name: str | None, spec: str | None) -> str:
    """A part as documentation shows it, with its format: the same text means the same template."""
    return "" if name is None else f"<{name}:{spec}>" if spec else f"<{name}>"


def _identity(value: Any) -> Any:
    return value


def _compile(text: str, parts: list[Any], fields: tuple[str, ...]) -> Compute:
    """Returns a function made from the template, as fast as if it were written by hand."""
    absent = " or ".join(f"{field} is None" for field in fields)
    empty = " or ".join(f"{field} == ''" for field in fields)
    pieces = "".join(_piece(*part[:3]) for part in parts)
    separators = sum(literal.count(SEPARATOR) for literal, *_ in parts)
    source = (
        f"def key({', '.join(fields)}):\n"
        f"    if {absent}: return None\n"
        f"    if {empty}: __refuse(__text, 'a part is empty')\n"
        f'    __value = f"{pieces}"\n'
        f"    if __value.count({SEPARATOR!r}) != {separators}:\n"
        f"        __refuse(__text, 'a part contains #')\n"
        f"    return __value\n"
    )
    # Names that no field has: fields are parameters and would hide them.
    scope: dict[str, Any] = {f"__{name}": write for name, write in FORMATS.items()}
    scope |= {"__refuse": _refuse, "__text": text}
    exec(source, scope)  # noqa: S102 - the source is our own declaration, never a person's input
    compiled: Compute = scope["key"]
    return compiled


def _piece(literal: str, name: str | None, spec: str | None) -> str:
    if '"' in literal or "\\" in literal or "{" in literal or "}" in literal:
        raise BadDeclaration(f"The key text {literal!r} holds a character that templates do not.")
    if name is None:
        return literal
    if not name.isidentifier():
        raise BadDeclaration(f"{name!r} in a key template is not a field's name.")
    if spec in FORMATS:
        return f"{literal}{{__{spec}({name})}}"
    return f"{literal}{{{name}:{spec}}}" if spec else f"{literal}{{{name}}}"


def _refuse(text: str, why: str) -> NoReturn:
    raise BadKey(f"The key {text} cannot be built: {why}.")
