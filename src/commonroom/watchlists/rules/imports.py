"""What becomes of the rows of an import: the same rule for its preview and for its work."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable
from math import ceil
from typing import Literal, TypeAlias
from uuid import UUID, uuid5

from msgspec import Struct
from msgspec.structs import asdict, astuple

from commonroom.errors import InvalidField
from commonroom.imports.kinds import StartChoices
from commonroom.titles.title_matching import squashed
from commonroom.titles.titles import ContentType, TitleId
from commonroom.watchlists.rules.formats import CatalogueMatch, Known, TitleRead, WatchlistRow
from commonroom.watchlists.rules.formats.contents import MAX_LISTS
from commonroom.watchlists.rules.lists import MAX_ITEMS
from commonroom.watchlists.rules.seen import Days

SameLists: TypeAlias = Literal["extend", "new"]
Rated: TypeAlias = Literal["keep", "replace"]
Unknown: TypeAlias = Literal["make", "leave"]
RATINGS, REVIEWS, SEEN, BEGUN = "ratings", "reviews", "seen", "begun"

MAX_LEFT_OUT = MAX_LISTS + 10
MAX_LEFT_OUT_NAME = 20
MAX_MADE = 20_000
"""How many distinct titles an import may add to the catalogue, which everybody shares."""
_MADE = UUID("5b1d2f1e-6c39-4a51-9d0e-0f3f6a3f5c11")


class WatchlistImportChoices(StartChoices, frozen=True, kw_only=True):
    """What its owner chooses about an import."""

    same_lists: SameLists = "extend"
    rated: Rated = "keep"
    unknown: Unknown = "make"
    publishes: bool = False

    def check(self) -> None:
        """Refuses more parts than files have, and longer names."""
        longest = max(map(len, self.without), default=0)
        if len(self.without) > MAX_LEFT_OUT or longest > MAX_LEFT_OUT_NAME:
            raise InvalidField("without", f"Leave out at most {MAX_LEFT_OUT} parts.")


class RowEffects(Struct, frozen=True):
    """What is done for a row, by the names under which an outcome counts it."""

    listed: bool = False
    rated: bool = False
    replaced: bool = False
    reviewed: bool = False
    seen: bool = False
    dated: bool = False
    """Whether a mark that is there gets days of further viewings."""

    @property
    def is_any(self) -> bool:
        """Whether there is something to do."""
        return any(astuple(self))


def is_left_out(row: WatchlistRow, choices: WatchlistImportChoices) -> bool:
    """Returns whether its owner does not want it: a list, or every part of an opinion."""
    if row.list_number is not None:
        return str(row.list_number) in choices.without
    return not _wanted(row, choices).is_any


def effects_of(row: WatchlistRow, known: Known, choices: WatchlistImportChoices) -> RowEffects:
    """Returns what is done for a row about a title, given what is there already."""
    if row.item is not None:
        return RowEffects(listed=not is_left_out(row, choices) and not known.is_listed)
    wanted = _wanted(row, choices)
    replaces = choices.rated == "replace"
    rated = wanted.rated and (not known.is_rated or replaces)
    reviewed = wanted.reviewed and (not known.is_reviewed or replaces)
    return RowEffects(
        rated=rated,
        replaced=rated and known.is_rated,
        reviewed=reviewed,
        # A rating marks a title as seen, too, and so does a review.
        seen=(wanted.seen or rated or reviewed) and not known.is_seen,
        dated=wanted.seen and known.is_seen and _has_other_days(row, known),
    )


def _has_other_days(row: WatchlistRow, known: Known) -> bool:
    said, days = row.opinion, Days(known.seen_on, known.other_days)
    return said is not None and not said.is_begun and days.with_more(said.days) != days


def _wanted(row: WatchlistRow, choices: WatchlistImportChoices) -> RowEffects:
    said = row.opinion
    if said is None:
        return RowEffects()
    sees = said.is_seen or (said.is_begun and BEGUN not in choices.without)
    return RowEffects(
        rated=said.rating is not None and RATINGS not in choices.without,
        reviewed=said.review is not None and REVIEWS not in choices.without,
        seen=sees and SEEN not in choices.without,
    )


def made_title(of: TitleRead, account_id: str) -> CatalogueMatch:
    """Returns the title that a row becomes where the catalogue has none.

    Its id comes from TMDB's or IMDb's or from what it is called, so that every importer
    gets the same. What only a file of ours has may be anything, such as the film of a birthday: it
    is its importer's own, and nobody else can guess its address.
    """
    content_type: ContentType = of.content_type or "MOVIE"
    if of.tmdb_id is not None:
        return CatalogueMatch(content_type, str(of.tmdb_id), of.title, of.year)
    name = of.imdb_id or f"{squashed(of.title)}#{of.year or ''}"
    if not of.is_common:
        name = f"{account_id}#{name}"
    return CatalogueMatch(
        content_type, str(uuid5(_MADE, f"{content_type}#{name}")), of.title, of.year
    )


def made_list_id(import_id: str, list_number: int) -> str:
    """Returns the id of a list that an import makes: the same however often it is tried."""
    return str(uuid5(_MADE, f"{import_id}#{list_number}"))


def overflow_list_id(import_id: str, base: str, part: int) -> str:
    """Returns the id of a list that an import makes because those that its owner has are full."""
    return str(uuid5(_MADE, f"{import_id}#{part}#{base}"))


class ListFamily(Struct):
    """Lists that hold what is on one of a file, and how many titles come on them."""

    lists: int
    room: int
    parts: int = 0
    """In how many the file has it."""
    listed: int = 0

    @property
    def extended(self) -> int:
        """How many that are there are spoken of."""
        return min(self.parts, self.lists)

    @property
    def new(self) -> int:
        """How many are made because all are full."""
        return max(0, ceil((self.listed - self.room) / MAX_ITEMS))


class WatchlistImportOutcome(Struct, frozen=True):
    """What starting an import does."""

    new_lists: int = 0
    extended_lists: int = 0
    listed: int = 0
    """How many titles come on lists."""
    rated: int = 0
    replaced: int = 0
    """How many ratings take the place of another."""
    reviewed: int = 0
    seen: int = 0
    dated: int = 0
    """How many marks that are there get days of further viewings."""
    made: int = 0
    """How many titles are added to the catalogue."""
    unmatched: int = 0
    """How many rows wait for their owner to say which title is meant."""
    already: int = 0
    """How many rows tell nothing new."""
    left_out: int = 0


def count_outcome(
    rows: Iterable[WatchlistRow], choices: WatchlistImportChoices
) -> WatchlistImportOutcome:
    """What rows become, one after the other, by the very rule that they are worked through with."""
    counts: Counter[str] = Counter()
    known: dict[Hashable, Known] = {}
    made: set[Hashable] = set()
    families: dict[Hashable, ListFamily] = {}
    for row in rows:
        if row.listed is not None:
            if not is_left_out(row, choices) and is_extended(row, choices):
                family = families.setdefault(row.into, ListFamily(len(row.family), row.room))
                family.parts += 1
            elif not is_left_out(row, choices):
                counts["new_lists"] += 1
        elif row.is_counted:
            match = match_of(row, choices)
            if is_left_out(row, choices):
                counts["left_out"] += 1
            elif match is None:
                counts["unmatched"] += 1
            else:
                title = TitleId.of(match)
                if row.match is None:
                    made.add(title)
                about = row.list_number, title
                effects = effects_of(row, known.get(about) or known_of(row, choices), choices)
                known[about] = _known_after(row, effects)
                counts.update(name for name, is_done in asdict(effects).items() if is_done)
                counts["already"] += not effects.is_any
                if is_extended(row, choices) and row.into in families:
                    families[row.into].listed += effects.listed
    counts["new_lists"] += sum(one.new for one in families.values())
    counts["extended_lists"] += sum(one.extended for one in families.values())
    return WatchlistImportOutcome(**counts, made=len(made))


def _known_after(row: WatchlistRow, effects: RowEffects) -> Known:
    days = Days() if row.opinion is None else Days().with_more(row.opinion.days)
    return Known(
        is_listed=True,
        is_rated=effects.rated,
        is_seen=True,
        is_reviewed=effects.reviewed,
        **asdict(days),
    )


def match_of(row: WatchlistRow, choices: WatchlistImportChoices) -> CatalogueMatch | None:
    """Returns the title that a row is about; None where its owner must say which."""
    return row.made if row.match is None and choices.unknown == "make" else row.match


def is_extended(row: WatchlistRow, choices: WatchlistImportChoices) -> bool:
    """Returns whether a list's titles come on one that its owner has already."""
    return row.into is not None and choices.same_lists == "extend"


def known_of(row: WatchlistRow, choices: WatchlistImportChoices) -> Known:
    """Returns what is there already: on a new list there is nothing."""
    return row.known if row.item is None or is_extended(row, choices) else Known()
