"""The preview of an import: what files hold, what was found of it, and what starting it does."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec.structs import replace

from commonroom.imports.kinds import said_of
from commonroom.watchlists.rules.formats import ParsedWatchlistFiles, WatchlistRow
from commonroom.watchlists.rules.imports import Unknown, WatchlistImportChoices, count_outcome
from commonroom.watchlists.service.imports import ListFound, TitleSought, WatchlistImportPreview

FIRST_ROWS = 5
MAX_UNMATCHED = 50


def begin_preview(found: ParsedWatchlistFiles) -> WatchlistImportPreview:
    """Returns what can be said before the catalogue was asked."""
    return WatchlistImportPreview(formats=found.formats, **said_of(found))


def complete_preview(
    begun: WatchlistImportPreview, rows: Sequence[WatchlistRow], unknown: Unknown
) -> WatchlistImportPreview:
    """Returns the whole of it, once every title was looked up.

    `unknown` says what its page proposes for titles that the catalogue lacks.
    """
    about_titles = [row for row in rows if row.is_counted]
    opinions = [row.opinion for row in about_titles if row.opinion is not None]
    unmatched = [row for row in about_titles if row.match is None]
    return replace(
        begun,
        lists=_lists(rows),
        listed=sum(row.item is not None for row in rows),
        rated=sum(one.rating is not None for one in opinions),
        reviewed=sum(one.review is not None for one in opinions),
        unrated_reviews=sum(one.rating is None and one.review is not None for one in opinions),
        seen=sum(one.is_seen for one in opinions),
        begun=sum(one.is_begun and not one.is_seen for one in opinions),
        already_rated=sum(
            row.known.is_rated and row.opinion is not None and row.opinion.rating is not None
            for row in about_titles
        ),
        unmatched=len(unmatched),
        first_unmatched=[_sought(row) for row in unmatched[:MAX_UNMATCHED]],
        first=[_sought(row) for row in about_titles[:FIRST_ROWS]],
        unknown=unknown,
        outcome=count_outcome(rows, WatchlistImportChoices(unknown=unknown)),
    )


def _lists(rows: Iterable[WatchlistRow]) -> list[ListFound]:
    found: dict[int, ListFound] = {}
    for row in rows:
        if row.list_number is None or row.ends_list:
            continue
        if row.listed is not None:
            found[row.list_number] = ListFound(
                row.list_number, row.listed.title, 0, 0, row.into is not None
            )
            continue
        one = found[row.list_number]
        unknown = one.unmatched + (row.match is None)
        found[row.list_number] = replace(one, items=one.items + 1, unmatched=unknown)
    return list(found.values())


def _sought(row: WatchlistRow) -> TitleSought:
    of, match = row.of, row.match
    return TitleSought(
        number=row.number,
        file=row.file,
        title=row.title,
        year=None if of is None else of.year,
        content_type=None if of is None else of.content_type,
        found=None if match is None else match.title,
        found_year=None if match is None else match.year,
    )
