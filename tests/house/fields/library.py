"""The library: books and videos, their collections, and the library itself."""

from __future__ import annotations

import csv
import io
from typing import Any

import msgspec

from commonroom.imports.sheets import Cells
from commonroom.library.api import bodies, views
from commonroom.library.pages.collections import CollectionForm
from commonroom.library.pages.item_forms import LibraryItemForm
from commonroom.library.pages.libraries import LibraryForm
from commonroom.library.rules import items as rules
from commonroom.library.rules.formats import own_csv, own_json
from commonroom.library.rules.formats.draft import LibraryContents
from commonroom.library.tables import Book, Collection, Library, Video
from tests.house.fields.surfaces import LeftOut, Travels, fields_of, named, told_by

NOW = 1_780_000_000.0
TAKEN = {
    "isbn": ("9780141439518", "9780306406157"),
    "picture_url": ("https://example.org/1.jpg", "https://example.org/2.jpg"),
    "rating": (1.5, 2.5),
    "release_year": (1970, 1971),
    "year": (1970, 1971),
}
"""Values of fields that do not take any."""
PRIVATE = "what the owner thinks, and who has it, is the owner's alone"


def _read_csv(item: Book | Video) -> Any:
    header, row = csv.reader(io.StringIO(own_csv.HEADER + own_csv.line(item)))
    return own_csv.read_csv(Cells(1, dict(zip(header, row, strict=True))), NOW).row


def _read_json(item: Book | Video) -> Any:
    whole = {"format": own_json.FORMAT, "items": [own_json.item_record(item)]}
    contents = LibraryContents(NOW)
    own_json.read_json(contents, msgspec.json.encode(whole).decode())
    return contents.rows


def _collection_in_csv(one: Collection) -> Any:
    header, row = csv.reader(io.StringIO(own_csv.HEADER + own_csv.line(one)))
    return own_csv.collection_in(Cells(1, dict(zip(header, row, strict=True))))


def _item(kind: type[Book | Video], new: type[bodies.NewItemBody]) -> Travels:
    given: dict[str, Any] = {**TAKEN, "status": rules.statuses(kind)[:2]}
    given = {name: pair for name, pair in given.items() if name in fields_of(kind)}
    return Travels(
        kind,
        typed={
            "rules": frozenset(rules.fields_of(kind)),
            "new": named(new),
            "change": named(bodies.ItemChange),
            "form": named(LibraryItemForm, collection="collection_id collection_name"),
            "csv_import": told_by(kind, _read_csv, **given),
            "json_import": told_by(kind, _read_json, **given),
        },
        shown={
            "view": told_by(kind, lambda one: views.item(one, is_mine=True), **given),
            "view_of_others": told_by(kind, lambda one: views.item(one, is_mine=False), **given),
            "csv": told_by(kind, own_csv.line, **given),
            "json": told_by(kind, own_json.item_record, **given),
        },
        left_out=(
            LeftOut("owner_id library_id item_id account_id", "typed csv json", "where it is"),
            LeftOut("owner_id account_id", "view view_of_others", "the owner has a name"),
            LeftOut("library_name owner_name", "typed csv json", "copied from others"),
            LeftOut("collection_id collection_name order", "rules", "`rules.place` and names do"),
            LeftOut("collection_name", "new change", "follows from collection_id"),
            LeftOut("collection_id", "csv_import json_import csv json", "another one elsewhere"),
            LeftOut("lent_to lent_at due_date", "rules new change form", "lending does"),
            LeftOut("borrower_id", "typed shown", "whose account it is, the lender need not know"),
            LeftOut("overdue_at last_event_at moved_from", "typed shown", "of use to consumers"),
            LeftOut("created_at updated_at", "typed csv json", "when it is written"),
            LeftOut("version", "rules new change csv_import json_import csv json", "an ETag"),
            LeftOut("lent_to lent_at due_date updated_at version", "view_of_others", PRIVATE),
            LeftOut("rating review status started_on finished_on", "view_of_others", PRIVATE),
        ),
    )


TRAVELS = (
    _item(Book, bodies.NewBook),
    _item(Video, bodies.NewVideo),
    Travels(
        Collection,
        typed={
            "new": named(bodies.NewCollection),
            "change": named(bodies.CollectionChange),
            "form": named(CollectionForm),
            "csv_import": told_by(Collection, _collection_in_csv),
            "json_import": named(own_json.ExportedCollection),
        },
        shown={
            "view": told_by(Collection, views.collection),
            "csv": told_by(Collection, own_csv.line),
            "json": told_by(Collection, own_json.collection_record),
        },
        left_out=(
            LeftOut("library_id collection_id", "typed csv json", "where it is"),
            LeftOut("owner_id", "typed shown", "where it is"),
            LeftOut("item_count", "typed csv json", "counted"),
            LeftOut("last_order", "typed shown", "of use to the next item alone"),
            LeftOut("created_at updated_at", "typed csv json", "when it is written"),
            LeftOut("version", "typed csv json", "an ETag"),
        ),
    ),
    Travels(
        Library,
        typed={
            "new": named(bodies.NewLibrary),
            "change": named(bodies.LibraryChange),
            "form": named(LibraryForm),
        },
        shown={
            "view": told_by(Library, views.my_library),
            "json": told_by(Library, own_json.library_record),
        },
        left_out=(
            LeftOut("library_id", "typed json", "where it is"),
            LeftOut("owner_id account_id", "typed shown", "the owner has a name"),
            LeftOut("owner_name", "typed json", "copied from the account"),
            LeftOut("shared_to shared_to_ids", "typed shown", "shares have a list of their own"),
            LeftOut("total_items lent_items", "typed json", "counted"),
            LeftOut("titles_changed titles_changed_at", "typed shown", "of use to search alone"),
            LeftOut("created_at updated_at", "typed json", "when it is written"),
            LeftOut("version", "typed json", "an ETag"),
        ),
    ),
)
