"""Entities: typed things that live in a table, every key attribute derived from their fields."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, ClassVar, Generic, Self, TypeVar, cast, dataclass_transform, get_args

import msgspec

from commonroom.store.declare.completion import Missing, check_missing, completed
from commonroom.store.declare.key_templates import (
    Compute,
    KeyTemplate,
    compile_filler,
    compile_key,
    constant,
    template,
)
from commonroom.store.declare.table import Table
from commonroom.store.engine import ItemDecoder
from commonroom.store.errors import BadDeclaration, BadKey, DamagedItem, UnknownField
from commonroom.store.values import Item, Key

E_co = TypeVar("E_co", bound="Entity", covariant=True)


_TAKEN = {"at", "ref", "to_item", "from_item", "keys", "missing", "schema", "decoder"}


class Keys(dict[str, str | Compute]):
    """Key attributes and how each comes from the fields; what is a field itself needs no entry."""


class Ref(msgspec.Struct, Generic[E_co], frozen=True):
    """Where a thing is stored: its entity and its primary key."""

    entity: type[E_co]
    key: Key
    fields: Mapping[str, Any]
    """The fields that the key was made of; empty where only the key itself is known."""


@dataclass(frozen=True, slots=True)
class EntitySchema:
    """The schema that an entity's declaration comes to; made once, when the class is."""

    table: Table
    kind: str | None
    attributes: dict[str, str]
    """Field name to attribute name."""
    templates: dict[str, KeyTemplate]
    """Key attribute name to its template; attributes that the entity never has are left out."""
    primary: tuple[KeyTemplate, ...]
    primary_fields: tuple[str, ...]
    versioned: bool
    derived: dict[str, KeyTemplate]
    """The key attributes that are stored beside the fields."""
    unversioned: frozenset[str] = frozenset()

    def raises_version(self, changed: Iterable[str]) -> bool:
        """Whether changing these fields is an edit, which checks the version and raises it."""
        names = set(changed)
        return self.versioned and "version" not in names and not names <= self.unversioned

    def matches(self, item: Item) -> bool:
        """Whether an item is of this kind, as far as the table tells kinds apart."""
        discriminator = self.table.discriminator
        return discriminator is None or item.get(discriminator) == self.kind


class EntityMeta(msgspec.StructMeta):
    """Takes `table=` and `kind=` of an entity's class line and works its declaration out."""

    def __new__(
        mcls,
        name: str,
        bases: tuple[type, ...],
        namespace: dict[str, Any],
        *,
        table: Table | None = None,
        kind: str | None = None,
        **options: Any,
    ) -> Any:
        # Unlike the other options, a struct does not pass this one on to its subclasses.
        options.setdefault("kw_only", True)
        if table is None:
            return super().__new__(mcls, name, bases, namespace, **options)
        if (table.discriminator is None) is not (kind is None):
            raise BadDeclaration(f"{name} needs a kind where {table.name} has a discriminator.")
        if kind is not None:
            options |= {"tag_field": table.discriminator, "tag": kind}
        if "rename" in options:
            namespace = _with_inherited(bases, namespace)
        made = cast("type[Entity]", super().__new__(mcls, name, bases, namespace, **options))
        made.schema = _schema(made, table, kind)
        made.decoder = cast("ItemDecoder[Any]", _DecoderAtFirstUse())
        made._primary = compile_key(made.schema.primary)
        made._fill = compile_filler(made.schema.derived)
        table.entities[kind or name] = made
        return made


class _DecoderAtFirstUse:
    """Stands for an entity's decoder, which takes long to make, until something of it is read."""

    def __get__(self, _: None, entity: type[Entity]) -> ItemDecoder[Any]:
        entity.decoder = decoder_of(entity)
        return entity.decoder


def _with_inherited(bases: tuple[type, ...], namespace: dict[str, Any]) -> dict[str, Any]:
    """Returns a class body that declares the fields of its bases anew.

    A struct renames none but the fields that it declares itself; so tables that name attributes in
    different ways can share what their entities have in common.
    """
    types: dict[str, Any] = {}
    defaults: dict[str, Any] = {}
    for one in (field for base in bases for field in msgspec.structs.fields(base)):
        types[one.name] = one.type
        if one.default is not msgspec.NODEFAULT:
            defaults[one.name] = one.default
        elif one.default_factory is not msgspec.NODEFAULT:
            defaults[one.name] = msgspec.field(default_factory=one.default_factory)
    own = namespace.get("__annotations__", {})
    return defaults | namespace | {"__annotations__": types | own}


def _schema(entity: type[Entity], table: Table, kind: str | None) -> EntitySchema:
    attributes = dict(zip(entity.__struct_fields__, entity.__struct_encode_fields__, strict=True))
    made = {name: template(source) for name, source in entity.keys.items()}
    by_attribute = {attribute: field for field, attribute in attributes.items()}
    templates: dict[str, KeyTemplate] = {}
    for name in table.key_attributes:
        if name in made:
            templates[name] = made.pop(name)
        elif name in by_attribute:
            templates[name] = template(f"{{{by_attribute[name]}}}")
        elif name == table.discriminator and kind is not None:
            templates[name] = constant(kind)
    _check_declaration(entity, table, attributes, templates, made)
    _check_unversioned(entity, attributes, templates)
    check_missing(entity)
    primary = tuple(templates[attribute.name] for attribute in table.key)
    fields = tuple(dict.fromkeys(field for one in primary for field in one.fields))
    versioned = "version" in attributes
    stored = {*attributes.values(), table.discriminator}
    derived = {name: made for name, made in templates.items() if name not in stored}
    return EntitySchema(
        table, kind, attributes, templates, primary, fields, versioned, derived, entity.unversioned
    )


