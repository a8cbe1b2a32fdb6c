"""Searching the index file: the best documents first, with as few statements as will do."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from functools import cached_property
from itertools import chain
from typing import Any, TypeAlias

import apsw
from msgspec import Struct

from commonroom.search.embedded.fuzzy import fuzzy_matches
from commonroom.search.embedded.schema import (
    FIRST_PRIVATE,
    FIRST_PRIVATE_KIND,
    PLACES,
    PLACES_OF_KIND,
    decode,
)
from commonroom.search.hits import Alternatives, IndexHit, Tier
from commonroom.search.queries import (
    FEW,
    MAX_HITS,
    SearchQuery,
    Terms,
    audience_facet,
    facet_groups,
    parse,
)
from commonroom.search.ranking import (
    MeantWords,
    best,
    fuzzy_cost,
    matches_fuzzily,
    tier_of,
    words_meant_by,
)

# FTS5 gives rows in the order of rowids, which is that of popularity, and stops at the limit.
FIND = """
SELECT place, documents.whole, documents.title, documents.names
FROM {table} JOIN documents ON place = {table}.rowid
WHERE {table} MATCH ? AND {table}.rowid >= ? AND {table}.rowid < ? ORDER BY {table}.rowid LIMIT ?
"""
BODY = "SELECT body FROM documents WHERE place = ?"
FIND_TITLES, FIND_TEXTS = FIND.format(table="titles"), FIND.format(table="texts")

MIN_TELLING = 4
"""Texts of fewer letters match so much that it is looked for tier by tier."""
MAX_RANKED = 100
"""So many matches are ranked here, found by one statement; of more, tier by tier."""
MAX_FUZZY = 30
"""How many matches with typos are ranked, of each kind."""
MAX_COMPARED = 1000
"""How many documents with an audience are compared for typos."""

Places: TypeAlias = tuple[int, int]


class RankedRow(Struct, frozen=True, array_like=True):
    """What a match is ranked by."""

    place: int
    whole: str
    title: str
    names: str


class RowMatch(Struct, frozen=True):
    """A row that matches, and how well."""

    place: int
    tier: Tier
    cost: int = 0
    """Of typos."""

    @property
    def kind_number(self) -> int:
        """Which kind it is of."""
        return self.place // PLACES_OF_KIND

    @property
    def rank(self) -> tuple[int, int, int]:
        """By how well it matches, then by popularity, whatever the kind."""
        return self.tier, self.cost, self.place % PLACES_OF_KIND // PLACES


def search(connection: apsw.Connection, query: SearchQuery) -> list[IndexHit]:
    """Returns what matches a text, the best first; typos count where few match as it is typed."""
    terms = parse(query.text)
    return [] if terms is None else Search(connection, query, terms).run()


class Search:
    """One search: what was found so far, and what is looked for next."""

    def __init__(self, connection: apsw.Connection, query: SearchQuery, terms: Terms) -> None:
        self._connection = connection
        self._terms = terms
        self._limit = max(0, min(query.limit, MAX_HITS))
        self._grouped = query.grouped
        self._filter = "".join(f" AND facets : {_any(group)}" for group in facet_groups(query))
        self._audience = f"facets : {_any(map(audience_facet, query.audience))}"
        known: Any = connection.execute("SELECT number, kind FROM kinds ORDER BY number")
        self._names: dict[int, str] = {
            number: kind for number, kind in known if not query.kinds or kind in query.kinds
        }
        self._public = [one for one in self._names if one < FIRST_PRIVATE_KIND]
        self._private = [one for one in self._names if one >= FIRST_PRIVATE_KIND]
        if not query.audience:
            self._private = []
        # One's own in one piece: it is little, and a filter of many tokens is not free.
        self._own = _spans(self._private)
        self._matches: dict[int, RowMatch] = {}

    def run(self) -> list[IndexHit]:
        """What was found, the best first; what was found so far where that takes too long."""
        with suppress(apsw.InterruptError):
            self._find()
        return self._hits()

    def _find(self) -> None:
        words = self._terms.words
        is_telling = len(self._terms.beginning) >= MIN_TELLING
        if not (is_telling and self._find_at_once(self._public)):
            self._find_by_tier(self._public)
        # Few have so much of their own that it takes more than one statement.
        if self._private and not self._find_at_once(self._private):
            self._find_by_tier(self._private)
        if self._are_few:
            self._find_fuzzy(Tier.FUZZY_TITLE, "title")
        if self._are_few and self._terms.are_in_text:
            self._add_of_all(Tier.IN_TEXT, f"words : {_all(words)}", FIND_TEXTS)
        if self._are_few:
            self._find_fuzzy(Tier.FUZZY_NAMES, "{title names}")
        if not self._matches and (fewer := self._terms.fewer_words):
            match = " OR ".join(map(_all, fewer))
            self._add_of_all(Tier.FEWER_WORDS, f"title : ({match})")

    @property
    def _are_few(self) -> bool:
        return len(self._matches) < FEW

    def _find_at_once(self, kinds: Sequence[int]) -> bool:
        """Everything that matches as typed, by one statement; False where that is too much."""
        match = f"whole : ({_any(self._terms.wholes)} OR {_prefix(self._terms.beginning)})"
        match += f" OR {{title names}} : {_all(self._terms.words)}"
        rows = self._all_rows(match, kinds)
        if rows is None:
            return False
        for row in rows:
            tier = tier_of(self._terms, row.whole, row.title, row.names)
            self._matches[row.place] = RowMatch(row.place, Tier.IN_NAMES if tier is None else tier)
        return True

    def _find_by_tier(self, kinds: Sequence[int]) -> None:
        """The best that matches as typed, of each kind, one tier after the other."""
        terms, words = self._terms, _all(self._terms.words)
        for places in map(_places_of, kinds):
            self._add(Tier.SAME_TITLE, f"whole : {_any(terms.wholes)}", [places])
            self._add(Tier.TITLE_BEGINS, f"whole : {_prefix(terms.beginning)}", [places])
            self._add(Tier.IN_TITLE, f"title : {words}", [places])
            self._add(Tier.IN_NAMES, f"{{title names}} : {words}", [places])

    def _find_fuzzy(self, tier: Tier, where: str) -> None:
        """Documents that have, for each word, one that may have been meant by it."""
        self._find_own_fuzzy(tier)
        meant = self._meant
        if all(len(fuzzy) == 1 for fuzzy in meant):
            return
        groups = [f"({' OR '.join(_prefix(other) for _, other in fuzzy)})" for fuzzy in meant]
        match = f"{where} : ({' AND '.join(groups)})"
        for row in self._public_rows(match, MAX_FUZZY):
            self._take_fuzzy(row, tier, meant)

    def _find_own_fuzzy(self, tier: Tier) -> None:
        """Adds fuzzy matches of what is not for everybody, whose words no list of words holds."""
        meant = self._own_meant
        if any(len(fuzzy) > 1 for fuzzy in meant):
            for row in self._own_rows:
                names = row.names if tier is Tier.FUZZY_NAMES else ""
                if matches_fuzzily(row.title, names, meant):
                    self._take_fuzzy(row, tier, meant)

    def _take_fuzzy(self, row: RankedRow, tier: Tier, meant: Sequence[MeantWords]) -> None:
        cost = fuzzy_cost(row.title, row.names, meant)
        self._matches.setdefault(row.place, RowMatch(row.place, tier, cost))

    @cached_property
    def _meant(self) -> list[MeantWords]:
        """Typos and words, for each word that was typed: itself, then what may be meant by it."""
        return [[(0, word), *fuzzy_matches(self._connection, word)] for word in self._terms.words]

    @cached_property
    def _own_rows(self) -> list[RankedRow]:
        """Returns all that the caller may see and not everybody, or the first of it."""
        return [
            row for places in self._own for row in self._rows("", places, MAX_COMPARED, FIND_TITLES)
        ]

    @cached_property
    def _own_meant(self) -> list[MeantWords]:
        """Returns what may be meant by each word that was typed, of the words in there."""
        words = {word for row in self._own_rows for word in f"{row.title} {row.names}".split()}
        return [words_meant_by(word, words) for word in self._terms.words]

    def _add(
        self, tier: Tier, match: str, several: Iterable[Places], statement: str = FIND_TITLES
    ) -> None:
        """Adds what was not found before, where there is not enough yet."""
        for first, last in several:
            limit = MAX_RANKED if first >= FIRST_PRIVATE else self._limit
            if sum(first <= place < last for place in self._matches) < limit:
                for row in self._rows(match, (first, last), limit, statement):
                    self._matches.setdefault(row.place, RowMatch(row.place, tier))

    def _add_of_all(self, tier: Tier, match: str, statement: str = FIND_TITLES) -> None:
        """Adds matches of all kinds, where there are few so far."""
        for row in self._public_rows(match, self._limit, statement):
            self._matches.setdefault(row.place, RowMatch(row.place, tier))
        self._add(tier, match, self._own, statement)

    def _public_rows(
        self, match: str, limit: int, statement: str = FIND_TITLES
    ) -> Iterable[RankedRow]:
        """Returns what matches and is for everybody; where that is much, so many of each kind."""
        rows = self._all_rows(match, self._public, statement)
        if rows is not None:
            return rows
        several = map(_places_of, self._public)
        return chain.from_iterable(self._rows(match, one, limit, statement) for one in several)

    def _all_rows(
        self, match: str, kinds: Iterable[int], statement: str = FIND_TITLES
    ) -> list[RankedRow] | None:
        """Returns all of these kinds that match; None where there are too many to rank.

        By one statement: to work out what a text means takes FTS5 longer than to find that.
        """
        rows = [
            row
            for places in _spans(kinds)
            for row in self._rows(match, places, MAX_RANKED + 1, statement)
        ]
        return rows if len(rows) <= MAX_RANKED else None

    def _rows(self, match: str, places: Places, limit: int, statement: str) -> Iterator[RankedRow]:
        wanted = [f"({match})"] if match else []
        if places[0] >= FIRST_PRIVATE:
            wanted.append(self._audience)
        text = f"{' AND '.join(wanted)}{self._filter}"
        found = self._connection.execute(statement, (text, *places, limit))
        return (RankedRow(*row) for row in found)

    def _hits(self) -> list[IndexHit]:
        """Returns the best of all, or of each kind."""
        # Of equals by name of the kind: how many there are of one must not show among another.
        names = self._names
        ranked = sorted(
            self._matches.values(),
            key=lambda one: (*one.rank, names[one.place // PLACES_OF_KIND], one.place),
        )
        kind_of = self._kind if self._grouped else None
        return [self._hit(match) for match in best(ranked, self._limit, kind_of)]

    def _kind(self, match: RowMatch) -> str:
        return self._names[match.kind_number]

    def _hit(self, match: RowMatch) -> IndexHit:
        body = self._connection.execute(BODY, (match.place,)).get
        fuzzy = match.tier in (Tier.FUZZY_TITLE, Tier.FUZZY_NAMES)
        words = self._typed_words
        if fuzzy:
            meant = self._meant if match.place < FIRST_PRIVATE else self._own_meant
            words = tuple(tuple(other for _, other in fuzzy) for fuzzy in meant)
        return IndexHit(decode(body), match.tier, self._terms.beginning, words)

    @cached_property
    def _typed_words(self) -> tuple[Alternatives, ...]:
        return tuple((word,) for word in self._terms.words)


def _places_of(kind_number: int) -> Places:
    return kind_number * PLACES_OF_KIND, (kind_number + 1) * PLACES_OF_KIND


def _spans(kinds: Iterable[int]) -> list[Places]:
    """Returns where the documents of these kinds are; of neighbours in one piece."""
    spans: list[Places] = []
    for first, last in map(_places_of, kinds):
        if spans and spans[-1][1] == first:
            spans[-1] = spans[-1][0], last
        else:
            spans.append((first, last))
    return spans


def _any(tokens: Iterable[str]) -> str:
    """Returns tokens in quotes, so that nothing that people type means anything to FTS5."""
    quoted = (f'"{token}"' for token in tokens)
    return f"({' OR '.join(quoted)})"


def _all(words: Iterable[str]) -> str:
    """Returns prefixes of words, the longest first: FTS5 looks for the others where it is."""
    return f"({' AND '.join(map(_prefix, sorted(words, key=len, reverse=True)))})"


def _prefix(word: str) -> str:
    return f'"{word}"*'
