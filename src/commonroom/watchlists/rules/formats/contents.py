"""The contents of files: lists with what is on them, and one opinion of each title."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterator, Sequence
from typing import TypeAlias
from zoneinfo import ZoneInfo

from msgspec import Struct, field
from msgspec.structs import replace

from commonroom.imports.archive import SentFile
from commonroom.imports.contents import FileContents
from commonroom.imports.files import FileTooLarge, Note, check_count
from commonroom.imports.sheets import Sheet, SheetHeader
from commonroom.texts import collation_key
from commonroom.titles.title_matching import squashed
from commonroom.titles.titles import ContentType
from commonroom.watchlists.rules.formats import (
    Format,
    ItemRead,
    ListRead,
    OpinionRead,
    ParsedWatchlistFiles,
    TitleRead,
    WatchlistRow,
)
from commonroom.watchlists.rules.lists import MAX_ITEMS, continued_title
from commonroom.watchlists.rules.seen import MAX_OTHER_DAYS

MAX_ROWS = 50_000
"""Of lists, titles on them and opinions: a person's whole export in one archive."""
MAX_LISTS = 500
BEYOND_VIEWINGS = f"viewings of a title beyond the latest {MAX_OTHER_DAYS + 1}"

Named: TypeAlias = tuple[str, int | None]
Ids: TypeAlias = tuple[ContentType | None, int | None, str | None]


class _List(Struct):
    """A list, and what is on it by what tells titles apart."""

    row: WatchlistRow
    is_kept_empty: bool
    items: dict[Hashable, tuple[float, WatchlistRow]] = field(default_factory=dict)


class _Opinion(Struct):
    """An opinion, and whether it is known to be the newest."""

    row: WatchlistRow
    said: OpinionRead
    is_current: bool


class WatchlistContents(FileContents):
    """What files were found to hold so far, and what there is to say about it."""

    def __init__(self, now: float, zone: ZoneInfo) -> None:
        super().__init__()
        self.now, self.zone = now, zone
        self.has_several_files = False
        self.formats: dict[Format, None] = {}
        self._lists: list[_List] = []
        self._opinions: dict[Hashable, _Opinion] = {}
        self._count = 0

    def begin_file(self, file: SentFile) -> None:
        """Names the file from now on in what is said of its rows, where there are several."""
        self.file = file.path.name if self.has_several_files else None

    def add_list(self, number: int, listed: ListRead, *, is_kept_empty: bool = False) -> int:
        """Begins a list; returns the number by which things are put on it."""
        if len(self._lists) >= MAX_LISTS:
            raise FileTooLarge(f"You can import up to {MAX_LISTS} lists at once.")
        self._grow()
        row = WatchlistRow(number=number, file=self.file, listed=listed)
        self._lists.append(_List(row, is_kept_empty))
        return len(self._lists) - 1

    def add_item(
        self,
        to: int,
        number: int,
        of: TitleRead,
        item: ItemRead,
        *,
        place: float | None = None,
    ) -> None:
        """A title on a list; `place` says where, if not behind those before it."""
        items = self._lists[to].items
        before = items.get(identity(of))
        if before is not None:
            same = f"Row {before[1].number} is the same title. Skipped."
            self.warnings.append(Note(number, None, of.title, same, self.file))
            return
        self._grow()
        row = WatchlistRow(number=number, file=self.file, of=of, item=item)
        items[identity(of)] = (float(len(items)) if place is None else place, row)

    def add_opinion(
        self, number: int, of: TitleRead, opinion: OpinionRead, *, is_current: bool = False
    ) -> None:
        """An opinion of a title, joined with what was said of it before.

        One that `is_current` counts more than a later one: a diary tells of each time.
        """
        known = self._opinions.get(identity(of))
        if known is None:
            self._grow()
            row = WatchlistRow(number=number, file=self.file, of=of)
            self._opinions[identity(of)] = _Opinion(row, opinion, is_current)
            return
        known.said = _joined(known, opinion, is_current)
        if len(known.said.other_days) > MAX_OTHER_DAYS:
            self.leave(BEYOND_VIEWINGS)
            known.said = replace(known.said, other_days=known.said.other_days[:MAX_OTHER_DAYS])
        known.is_current |= is_current

    @property
    def is_empty(self) -> bool:
        """Whether nothing was found that can be imported."""
        return not self._opinions and not any(one.items or one.is_kept_empty for one in self._lists)

    def whole(self) -> ParsedWatchlistFiles:
        """Returns all of it as rows: opinions, then every list with what is on it."""
        found = [one for one in self._lists if one.items or one.is_kept_empty]
        names = {collation_key(one.row.title) for one in found}
        parts = [(_base(one, names), part) for one in found for part in _in_parts(one)]
        listed = [
            replace(row, list_number=number, list_title=part[0].title, list_base=base)
            for number, (base, part) in enumerate(parts)
            for row in (*part, _end(part))
        ]
        opinions = [replace(one.row, opinion=one.said) for one in self._opinions.values()]
        return ParsedWatchlistFiles(
            formats=list(self.formats),
            rows=number_titles([*opinions, *listed]),
            **self.said,
        )

    def _grow(self) -> None:
        self._count += 1
        check_count(self._count, MAX_ROWS)


class TableFormat(SheetHeader, frozen=True, kw_only=True):
    """A format of separated values: how its header is known, and a table of it is read."""

    read: Callable[[WatchlistContents, Sheet, SentFile], None]


def _base(found: _List, names: set[str]) -> str | None:
    """What a list is called without its part; None where its second part would be another list."""
    title = found.row.title
    return None if collation_key(continued_title(title, 2)) in names else title


def _in_parts(found: _List) -> Iterator[list[WatchlistRow]]:
    """Yields a list and its items in order; one that is too long continues on another."""
    ordered = [row for _, row in sorted(found.items.values(), key=lambda one: one[0])]
    listed = found.row.listed
    if listed is None:
        return
    for start in range(0, max(1, len(ordered)), MAX_ITEMS):
        title = continued_title(listed.title, start // MAX_ITEMS + 1)
        head = replace(found.row, listed=replace(listed, title=title))
        yield [head, *ordered[start : start + MAX_ITEMS]]


def _end(part: list[WatchlistRow]) -> WatchlistRow:
    """Returns what stands behind a list: then its cover can be chosen, and it can be published."""
    covers = [row.of for row in part if row.item is not None and row.item.is_cover]
    return WatchlistRow(number=part[0].number, file=part[0].file, of=covers[0] if covers else None)


def _joined(known: _Opinion, other: OpinionRead, is_current: bool) -> OpinionRead:
    before = known.said
    later = (other.rated_at or "") >= (before.rated_at or "")
    if known.is_current != is_current:
        later = is_current
    rated = other if other.rating is not None and (later or before.rating is None) else before
    reviewed = other if other.review is not None and (later or before.review is None) else before
    is_begun = before.is_begun or other.is_begun
    days = sorted({*before.days, *other.days}, reverse=True)
    return OpinionRead(
        rating=rated.rating,
        review=reviewed.review,
        rated_at=rated.rated_at or reviewed.rated_at,
        is_seen=before.is_seen or other.is_seen,
        seen_on=days[0] if days else None,
        # Episodes of a show are no viewings of it.
        other_days=[] if is_begun else days[1:],
        is_begun=is_begun,
    )


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
