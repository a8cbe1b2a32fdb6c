"""Forms as they are sent and as they are shown: what stands in them, and what is wrong."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, ClassVar, TypeAlias

import msgspec
from msgspec import Meta, Struct

from commonroom.errors import CommonroomError, InvalidFields

# Far beyond what the rules take: they say in a sentence what is too long.
Line: TypeAlias = Annotated[str, Meta(max_length=1000)]
Address: TypeAlias = Annotated[str, Meta(max_length=2000)]
OneOrMany: TypeAlias = Annotated[list[Line], Meta(max_length=100)] | Line
"""What the boxes of one name send: a list, but the value itself where a single one is ticked."""


class Form(Struct, kw_only=True, forbid_unknown_fields=True):
    """The base of what a form sends."""

    error_fields: ClassVar[Mapping[str, str]] = {}
    """Where the form shows what services refuse of a field that it has under another name."""


class FormState(Struct, frozen=True):
    """A form as it is shown: what stands in its fields, and what is wrong with them."""

    values: Mapping[str, Any] = {}
    errors: Mapping[str, str] = {}
    """What is wrong with each field at fault."""
    form_error: str | None = None
    """What is wrong that is no single field's fault."""

    def value(self, name: str) -> Any:
        """Returns what stands in a field."""
        return self.values.get(name)

    def wrong(self, name: str) -> str | None:
        """Returns what is wrong with a field."""
        return self.errors.get(name)

    @property
    def field(self) -> str | None:
        """The first field at fault."""
        return next(iter(self.errors), None)

    @property
    def message(self) -> str | None:
        """What is wrong, wherever: the first of it."""
        return next(iter(self.errors.values()), self.form_error)


EMPTY = FormState()


def as_list(ticked: OneOrMany) -> list[str]:
    """Returns what was ticked."""
    if isinstance(ticked, list):
        return ticked
    return [ticked] if ticked else []


def refused(sent: Struct | Mapping[str, Any] | None, error: CommonroomError) -> FormState:
    """Returns a form as it was sent, without its passwords, and why it was refused."""
    typed = msgspec.structs.asdict(sent) if isinstance(sent, Struct) else dict(sent or {})
    values = {name: value for name, value in typed.items() if "password" not in name}
    named = [(_form_field(sent, field), text) for field, text in _field_errors(error).items()]
    errors = {field: text for field, text in named if field is not None}
    return FormState(values, errors, None if errors else error.detail)


def _form_field(sent: Struct | Mapping[str, Any] | None, field: str) -> str | None:
    """Returns the field of a form that shows what is wrong; `place.address` is `place_address`."""
    if not isinstance(sent, Struct):
        return field
    aliases = sent.error_fields if isinstance(sent, Form) else {}
    name = aliases.get(field, field.replace(".", "_"))
    return name if hasattr(sent, name) else None


def _field_errors(error: CommonroomError) -> Mapping[str, str]:
    if isinstance(error, InvalidFields):
        return error.by_field
    field = error.extensions.get("field")
    return {} if field is None else {field: error.detail}
