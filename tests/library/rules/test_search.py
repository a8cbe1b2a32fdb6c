"""Searching: what matches, and what comes first."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from random import Random

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from msgspec.structs import replace

from commonroom.errors import InvalidField
from commonroom.library.rules.search import (
    MAX_TEXT,
    MAX_WORDS,
    Ranked,
    SearchEntry,
    parse_query,
    words_of,
)
from commonroom.library.rules.search_index import LibrarySearchIndex
from commonroom.library.service.item_writes import search_version_changes
from commonroom.library.tables import Book, Library, Video
from tests.house.fields.surfaces import samples_of

LETTERS = st.text("abcde", min_size=1, max_size=10)
NAMES = st.lists(LETTERS, min_size=1, max_size=4).map(" ".join)
SHELVES = st.lists(
    st.tuples(NAMES, st.none() | NAMES, st.lists(NAMES, max_size=2).map(tuple)), max_size=12
)


def card(
    title: str, collection: str | None = None, *people: str, named: str | None = None
) -> SearchEntry:
    return SearchEntry(0, named or title, title, collection, people)


def found(cards: Sequence[SearchEntry], text: str) -> list[str]:
    """The ids of what is found, the best first."""
    what = parse_query(text)
    return (
        []
        if what is None
        else [one.item_id for one in LibrarySearchIndex("L", cards).best(what, len(cards))]
    )


class TestWords:
    @pytest.mark.parametrize(
        "title, text",
        [
            ("Die Straße", "strasse"),
            ("Die Strasse", "straße"),
            ("Œuvres complètes", "oeuvres completes"),
            ("Oeuvres", "œuvres"),
            ("Ærlighet", "aerlighet"),
            ("Smørrebrød", "smorrebrod"),
            ("Kap\u0131", "kapi"),
            ("İstanbul", "istanbul"),
            ("The ﬁrst ﬂight", "first flight"),
            ("\uff21\uff2b\uff29\uff32\uff21", "akira"),
            ("Amélie", "AMELIE"),
            ("Ame\u0301lie", "amélie"),
            ("Łódź", "lodz"),
            ("O’Brien", "obrien"),
            ("O'Brien", "O’Brien"),
            ("OBrien", "o'brien"),
            ("Patrick O\u2018Brien-Smith", "o'brien"),
            ("L’Étranger", "étranger"),
            ("L’Étranger", "letranger"),
            ("Spider-Man", "spiderman"),
            ("Spider-Man", "spider man"),
            ("Spiderman", "spider-man"),
            ("Spider Man", "spider-man"),
            ("Catch-22", "catch 22"),
            ("J.R.R. Tolkien", "jrr"),
            ("J. R. R. Tolkien", "j.r.r."),
            ("M*A*S*H", "mash"),
            ("Nineteen#Eighty_Four", "eighty four"),
            ("★", "★"),
            ("七人の侍", "七人"),
        ],
    )
    def test_are_the_same_however_they_are_written(self, title: str, text: str) -> None:
        assert found([card(title)], text) == [title]

    @pytest.mark.parametrize("text", ["", "   ", "#", " \t_ "])
    def test_are_needed_to_find_anything(self, text: str) -> None:
        assert parse_query(text) is None

    def test_between_signs_count_and_the_signs_do_not(self) -> None:
        assert found([card("Foo – Bar & Baz!")], "foo - bar & baz") == ["Foo – Bar & Baz!"]

    def test_are_not_too_many(self) -> None:
        many = [f"w{number}" for number in range(MAX_WORDS + 1)]
        assert parse_query(" ".join(many[:-1])) is not None
        assert parse_query(" ".join(["again"] * 30)) is not None, "the same word counts once"
        for text in (" ".join(many), "-".join(many), "x" * (MAX_TEXT + 1)):
            with pytest.raises(InvalidField):
                parse_query(text)


class TestMatching:
    @pytest.mark.parametrize(
        "text",
        [
            "dragonlance",  # whole
            "dragonl",  # begun
            "dragonlanec",  # two letters swapped
            "dragnlance",  # one missing
            "dragoonlance",  # one too many
            "drägonlanze",  # one wrong
            "dargonlanec",  # two typos, for it is long
        ],
    )
    def test_takes_beginnings_and_typos(self, text: str) -> None:
        assert found([card("Dragonlance")], text) == ["Dragonlance"]

    @pytest.mark.parametrize(
        "title, text, matches",
        [
            ("Emma", "enma", True),
            ("Emma", "ema", False),  # too short for a typo
            ("Emma", "enna", False),  # two typos in a short word
            ("Matilda", "matidla", True),
            ("Matilda", "amtidla", False),  # seven letters
            ("Momentum", "omemtnum", False),  # three typos
            ("Momentum", "omentmum", True),
            ("Dragonlance", "lance", False),  # not the beginning of a word
            ("Dragonlance", "dargon", False),  # a slip in a beginning
        ],
    )
    def test_takes_no_more_than_that(self, title: str, text: str, matches: bool) -> None:
        assert found([card(title)], text) == [title] * matches

    def test_looks_at_titles_collections_and_people(self) -> None:
        cards = [card("Small Gods", "Discworld", "Terry Pratchett")]
        for text in ("small", "gods", "discworld", "terry", "pratchett", "terry gods disc"):
            assert found(cards, text) == ["Small Gods"]

    def test_needs_every_word(self) -> None:
        cards = [card("Small Gods", "Discworld", "Terry Pratchett"), card("Good Omens")]
        assert found(cards, "small omens") == []
        assert found(cards, "pratchett gods missing") == []


class TestRanking:
    @pytest.mark.parametrize(
        "text, order",
        [
            (
                "dune",
                [
                    card("Dune"),
                    card("Dune Messiah"),
                    card("Children of Dune"),
                    card("Sand", "Dune"),
                    card("Worms", None, "Ann Dune"),
                    card("June"),
                ],
            ),
            (
                "king",
                [
                    card("Kingdom Come"),  # the title begins so
                    card("The Lion King"),  # a whole word of the title
                    card("The Kingfisher"),  # a word that begins so
                    card("Zoo", "King and Queen"),
                    card("Arthur", None, "Stephen King"),
                    card("Emma", None, "Ann Kingsley"),
                    card("The Ring"),  # a slip, in the title
                    card("A Day", None, "Bo Ring"),
                ],
            ),
            ("star wars", [card("Star Wars"), card("Star Wars: Andor"), card("Wars of a Star")]),
            ("tolkein", [card("Tolkien"), card("The Hobbit", None, "J. R. R. Tolkien")]),
            ("momentum", [card("Zzz Momentum"), card("Momentun"), card("Mementun")]),
            ("asterix gaul", [card("Asterix the Gaul", "Asterix"), card("The Gaul", "Asterix")]),
            ("émile", [card("Émile"), card("Emile and the Detectives")]),
            ("ha", [card("Hamlet"), card("Harry"), card("Hat")]),
        ],
    )
    def test_puts_the_likeliest_first(self, text: str, order: list[SearchEntry]) -> None:
        cards = Random(7).sample(order, len(order))
        assert found(cards, text) == [one.item_id for one in order]

    def test_is_alphabetical_where_nothing_else_tells(self) -> None:
        titles = ["An Élan", "An elbow", "An Embassy", "An éon"]
        assert found([card(one) for one in reversed(titles)], "an") == titles

    def test_tells_two_of_one_title_apart_by_their_ids(self) -> None:
        twins = [card("Twin", named=one) for one in ("b", "a", "c")]
        assert found(twins, "twin") == ["a", "b", "c"]


class TestAlways:
    """Against a slow and obvious definition."""

    @given(SHELVES, st.lists(LETTERS, min_size=1, max_size=3))
    def test_exactly_what_matches_every_word_is_found(
        self, shelf: list[tuple[str, str | None, tuple[str, ...]]], words: list[str]
    ) -> None:
        cards = [card(*one[:2], *one[2], named=str(number)) for number, one in enumerate(shelf)]
        right = {one.item_id for one in cards if all(matches(word, one) for word in words)}
        assert set(found(cards, " ".join(words))) == right

    @given(SHELVES, LETTERS, st.integers(1, 4))
    def test_pages_of_several_libraries_are_parts_of_one_order(
        self, shelf: list[tuple[str, str | None, tuple[str, ...]]], word: str, most: int
    ) -> None:
        cards = [card(*one[:2], *one[2], named=str(number)) for number, one in enumerate(shelf)]
        several = [LibrarySearchIndex(str(number), cards[number::3]) for number in range(3)]
        what = parse_query(word)
        assert what is not None
        whole = sorted(one for some in several for one in some.best(what, len(cards)))
        seen: list[Ranked] = []
        while page := sorted(
            one for some in several for one in some.best(what, most, seen[-1] if seen else None)
        ):
            seen += page[:most]
        assert seen == whole

    @given(SHELVES, st.lists(LETTERS, min_size=1, max_size=3), LETTERS)
    def test_another_word_never_finds_more(
        self,
        shelf: list[tuple[str, str | None, tuple[str, ...]]],
        words: list[str],
        another: str,
    ) -> None:
        cards = [card(*one[:2], *one[2], named=str(number)) for number, one in enumerate(shelf)]
        more = found(cards, " ".join([*words, another]))
        assert set(more) <= set(found(cards, " ".join(words)))

    @given(SHELVES, st.lists(LETTERS, min_size=1, max_size=2), st.randoms())
    def test_the_order_does_not_depend_on_how_things_are_stored(
        self,
        shelf: list[tuple[str, str | None, tuple[str, ...]]],
        words: list[str],
        chance: Random,
    ) -> None:
        cards = [card(*one[:2], *one[2], named=str(number)) for number, one in enumerate(shelf)]
        other = chance.sample(cards, len(cards))
        assert found(cards, " ".join(words)) == found(other, " ".join(words))

    @given(st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=60))
    def test_whatever_is_written_is_found_by_itself(self, title: str) -> None:
        try:
            what = parse_query(title)
        except InvalidField:
            assume(False)
        if what is not None:
            assert found([card("Other"), card(title)], title)[:1] == [title]


def matches(word: str, on: SearchEntry) -> bool:
    texts = (on.title, on.collection or "", *on.people)
    return any(alike(word, other) for text in texts for other in text.split())


def alike(word: str, other: str) -> bool:
    return other.startswith(word) or typos(word, other) <= (len(word) >= 4) + (len(word) >= 8)


@cache
def typos(word: str, other: str) -> int:
    """How many letters are wrong, missing, too many, or swapped with the next."""
    if not word or not other:
        return len(word) + len(other)
    ways = [
        typos(word[1:], other) + 1,
        typos(word, other[1:]) + 1,
        typos(word[1:], other[1:]) + (word[0] != other[0]),
    ]
    if len(word) > 1 and other.startswith(word[1] + word[0]):
        ways.append(typos(word[2:], other[2:]) + 1)
    return min(ways)


def test_words_of_a_compound_are_all_that_somebody_may_type() -> None:
    assert words_of("L’Étranger") == {"l", "etranger", "letranger"}
    assert words_of("O'Brien-Smith") == {"o", "brien", "smith", "obrien", "obriensmith"}


@pytest.mark.parametrize(
    "kind, more",
    [(Book, {"authors"}), (Video, {"directors", "cast", "release_year", "tmdb_id"})],
)
def test_a_search_is_stale_once_what_an_item_is_found_by_changes(
    kind: type[Book | Video], more: set[str]
) -> None:
    samples = {name: pair for name, pair in samples_of(kind, {}) if name != "item_id"}
    old = kind(item_id="One", **{name: pair[0] for name, pair in samples.items()})
    library = Library(**{name: pair[0] for name, pair in samples_of(Library, {})})
    stale = {
        name
        for name, (_, another) in samples.items()
        if search_version_changes(0, library, old, replace(old, **{name: another}))
    }
    assert stale == {"title", "contributors", "tags", "publisher", "collection_id"} | more
