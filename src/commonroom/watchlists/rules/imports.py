"""What becomes of the rows of an import: the same rule for its preview and for its work."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import Literal, TypeAlias
from uuid import UUID, uuid5

from msgspec import Struct, field

from commonroom.catalog.titles import ContentType
from commonroom.texts import collation_key
from commonroom.watchlists.rules.formats import Known, Match, Row, TitleRead

SameLists: TypeAlias = Literal["extend", "new"]
Rated: TypeAlias = Literal["keep", "replace"]
Unknown: TypeAlias = Literal["make", "leave"]
RATINGS, SEEN, BEGUN = "ratings", "seen", "begun"

MOST_MADE = 5_000
"""How many titles one import adds to the catalogue, which everybody shares."""
_MADE = UUID("5b1d2f1e-6c39-4a51-9d0e-0f3f6a3f5c11")


class Choices(Struct, frozen=True, kw_only=True):
    """What its owner chooses about an import."""

    same_lists: SameLists = "extend"
    rated: Rated = "keep"
    unknown: Unknown = "make"
    publishes: bool = False
    without: frozenset[str] = frozenset()


class Deeds(Struct, frozen=True):
    """What is done for a row."""

    lists: bool = False
    rates: bool = False
    replaces: bool = False
    reviews: bool = False
    marks_seen: bool = False

    @property
    def is_any(self) -> bool:
        """Whether there is something to do."""
        return self.lists or self.rates or self.marks_seen


def is_left_out(row: Row, choices: Choices) -> bool:
    """Whether its owner does not want it: a list, or every part of an opinion."""
    if row.list_number is not None:
        return str(row.list_number) in choices.without
    return not _wanted(row, choices).is_any


def deeds_of(row: Row, known: Known, choices: Choices) -> Deeds:
    """What is done for a row about a title, given what is there already."""
    if row.item is not None:
        return Deeds(lists=not is_left_out(row, choices) and not known.is_listed)
    wanted = _wanted(row, choices)
    rates = wanted.rates and (not known.is_rated or choices.rated == "replace")
    return Deeds(
        rates=rates,
        replaces=rates and known.is_rated,
        reviews=rates and wanted.reviews,
        # A rating marks a title as seen, too.
        marks_seen=(wanted.marks_seen or rates) and not known.is_seen,
    )


def _wanted(row: Row, choices: Choices) -> Deeds:
    said = row.opinion
    if said is None:
        return Deeds()
    rates = said.rating is not None and RATINGS not in choices.without
    sees = said.is_seen or (said.is_begun and BEGUN not in choices.without)
    return Deeds(
        rates=rates,
        reviews=rates and said.review is not None,
        marks_seen=sees and SEEN not in choices.without,
    )


def made_title(of: TitleRead) -> Match:
    """The title that a row becomes where the catalogue has none.

    Its id comes from what it is called, so that it is the same for whoever imports it.
    """
    content_type: ContentType = of.content_type or "MOVIE"
    if of.tmdb_id is not None:
        return Match(content_type, str(of.tmdb_id), of.title, of.year)
    name = of.imdb_id or f"{collation_key(of.title)}#{of.year or ''}"
    return Match(content_type, str(uuid5(_MADE, f"{content_type}#{name}")), of.title, of.year)


def made_list_id(import_id: str, list_number: int) -> str:
    """The id of a list that an import makes: the same however often it is tried."""
    return str(uuid5(_MADE, f"{import_id}#{list_number}"))


class Outcome(Struct, frozen=True):
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
    made: int = 0
    """How many titles are added to the catalogue."""
    unmatched: int = 0
    """How many rows wait for somebody to say which title is meant."""
    already: int = 0
    """How many rows tell nothing new."""
    left_out: int = 0


class _Counts(Struct):
    new_lists: int = 0
    extended_lists: int = 0
    listed: int = 0
    rated: int = 0
    replaced: int = 0
    reviewed: int = 0
    seen: int = 0
    unmatched: int = 0
    already: int = 0
    left_out: int = 0
    made: set[Hashable] = field(default_factory=set)


class OutcomeCounter:
    """Counts what rows become, one after the other, as they will be worked through."""

    def __init__(self, choices: Choices) -> None:
        self._choices = choices
        self._counts = _Counts()
        self._done: dict[Hashable, Known] = {}

    def count(self, rows: Iterable[Row]) -> Outcome:
        """What all these rows become."""
        for row in rows:
            self._count(row)
        counts = self._counts
        whole = {name: getattr(counts, name) for name in Outcome.__struct_fields__}
        return Outcome(**whole | {"made": len(counts.made)})

    def _count(self, row: Row) -> None:
        counts = self._counts
        if is_left_out(row, self._choices):
            counts.left_out += row.listed is None
        elif row.listed is not None:
            is_there = row.into is not None and self._choices.same_lists == "extend"
            counts.extended_lists += is_there
            counts.new_lists += not is_there
        else:
            self._count_title(row)

    def _count_title(self, row: Row) -> None:
        counts = self._counts
        match = match_of(row, self._choices, len(counts.made))
        if match is None:
            counts.unmatched += 1
            return
        if row.match is None:
            counts.made.add((match.content_type, match.content_id))
        about = (row.list_number, match.content_type, match.content_id)
        deeds = deeds_of(row, self._done.get(about) or known_of(row, self._choices), self._choices)
        self._done[about] = Known(is_listed=True, is_rated=deeds.rates, is_seen=True)
        counts.listed += deeds.lists
        counts.rated += deeds.rates
        counts.replaced += deeds.replaces
        counts.reviewed += deeds.reviews
        counts.seen += deeds.marks_seen
        counts.already += not deeds.is_any


def match_of(row: Row, choices: Choices, made: int) -> Match | None:
    """The title that a row is about; None where somebody must say which."""
    if row.match is not None or row.of is None:
        return row.match
    return made_title(row.of) if choices.unknown == "make" and made < MOST_MADE else None


def known_of(row: Row, choices: Choices) -> Known:
    """What is there already: on a new list there is nothing."""
    if row.item is not None and choices.same_lists == "new":
        return Known()
    return row.known