def _check_declaration(
    entity: type[Entity],
    table: Table,
    attributes: dict[str, str],
    templates: dict[str, KeyTemplate],
    unused: dict[str, KeyTemplate],
) -> None:
    for name in attributes.keys() & _TAKEN:
        raise BadDeclaration(f"{entity.__name__}.{name} hides what every entity can do.")
    for name in unused:
        raise BadDeclaration(f"{entity.__name__}: {table.name} has no key attribute {name}.")
    for attribute in table.key:
        if attribute.name not in templates:
            raise BadDeclaration(f"{entity.__name__} lacks the key attribute {attribute.name}.")
    for name, made in templates.items():
        for field in made.fields:
            if field not in attributes:
                raise BadDeclaration(f"{entity.__name__}.{name} names {field}, which is no field.")


def _check_unversioned(
    entity: type[Entity], attributes: dict[str, str], templates: dict[str, KeyTemplate]
) -> None:
    if entity.unversioned and "version" not in attributes:
        raise BadDeclaration(f"{entity.__name__} has no version that fields could stay out of.")
    for name in entity.unversioned - attributes.keys():
        raise BadDeclaration(f"{entity.__name__}.unversioned names {name}, which is no field.")
    # An edit computes keys from what it read, and only the version says that this still holds.
    for name in entity.unversioned & {
        field for made in templates.values() for field in made.fields
    }:
        raise BadDeclaration(f"{entity.__name__}.{name} takes part in a key: it needs the version.")


# On the class itself: mypy would take what `Struct` says before what a metaclass says.
@dataclass_transform(kw_only_default=True, frozen_default=True, field_specifiers=(msgspec.field,))
class Entity(msgspec.Struct, metaclass=EntityMeta, kw_only=True, frozen=True):
    """The base of everything that is stored: a subclass names its table and, in some, its kind."""

    keys: ClassVar[Keys] = Keys()
    unversioned: ClassVar[frozenset[str]] = frozenset()
    """Fields whose change is no edit, such as counts: they leave an entity's `version` alone."""
    missing: ClassVar[Missing] = Missing()
    """What fields beyond the data model are read as in an item that has only what the model names;
    what stands in its key needs no entry."""
    schema: ClassVar[EntitySchema]
    decoder: ClassVar[ItemDecoder[Any]]
    """How a stored item becomes one of these."""
    _primary: ClassVar[Callable[..., Key]]
    _fill: ClassVar[Callable[[Any, Item], None]]

    @classmethod
    def at(cls, **fields: Any) -> Ref[Self]:
        """Returns where the thing with these key fields is."""
        try:
            key = cls._primary(**fields)
        except TypeError as error:
            needed = ", ".join(cls.schema.primary_fields)
            raise UnknownField(f"The key of {cls.__name__} is made of {needed}.") from error
        if None in key:
            raise BadKey(f"The key of {cls.__name__} cannot be built: a part of it has no value.")
        return Ref(cls, key, fields)

    @property
    def ref(self) -> Ref[Self]:
        """Where this thing is."""
        return type(self).at(**{name: getattr(self, name) for name in self.schema.primary_fields})

    def to_item(self) -> Item:
        """Returns what is stored: the fields that have a value, the discriminator, and all keys."""
        plain = msgspec.to_builtins(self, builtin_types=(bytes,))
        item = {name: value for name, value in plain.items() if value is not None}
        self._fill(item)
        return item

    @classmethod
    def from_item(cls, item: Item) -> Self:
        """Returns the thing that an item stands for."""
        try:
            return cast("Self", cls.decoder.from_item(item))
        except msgspec.ValidationError as error:
            table = cls.schema.table
            key = tuple(item.get(attribute.name, "") for attribute in table.key)
            raise DamagedItem(table.name, key, error) from error


def _check_optional(entity: type[Entity]) -> None:
    """Refuses a field that can be None and has no default: None is not stored, so not read back."""
    for field in msgspec.structs.fields(entity):
        if field.required and type(None) in get_args(field.type):
            raise BadDeclaration(
                f"{entity.__name__}.{field.name} can be None: its default must be."
            )


@cache
def decoder_of(*types: type[Entity]) -> ItemDecoder[Any]:
    """Returns how items become one of these entities."""
    for one in types:
        _check_optional(one)
    union: Any = types[0]
    for one in types[1:]:
        union = union | one
    kinds = frozenset(one.schema.kind for one in types if one.schema.kind is not None)

    def from_item(item: Item) -> Any:
        try:
            return msgspec.convert(item, union, builtin_types=(bytes,))
        except msgspec.ValidationError:
            whole = completed(types[0].schema.table, item)
            if whole is item:
                raise
            return msgspec.convert(whole, union, builtin_types=(bytes,))

    return ItemDecoder(
        from_blob=msgspec.msgpack.Decoder(union).decode,
        from_item=from_item,
        kinds=kinds or None,
    )
