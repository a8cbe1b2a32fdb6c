"""What a data model states: one TOML file for each, in `docs/documents`."""

from __future__ import annotations

from pathlib import Path
from typing import Any, TypeAlias

import msgspec
from msgspec import Struct

from commonroom.store.errors import BadDeclaration

Value: TypeAlias = str | int | bool

DOCUMENTS = ("movie-night", "media-library", "shareables", "watchlists", "hangouts")
"""In the order of the rooms."""


class _Stated(Struct, frozen=True, forbid_unknown_fields=True):
    """Part of a statement: a name that nobody reads is an error."""


class StatedIndex(_Stated, kw_only=True, frozen=True):
    """A global secondary index: its key, and its projection where the model says one."""

    key: list[str]
    projection: str | None = None


class StatedTable(_Stated, kw_only=True, frozen=True):
    """A table: its key as `PK S`, its indexes, TTL and stream."""

    key: list[str]
    indexes: dict[str, StatedIndex] = {}
    ttl: str | None = None
    stream: bool = False
    discriminator: str | None = None


class StatedAttribute(_Stated, kw_only=True, frozen=True):
    """An attribute: its type, with `?` where it may be absent and `!` where it is required."""

    type: str
    values: list[Value] = []
    """All that it may be, where the model enumerates them."""
    default: Value | None = None
    of: str | None = None
    """The object that a list holds."""


class StatedEntity(_Stated, kw_only=True, frozen=True):
    """A kind of item, by the name of our class: its attributes and the forms of its keys."""

    table: str
    kind: str | None = None
    attributes: dict[str, str | StatedAttribute]
    keys: dict[str, str | list[str]] = {}
    """Each key attribute's form; several where it depends on the item."""


class StatedLimit(_Stated, kw_only=True, frozen=True):
    """A number that the model states, and the constants that add up to ours."""

    value: int
    here: list[str]
    unit: str = ""


class StatedPattern(_Stated, kw_only=True, frozen=True):
    """An access pattern, and the operations that serve it."""

    name: str
    table: str
    index: str | None = None
    condition: str
    declared_as: str | None = None
    """Our name of it, where that is another one."""
    served_by: list[str] = []
    """Functions that use it, such as `library.service.libraries:my_libraries`."""


class Example(_Stated, kw_only=True, frozen=True):
    """An item that the model shows, or as much of one as makes a key."""

    entity: str
    item: dict[str, Any]
    fields: dict[str, Any] = {}
    """Fields of ours that the shown item has only in its keys."""


class StatedRule(_Stated, kw_only=True, frozen=True):
    """A behaviour that the model asks for, and the test that holds us to it."""

    says: str
    test: str


class Deviation(_Stated, kw_only=True, frozen=True):
    """Why we deviate: `of` names what the comparison finds, `says` and `here` what it cannot."""

    of: list[str] = []
    where: str = ""
    says: str = ""
    here: str = ""
    because: str


class Reading(_Stated, kw_only=True, frozen=True):
    """A place where the model contradicts itself or leaves something open, and how we read it."""

    where: str
    disagrees: str
    read_as: str


class ModelStatement(_Stated, kw_only=True, frozen=True):
    """A data model: everything that it states, and why our tables deviate from it."""

    title: str
    room: str
    tables: dict[str, StatedTable]
    entities: dict[str, StatedEntity]
    objects: dict[str, dict[str, str | StatedAttribute]] = {}
    patterns_note: str = ""
    patterns: list[StatedPattern] = []
    limits: dict[str, StatedLimit] = {}
    configuration: dict[str, Any] = {}
    """What CloudFormation's properties of each table must have."""
    examples: list[Example] = []
    rules: list[StatedRule] = []
    readings: list[Reading] = []
    deviations: list[Deviation] = []


def documents(folder: Path | None = None) -> dict[str, ModelStatement]:
    """Returns every document, by its name."""
    path = _documents_folder() if folder is None else folder
    return {name: read_document(name, (path / f"{name}.toml").read_text()) for name in DOCUMENTS}


def read_document(name: str, text: str) -> ModelStatement:
    """Returns a document from its TOML."""
    try:
        return msgspec.toml.decode(text, type=ModelStatement)
    except msgspec.DecodeError as error:
        raise BadDeclaration(f"The statement {name} cannot be read: {error}") from error


def _documents_folder() -> Path:
    """Returns where documents are: in a wheel beside this module, in a checkout in `docs`."""
    packed = Path(__file__).parent
    is_wheel = (packed / f"{DOCUMENTS[0]}.toml").is_file()
    return packed if is_wheel else packed.parents[2] / "docs" / "documents"
