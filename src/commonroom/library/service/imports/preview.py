"""The preview of an import: what a file holds, and what of that is there already."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Container, Hashable, Iterable, Iterator
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from commonroom.imports.kinds import said_of
from commonroom.library.rules.formats import KINDS, OWN, LibraryRow, ParsedLibraryFile
from commonroom.library.rules.items import MAX_TAGS, code_of
from commonroom.library.service.imports import (
    LibraryImportChoices,
    LibraryImportOutcome,
    LibraryImportPreview,
    Reason,
    RowSeen,
    ShelfFound,
)
from commonroom.library.tables import (
    Book,
    Library,
    Video,
    collections,
    items_in_library,
)
from commonroom.store import Store
from commonroom.texts import collation_key

FIRST_ROWS = 10
MAX_NAMES = 50
MAX_TWINS = 20
"""On so many sets of shelves a work is looked for among the rows before."""


class _Work(Struct):
    """A work by its title, who made it, and its code."""

    title: str
    people: frozenset[str]
    code: str | None


class _First(Struct):
    """The first row of a work, the code of it, and what later rows of it have beside."""

    row: LibraryRow
    code: str | None
    gained: dict[str, Any] = {}

    def complete(self, later: LibraryRow) -> None:
        """Takes what it lacks from a later row of the same work; of tags, all."""
        has: dict[str, Any] = self.row.fields | self.gained
        more: dict[str, Any] = later.fields
        self.gained |= {field: more[field] for field in more.keys() - has.keys()}
        tags = list(dict.fromkeys([*has.get("tags", []), *more.get("tags", [])]))[:MAX_TAGS]
        if tags != has.get("tags", tags):
            self.gained["tags"] = tags


class KnownItems:
    """What a library has: items by their codes and by title and people, and collections."""

    def __init__(self) -> None:
        self._codes: dict[str, str] = {}
        self._titles: dict[tuple[str, str], list[_Work]] = defaultdict(list)
        self.collections: set[str] = set()

    @classmethod
    async def of(cls, store: Store, library: Library) -> KnownItems:
        """Returns all of a library, by its base table."""
        key = {"owner_id": library.owner_id, "library_id": library.library_id}
        known = cls()
        known.collections = {collation_key(one.name) async for one in store.all(collections(**key))}
        async for item in store.all(items_in_library(**key)):
            known.add(item)
        return known

    def add(self, item: Book | Video) -> None:
        """Remembers an item."""
        code = code_of(item)
        if code is not None:
            self._codes.setdefault(code, item.title)
        kind, people = (
            ("book", item.authors) if isinstance(item, Book) else ("video", item.directors)
        )
        work = _Work(item.title, _forms(people), code)
        self._titles[kind, collation_key(item.title)].append(work)

    def same_as(self, row: LibraryRow) -> str | None:
        """The title of what is there already: of the same code, or the same title and people.

        Two codes are two works, whatever they are called.
        """
        code = _code(row)
        if code is not None and code in self._codes:
            return self._codes[code]
        people = _forms(_people(row))
        for one in self._titles.get((row.kind, collation_key(row.title)), ()):
            same_people = bool(people & one.people) or not (people or one.people)
            if same_people and not _differ(code, one.code):
                one.code = one.code or code  # from now on it is this edition, and no other
                return one.title
        return None


class Twins:
    """The works in a file so far, by the first rows of each; one for each set of shelves."""

    def __init__(self) -> None:
        self._works: dict[Hashable, dict[Hashable, _First]] = defaultdict(dict)
        self._firsts: dict[int, _First] = {}

    def marked(self, row: LibraryRow) -> LibraryRow:
        """A row with those before it that are the same work, which take from it what they lack."""
        code = _code(row)
        found = [self._works[work] for work in _works(row, code)]
        earlier = {one.row.number: one for rows in found for one in rows.values()}
        before = [one for one in earlier.values() if not _differ(code, one.code)]
        first_row = _First(row, code)
        for rows in found:
            if len(rows) < MAX_TWINS:
                rows.setdefault((*row.shelves, code), first_row)
        self._firsts[row.number] = first_row
        if not before:
            return row
        for one in before:
            one.code = one.code or code  # from now on it is this edition, and no other
            one.complete(row)
        shelves = {tuple(one.row.shelves): one.row.shelves for one in before}
        first = min(one.row.number for one in before)
        return replace(row, twin=first, twin_shelves=list(shelves.values()))

    def completed(self, row: LibraryRow) -> LibraryRow:
        """Returns a row with what it lacks and rows after it have, once all are marked."""
        return replace(row, from_twins=self._firsts[row.number].gained)


def build_preview(
    found: ParsedLibraryFile, known: KnownItems
) -> tuple[list[LibraryRow], LibraryImportPreview]:
    """Returns the rows of a file with what is there already, and what importing them would do.

    In a file of ours every row was an item: one that a person has twice comes back twice.
    """
    rows = [replace(row, already=known.same_as(row)) if row.is_item else row for row in found.rows]
    if found.format not in OWN:
        twins = Twins()
        rows = [twins.marked(row) if row.is_item else row for row in rows]
        rows = [twins.completed(row) if row.is_item else row for row in rows]
    items = [row for row in rows if row.is_item]
    shelves = _shelves(found, items)
    unowned = [one.name for one in shelves if one.unowned]
    outcome = count_outcome(
        rows, LibraryImportChoices(without=frozenset(unowned)), known.collections
    )
    preview = LibraryImportPreview(
        format=found.format,
        items=len(items),
        books=sum(row.kind == "book" for row in items),
        videos=sum(row.kind == "video" for row in items),
        already=sum(row.already is not None for row in items),
        lent=sum(row.loan is not None for row in items),
        new_collections=outcome.new_collections,
        new_collection_count=outcome.new_collection_count,
        shelves=shelves,
        first=[_preview_row(row) for row in items[:FIRST_ROWS]],
        twins=sum(row.twin is not None for row in items),
        outcome=outcome,
        **said_of(found),
    )
    return rows, preview


def count_outcome(
    rows: Iterable[LibraryRow], choices: LibraryImportChoices, collections: Container[str]
) -> LibraryImportOutcome:
    """Returns what these rows become, by the very rule that they are worked through with."""
    reasons: Counter[Reason | None] = Counter()
    new: dict[str, str] = {}
    lent = 0
    for row in rows:
        reason = choices.reason_to_leave_out(row) if row.is_item else None
        if row.is_item:
            reasons[reason] += 1
        if reason is None:
            lent += row.loan is not None
            if row.collection is not None and collation_key(row.collection) not in collections:
                new.setdefault(collation_key(row.collection), row.collection)
    return LibraryImportOutcome(
        added=reasons[None],
        lent=lent,
        already=reasons["already"],
        twins=reasons["twin"],
        shelved=reasons["shelved"],
        new_collections=sorted(new.values(), key=collation_key)[:MAX_NAMES],
        new_collection_count=len(new),
    )


def _shelves(found: ParsedLibraryFile, items: Iterable[LibraryRow]) -> list[ShelfFound]:
    counted = Counter(shelf for row in items for shelf in row.shelves)
    from commonroom.library.rules.formats.files import unowned_shelves  # when a file was read

    unowned = unowned_shelves(found.format)
    return [
        ShelfFound(name, number, name.casefold() in unowned)
        for name, number in counted.most_common(MAX_NAMES)
    ]


def _preview_row(row: LibraryRow) -> RowSeen:
    fields: dict[str, Any] = row.fields | row.from_twins
    return RowSeen(
        number=row.number,
        kind="book" if row.kind == "book" else "video",
        title=row.title,
        people=_people(row),
        collection=row.collection,
        order=row.order,
        year=fields.get("release_year", fields.get("year")),
        isbn=fields.get("isbn"),
        lent_to=None if row.loan is None else row.loan.lent_to,
        already=row.already,
        twin=row.twin,
        is_completed=bool(row.from_twins),
    )


def _differ(code: str | None, other: str | None) -> bool:
    """Returns whether codes say that two works are not the same."""
    return code is not None and other is not None and code != other


def _works(row: LibraryRow, code: str | None) -> Iterator[Hashable]:
    """What tells that two rows are the same work: the code, or title and one of its makers."""
    if code is not None:
        yield code
    for person in _forms(_people(row)) or {""}:
        yield row.kind, collation_key(row.title), person


def _people(row: LibraryRow) -> list[str]:
    fields: dict[str, Any] = row.fields
    people: list[str] = fields.get("authors" if row.kind == "book" else "directors", [])
    return people


def _forms(people: Iterable[str]) -> frozenset[str]:
    return frozenset(map(collation_key, people))


def _code(row: LibraryRow) -> str | None:
    fields: dict[str, Any] = row.fields
    nowhere: dict[str, Any] = {
        "owner_id": "-",
        "library_id": "-",
        "item_id": "-",
        "account_id": "-",
    }
    return code_of(KINDS[row.kind](**nowhere, **fields))
