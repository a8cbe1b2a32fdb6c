"""Trakt: its export as JSON, file by file or as an archive, and its tables."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

import msgspec
from msgspec import Struct

from commonroom.imports.archive import SentFile, TextFile
from commonroom.imports.files import InvalidRow, UnreadableFile
from commonroom.imports.sheets import Cells, Sheet
from commonroom.texts import clean_line
from commonroom.titles.titles import ContentType
from commonroom.watchlists.rules.formats import ListRead, OpinionRead, TitleRead
from commonroom.watchlists.rules.formats.contents import TableFormat, WatchlistContents
from commonroom.watchlists.rules.formats.fields import MAX_REVIEW, Fields

WATCHLIST = "Trakt watchlist"
FAVORITES = "Trakt favorites"
LIST = "Trakt list"
TYPES: dict[str, ContentType] = {"movie": "MOVIE", "show": "SHOW", "series": "SHOW"}
KNOWN_ELSEWHERE = (
    "trakt_rating",
    "trakt_id",
    "tvdb_id",
    "url",
    "released",
    "runtime",
    "genres",
    "action",
    "rank",
)
ABOUT_LISTS = ("lists-lists", "lists")
"""Files that say what lists are called, and nothing of what is on them."""
LOOKED_AT = 5
PAGE = re.compile(r"-[0-9]+$")
"""Long files come in pages: `watched-history-3.json`."""
LIST_FILE = re.compile(r"lists?-(?:list-)?(?P<id>[0-9]+)-(?P<slug>.+)")


class Ids(Struct, frozen=True):
    """What a title or a list is known by."""

    trakt: int | None = None
    slug: str | None = None
    tmdb: int | None = None
    imdb: str | None = None


class TraktTitle(Struct, frozen=True):
    """A film or show."""

    title: str | None = None
    year: int | None = None
    ids: Ids = Ids()


class TraktEntry(Struct, frozen=True):
    """An entry of any of its files: what it has tells what it is."""

    type: str | None = None
    movie: TraktTitle | None = None
    show: TraktTitle | None = None
    episode: Any = None
    season: Any = None
    watched_at: str | None = None
    last_watched_at: str | None = None
    rated_at: str | None = None
    rating: float | None = None
    listed_at: str | None = None
    rank: float | None = None
    notes: str | None = None
    comment: Any = None
    collected_at: str | None = None
    name: str | None = None
    description: str | None = None
    display_numbers: bool | None = None
    ids: Ids = Ids()

    @property
    def title(self) -> str | None:
        """What it is called, as far as a note needs to say."""
        named = self.movie or self.show
        return self.name if named is None else named.title


_entries = msgspec.json.Decoder(list[msgspec.Raw])
_sections = msgspec.json.Decoder(dict[str, msgspec.Raw])
_entry = msgspec.json.Decoder(TraktEntry, strict=False)


def list_descriptions(
    contents: WatchlistContents, files: Iterable[TextFile]
) -> dict[str, ListRead]:
    """What is said of lists, by the id and the short name that their files are called after."""
    found: dict[str, ListRead] = {}
    for one in files:
        if not is_trakt(one):
            continue
        contents.begin_file(one.file)
        for number, raw in enumerate(_raws(one.text), start=1):
            entry = _decode(raw)
            if entry is None or not clean_line(entry.name or ""):
                continue  # its file has a name, too
            listed = Fields(contents, number, entry.name or "").listed(
                description=entry.description or "", is_numbered=entry.display_numbers or False
            )
            names = (str(entry.ids.trakt or ""), entry.ids.slug or "")
            found |= {name: listed for name in names if name}
    return found


def is_trakt(one: TextFile) -> bool:
    """Returns whether a JSON file holds entries as Trakt writes them."""
    try:
        entries = [entry for raw in _raws(one.text)[:LOOKED_AT] if (entry := _decode(raw))]
    except UnreadableFile:
        return False
    if is_about_lists(one.file):
        return any(entry.name for entry in entries)
    return any(entry.movie is not None or entry.show is not None for entry in entries)


def is_empty(text: str) -> bool:
    """Returns whether a JSON text holds nothing at all, as many files of an export do."""
    return "".join(text.split()) in ("[]", "{}")


def read_json(
    contents: WatchlistContents, one: TextFile, described: Mapping[str, ListRead]
) -> None:
    """A file of entries; one that cannot be read does not stop the rest."""
    if is_about_lists(one.file):
        return
    stem = one.file.stem
    stem = stem if LIST_FILE.fullmatch(stem) else PAGE.sub("", stem)
    to: int | None = None
    for number, raw in enumerate(_raws(one.text), start=1):
        contents.budget.take_rows()
        entry = _decode(raw)
        if entry is None:
            contents.refuse(number, None, InvalidRow(None, "This entry is damaged."))
            continue
        is_listed = _is_list(stem) or (entry.listed_at is not None and entry.rating is None)
        if is_listed and to is None:
            to = _begin_list(contents, stem, described)
        try:
            _take(contents, number, entry, to if is_listed else None)
        except InvalidRow as refused:
            contents.refuse(number, entry.title, refused)


def read_table(contents: WatchlistContents, sheet: Sheet, file: SentFile) -> None:
    """A table: its columns tell whether it is history, ratings, or a list."""
    columns = sheet.columns.keys()
    is_list = columns & {"listed_at", "watchlisted_at"} and "rated_at" not in columns
    to = _begin_list(contents, file.stem, {}) if is_list else None

    def take(cells: Cells) -> None:
        _take(contents, cells.number, _as_entry(cells), to)
        cells.pass_over(*KNOWN_ELSEWHERE)
        cells.pass_over(*(one for one in columns if one.startswith(("episode_", "season_"))))

    contents.read_sheet(sheet, take)


def _raws(text: str) -> list[msgspec.Raw]:
    """Returns the entries of a file; of one that has several sections, those of all of them."""
    try:
        if text.lstrip().startswith("{"):
            raws = [raw for part in _sections.decode(text).values() for raw in _listed(part)]
        else:
            raws = _entries.decode(text)
    except (msgspec.DecodeError, RecursionError):
        raise UnreadableFile("This JSON file is damaged.") from None
    return raws


def _decode(raw: msgspec.Raw) -> TraktEntry | None:
    try:
        return _entry.decode(raw)
    except msgspec.DecodeError:
        return None


def is_about_lists(file: SentFile) -> bool:
    """Returns whether a file says what lists are called."""
    return PAGE.sub("", file.stem) in ABOUT_LISTS


def _listed(part: msgspec.Raw) -> list[msgspec.Raw]:
    try:
        return _entries.decode(part)
    except msgspec.DecodeError:
        return []


def _is_list(stem: str) -> bool:
    return stem.startswith(("lists-", "list-")) or stem == "watchlist"


def _begin_list(contents: WatchlistContents, stem: str, described: Mapping[str, ListRead]) -> int:
    listed: ListRead | None = None
    if match := LIST_FILE.fullmatch(stem):
        listed = described.get(match["id"]) or described.get(match["slug"])
        stem = match["slug"]
    listed = listed or described.get(stem)
    if listed is None:
        title = LIST if stem in ("list", "lists", "export") else stem.replace("-", " ").capitalize()
        title = WATCHLIST if "watchlist" in stem else FAVORITES if "favorites" in stem else title
        listed = Fields(contents, 1, title).listed()
    return contents.add_list(1, listed)


def _take(contents: WatchlistContents, number: int, entry: TraktEntry, to: int | None) -> None:
    if to is not None:
        _take_item(contents, number, entry, to)
    else:
        _take_opinion(contents, number, entry)


def _title(contents: WatchlistContents, number: int, entry: TraktEntry) -> tuple[Fields, TitleRead]:
    named = entry.movie or entry.show
    if named is None:
        raise InvalidRow("type", "This is not a film or show.")
    fields = Fields(contents, number, named.title or "")
    of = fields.of(
        "MOVIE" if entry.movie is not None else "SHOW",
        year=str(named.year or ""),
        tmdb_id=str(named.ids.tmdb or ""),
        imdb_id=named.ids.imdb or "",
    )
    return fields, of


def _take_item(contents: WatchlistContents, number: int, entry: TraktEntry, to: int) -> None:
    if _is_part(entry):
        raise InvalidRow("type", "This is an episode or season, not a film or show.")
    fields, of = _title(contents, number, entry)
    added_at = entry.listed_at or ""
    fields.put_on(to, of, note=entry.notes or "", added_at=added_at, place=entry.rank)


def _take_opinion(contents: WatchlistContents, number: int, entry: TraktEntry) -> None:
    if entry.collected_at is not None:
        contents.leave("your Trakt collection")
        return
    watched_at = entry.watched_at or entry.last_watched_at or ""
    if _is_part(entry) and not watched_at:
        contents.leave("ratings and comments of episodes and seasons")
        return
    fields, of = _title(contents, number, entry)
    rating = fields.rating(f"{entry.rating or 0:g}", 10)
    review = fields.lines("review", _comment(entry.comment), MAX_REVIEW)
    if not (rating or review or watched_at):
        raise InvalidRow(None, "It says neither that you have seen it nor how you rate it.")
    is_seen = rating is not None or (of.content_type == "MOVIE" and bool(watched_at))
    opinion = OpinionRead(
        rating=rating,
        review=review,
        rated_at=fields.moment("rated_at", entry.rated_at or "") if rating else None,
        is_seen=is_seen,
        seen_on=fields.day("seen_on", watched_at),
        is_begun=bool(watched_at) and not is_seen,
    )
    contents.add_opinion(number, of, opinion, is_current=rating is not None)


def _is_part(entry: TraktEntry) -> bool:
    parts = entry.type in ("episode", "season") or entry.episode is not None
    return parts or entry.season is not None


def _comment(comment: Any) -> str:
    text = comment.get("comment") if isinstance(comment, dict) else comment
    return text if isinstance(text, str) else ""


def _as_entry(cells: Cells) -> TraktEntry:
    """Returns a row of a table as the entry that it would be in JSON."""
    kind = cells.get("type").casefold()
    named = TraktTitle(
        cells.get("title"),
        _number(cells.get("year")),
        Ids(tmdb=_number(cells.get("tmdb_id")), imdb=cells.get("imdb_id") or None),
    )
    is_show = kind in ("episode", "season") or TYPES.get(kind) == "SHOW"
    if kind and not is_show and TYPES.get(kind) != "MOVIE":
        raise InvalidRow("type", f"This is not a film or show: “{kind[:30]}”.")
    return TraktEntry(
        type=kind,
        movie=None if is_show else named,
        show=named if is_show else None,
        watched_at=cells.get("watched_at") or None,
        rated_at=cells.get("rated_at") or None,
        rating=_number(cells.get("rating")),
        listed_at=cells.get("listed_at") or cells.get("watchlisted_at") or None,
        rank=_number(cells.get("rank")),
        notes=cells.get("notes") or None,
    )


def _number(text: str) -> int | None:
    plain = text.strip().removesuffix(".0")
    return int(plain) if plain.isascii() and plain.isdigit() and len(plain) <= 10 else None


TRAKT = TableFormat(
    columns=frozenset({"type", "title"}),
    any_of=frozenset({"watched_at", "rated_at", "listed_at", "watchlisted_at"}),
    read=read_table,
)
