"""Which rows of an import mean one title: they share its ids, and its number."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Sequence
from typing import TypeAlias

from msgspec.structs import replace

from commonroom.texts import collation_key
from commonroom.titles.title_matching import squashed
from commonroom.titles.titles import ContentType
from commonroom.watchlists.rules.formats import TitleRead, WatchlistRow

Named: TypeAlias = tuple[str, int | None]
Ids: TypeAlias = tuple[ContentType | None, int | None, str | None]


def identity(of: TitleRead) -> Hashable:
    """Returns what tells a title of a file from others."""
    if of.content_id is not None:
        return of.content_type, of.content_id
    if of.tmdb_id is not None:
        return of.content_type, of.tmdb_id
    if of.imdb_id is not None:
        return of.imdb_id
    return of.content_type, collation_key(of.title), of.year


def number_titles(rows: Sequence[WatchlistRow]) -> list[WatchlistRow]:
    """The rows, each with the number of its title, and with the ids that others have of it."""
    known: dict[Named, set[Ids]] = defaultdict(set)
    unknown: set[Named] = set()
    for row in rows:
        if row.of is not None and _has_ids(row.of):
            known[_named(row.of)].add((row.of.content_type, row.of.tmdb_id, row.of.imdb_id))
        elif row.of is not None:
            unknown.add(_named(row.of))
    numbers: dict[Hashable, int] = {}
    numbered: list[WatchlistRow] = []
    for row in rows:
        of = None if row.of is None else _of_very_year(_with_ids(row.of, known), unknown)
        number = 0 if of is None else numbers.setdefault(identity(of), len(numbers))
        numbered.append(replace(row, of=of, title_number=number))
    return numbered


def _of_very_year(of: TitleRead, unknown: set[Named]) -> TitleRead:
    """A title without ids, which says whether another of its name is from the year beside."""
    if of.year is None or _has_ids(of):
        return of
    name = squashed(of.title)
    is_beside = not unknown.isdisjoint({(name, of.year - 1), (name, of.year + 1)})
    return replace(of, is_of_very_year=True) if is_beside else of


def _has_ids(of: TitleRead) -> bool:
    return of.tmdb_id is not None or of.imdb_id is not None


def _named(of: TitleRead) -> Named:
    return squashed(of.title), of.year


def _with_ids(of: TitleRead, known: dict[Named, set[Ids]]) -> TitleRead:
    """A title with the ids that another row of its name and year has, if there is one alone."""
    if of.year is None or of.content_id is not None or _has_ids(of):
        return of
    fitting = [ids for ids in known.get(_named(of), ()) if of.content_type in (None, ids[0])]
    if len(fitting) != 1:
        return of
    content_type, tmdb_id, imdb_id = fitting[0]
    return replace(of, content_type=content_type, tmdb_id=tmdb_id, imdb_id=imdb_id)
