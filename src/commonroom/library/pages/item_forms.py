"""The form of a book or a film: what is typed, what it means, and what offers add to it."""

from __future__ import annotations

from collections.abc import Collection
from hashlib import blake2b
from typing import Annotated, Any, Literal, TypeAlias

import msgspec
from msgspec import Meta, structs

from commonroom.accounts.context import Context
from commonroom.errors import FieldErrors, InvalidField
from commonroom.http.forms import Address, Form, FormState, Line
from commonroom.library.pages.merge import NO_BASE, MergedForm, base_of, merge_form
from commonroom.library.rules import items as rules
from commonroom.library.rules.names import new_id
from commonroom.library.service.collections import find_or_create_collection
from commonroom.library.service.lookup import BookOffer, VideoOffer
from commonroom.library.tables import Book, Library, Order, Video

Kind: TypeAlias = Literal["book", "film"]
# Far beyond what the rules take: they say in a sentence what is too long.
Text: TypeAlias = Annotated[str, Meta(max_length=20_000)]

PLACE = frozenset({"collection", "order"})
"""Where an item stands: these change together, as a number means nothing without its collection."""


class LibraryItemForm(Form):
    """A book or a film as it is typed."""

    kind: Kind = "book"
    title: Line = ""
    authors: Text = ""
    """One on each line, as with all people."""
    isbn: Line = ""
    directors: Text = ""
    cast: Text = ""
    release_year: Line = ""
    duration: Line = ""
    tmdb_id: Line = ""
    summary: Text = ""
    picture_url: Address = ""
    collection: Line = ""
    """Its name: of one that is there, or of a new one."""
    order: Line = ""
    contributors: Text = ""
    publisher: Line = ""
    year: Line = ""
    pages: Line = ""
    language: Line = ""
    format: Line = ""
    tags: Text = ""
    """With commas between them."""
    location: Line = ""
    copies: Line = ""
    status: Line = ""
    started_on: Line = ""
    finished_on: Line = ""
    rating: Line = ""
    review: Text = ""
    form_id: Line = ""
    """Of a new item’s form, so that a second press adds nothing; empty for one that is there."""
    version: Line = ""
    """Of the item that the form was filled with; empty for a new one."""
    base: Annotated[str, Meta(max_length=4000)] = ""
    """What it was filled with (`pages.merge`); empty for a new one."""


def fields_of(kind: Kind) -> tuple[str, ...]:
    """Returns what a book or a film has."""
    return rules.fields_of(entity_of(kind))


def entity_of(kind: Kind) -> type[Book | Video]:
    """Returns what is stored of this kind."""
    return Book if kind == "book" else Video


def kind_of(item: Book | Video) -> Kind:
    """Returns which form an item has."""
    return "book" if isinstance(item, Book) else "film"


def given_in(form: LibraryItemForm, fields: Collection[str] | None = None) -> dict[str, Any]:
    """Returns the fields of an item as the service takes them, without its place; all, or some.

    All that is wrong is said at once, before anything is made for it.
    """
    typed, errors = structs.asdict(form), FieldErrors()
    wanted = [one for one in fields_of(form.kind) if fields is None or one in fields]
    given = {one: errors.check(_read_fitting, form.kind, one, typed[one]) for one in wanted}
    if fields is None or not PLACE.isdisjoint(fields):
        errors.check(_read_order, form)
    errors.raise_if_any()
    return given


async def place_in_form(
    ctx: Context, library_id: str, *, form: LibraryItemForm, item: Book | Video | None = None
) -> dict[str, Any]:
    """In which collection it stands, and where; the collection is made where there is none."""
    order = _read_order(form)
    if not form.collection.strip():
        return {"collection_id": None}
    if item is not None and item.collection_name == form.collection:
        # It may still have an old name of its collection, which is not to be made anew.
        return {"collection_id": item.collection_id, "order": order}
    try:
        called = await find_or_create_collection(ctx, library_id, form.collection)
    except InvalidField as error:
        raise InvalidField("collection", error.detail) from None
    return {"collection_id": called, "order": order}


def as_stored(item: Book | Video) -> FormState:
    """Returns the form of an item as it is."""
    values = stored_values(item)
    known = {"kind": kind_of(item), "version": str(item.version), "base": base_of(values)}
    return FormState({**known, **values})


def stored_values(item: Book | Video) -> dict[str, str]:
    """Returns what stands in the fields of an item's form."""
    values = {field: _written(getattr(item, field)) for field in fields_of(kind_of(item))}
    values |= {"tags": ", ".join(item.tags), "copies": "" if item.copies == 1 else str(item.copies)}
    return values | {"collection": item.collection_name or "", "order": _written(item.order)}


def merge_item_form(form: LibraryItemForm, item: Book | Video) -> MergedForm:
    """What a form changes of an item; without fingerprints, its version says what was seen."""
    stored = stored_values(item)
    seen = form.base or (base_of(stored) if form.version in ("", str(item.version)) else NO_BASE)
    return merge_form(structs.asdict(form), seen, stored, [PLACE])


def new_item_id(library: Library, form: LibraryItemForm) -> str:
    """The id of what a form makes: another one where one goes back and types something else."""
    if not form.form_id:
        return new_id()
    whole = msgspec.json.encode([library.owner_id, library.library_id, form])
    return blake2b(whole, digest_size=16).hexdigest().upper()


def fill_from_offer(form: FormState, offer: BookOffer | VideoOffer) -> FormState:
    """A form with what a source offers, where nothing stands yet: an offer never overwrites."""
    fields = fields_of("book" if isinstance(offer, BookOffer) else "film")
    known = [field for field in fields if hasattr(offer, field)]
    offered = {field: _written(getattr(offer, field)) for field in known}
    empty = {field: text for field, text in offered.items() if text and not form.value(field)}
    return FormState({**form.values, **empty})


def number_in(field: str, text: str) -> int | None:
    """Returns a number as it was typed; None where nothing was."""
    plain = text.strip()
    if not plain:
        return None
    if not plain.isdecimal() or len(plain) > 12:
        raise InvalidField(field, "Enter a number.")
    return int(plain)


def place_typed(text: str) -> Order | None:
    """A place in a collection as it was typed, with a point or a comma; None where nothing was."""
    plain = text.strip().replace(",", ".")
    if not plain:
        return None
    whole, _, rest = plain.partition(".")
    if not (whole + rest).isdecimal() or len(plain) > 12:
        raise InvalidField("order", "Enter a number.")
    return float(plain) if rest else int(whole)


def _read_order(form: LibraryItemForm) -> Order | None:
    order = rules.place(place_typed(form.order))
    if order is not None and not form.collection.strip():
        raise InvalidField(
            "order", "Choose a collection first: only items in a collection have a number."
        )
    return order


def _read_fitting(kind: Kind, field: str, text: str) -> Any:
    """Returns what was typed into a field, as far as the rules take it."""
    value = _read(field, text)
    rules.fit(entity_of(kind), {field: value})
    return value


def _read(field: str, text: str) -> Any:
    if field in rules.PEOPLE:
        return [line.strip() for line in text.splitlines() if line.strip()]
    if field == "tags":
        return [tag.strip() for tag in text.replace("\n", ",").split(",") if tag.strip()]
    if field in rules.NUMBERS:
        return number_in(field, text)
    if field == "rating":
        return _stars(text)
    return text.strip() or None


def _stars(text: str) -> float | None:
    try:
        return float(text) if text.strip() else None
    except ValueError:
        raise InvalidField("rating", "Choose a number of stars.") from None


def _written(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, float):
        return f"{value:g}"
    return "\n".join(value) if isinstance(value, list) else str(value)
