"""The form of a book or a film: what is typed, what it means, and what offers add to it."""

from __future__ import annotations

from collections.abc import Collection
from typing import Annotated, Any, Literal, TypeAlias

from msgspec import Meta, structs

from commonroom.accounts.tables import User
from commonroom.errors import InvalidField
from commonroom.library.pages.merge import base_of
from commonroom.library.rules import items as rules
from commonroom.library.service.collections import find_or_create_collection
from commonroom.library.service.lookup import BookOffer, VideoOffer
from commonroom.library.tables import Book, Order, Video
from commonroom.store import Store
from commonroom.web.forms import Address, Filled, Form, Line

Kind: TypeAlias = Literal["book", "film"]
# Far beyond what the rules take: they say in a sentence what is too long.
Text: TypeAlias = Annotated[str, Meta(max_length=20_000)]

ANY = (
    "title",
    "summary",
    "picture_url",
    "contributors",
    "publisher",
    "language",
    "format",
    "tags",
    "location",
    "copies",
    "status",
    "started_on",
    "finished_on",
    "rating",
    "review",
)
OF_BOOK = (*ANY, "authors", "isbn", "year", "pages")
OF_FILM = (*ANY, "directors", "cast", "release_year", "duration", "tmdb_id")
PLACE = ("collection", "order")
"""Where an item stands: these change together, as a number means nothing without its collection."""
PEOPLE = frozenset({"authors", "directors", "cast", "contributors"})
NUMBERS = frozenset({"release_year", "duration", "tmdb_id", "year", "pages", "copies"})


class ItemForm(Form):
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
    """What it was filled with (`pages.merging`); empty for a new one."""


def fields_of(kind: Kind) -> tuple[str, ...]:
    """What a book or a film has."""
    return OF_BOOK if kind == "book" else OF_FILM


def entity_of(kind: Kind) -> type[Book | Video]:
    """What is stored of this kind."""
    return Book if kind == "book" else Video


def kind_of(item: Book | Video) -> Kind:
    """Which form an item has."""
    return "book" if isinstance(item, Book) else "film"


def given_in(form: ItemForm, fields: Collection[str] | None = None) -> dict[str, Any]:
    """The fields of an item as the service takes them, without its place; all, or some."""
    typed = structs.asdict(form)
    wanted = [one for one in fields_of(form.kind) if fields is None or one in fields]
    given = {field: _read(field, typed[field]) for field in wanted}
    # Before anything is made for it.
    rules.fit(entity_of(form.kind), given)
    return given


async def place_in_form(
    store: Store,
    now: float,
    person: User,
    library_id: str,
    *,
    form: ItemForm,
    item: Book | Video | None = None,
) -> dict[str, Any]:
    """In which collection it stands, and where; the collection is made where there is none."""
    order = rules.place(place_typed(form.order))
    if not form.collection.strip():
        if order is not None:
            raise InvalidField(
                "order", "Choose a collection first: only items in a collection have a number."
            )
        return {"collection_id": None}
    if item is not None and item.collection_name == form.collection:
        # It may still have an old name of its collection, which is not to be made anew.
        return {"collection_id": item.collection_id, "order": order}
    try:
        called = await find_or_create_collection(store, now, person, library_id, form.collection)
    except InvalidField as error:
        raise InvalidField("collection", error.detail) from None
    return {"collection_id": called, "order": order}


def as_stored(item: Book | Video) -> Filled:
    """The form of an item as it is."""
    values = stored_values(item)
    known = {"kind": kind_of(item), "version": str(item.version), "base": base_of(values)}
    return Filled({**known, **values})


def stored_values(item: Book | Video) -> dict[str, str]:
    """What stands in the fields of an item's form."""
    values = {field: _written(getattr(item, field)) for field in fields_of(kind_of(item))}
    values |= {"tags": ", ".join(item.tags), "copies": "" if item.copies == 1 else str(item.copies)}
    return values | {"collection": item.collection_name or "", "order": _written(item.order)}


def fill_from_offer(form: Filled, offer: BookOffer | VideoOffer) -> Filled:
    """A form with what a source offers, where nothing stands yet: an offer never overwrites."""
    known = [field for field in _fields(offer) if hasattr(offer, field)]
    offered = {field: _written(getattr(offer, field)) for field in known}
    empty = {field: text for field, text in offered.items() if text and not form.value(field)}
    return Filled({**form.values, **empty})


def number_in(field: str, text: str) -> int | None:
    """A number as it was typed; None where nothing was."""
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


def _fields(offer: BookOffer | VideoOffer) -> tuple[str, ...]:
    return fields_of("book" if isinstance(offer, BookOffer) else "film")


def _read(field: str, text: str) -> Any:
    if field in PEOPLE:
        return [line.strip() for line in text.splitlines() if line.strip()]
    if field == "tags":
        return [tag.strip() for tag in text.replace("\n", ",").split(",") if tag.strip()]
    if field in NUMBERS:
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
