"""What is found, and in which order: the same with every engine."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from commonroom.search.index import SearchIndex
from commonroom.search.queries import SearchQuery, parse
from commonroom.titles.search_documents import FILMS, SHOWS
from tests.search.documents import film, put, remove, titles, watchlist


@pytest.fixture
async def catalogue(index: SearchIndex) -> SearchIndex:
    """The films and shows that come with Commonroom."""
    await put(index, *FILMS.builtin().values(), *SHOWS.builtin().values())
    return index


FIRST = {
    "godfater": "The Godfather",
    "amelie": "Amélie",
    "star wars 4": "Star Wars",
    "lord rings": "The Lord of the Rings: The Fellowship of the Ring",
    "wall e": "WALL·E",
    "spiderman": "Spider-Man",
    "se7en": "Se7en",
    "the godfather": "The Godfather",
    "god father part 2": "The Godfather: Part II",
    "oceans 11": "Ocean's Eleven",
    "matrx": "The Matrix",
    "harry poter": "Harry Potter and the Philosopher's Stone",
    "shwashenk": "The Shawshank Redemption",
    "starwars": "Star Wars",
    "scorsese taxi": "Taxi Driver",
    "THE MATRIX": "The Matrix",
    "etenal sunshine": "Eternal Sunshine of the Spotless Mind",
    "breaking bda": "Breaking Bad",
    "tibet seven": "Seven Years in Tibet",
}


async def test_what_a_person_would_try_finds_what_they_mean(catalogue: SearchIndex) -> None:
    found = {text: (await titles(catalogue, text, limit=1) or [""])[0] for text in FIRST}
    assert found == FIRST


async def test_a_word_with_a_digit_for_a_letter_is_near(catalogue: SearchIndex) -> None:
    assert "Se7en" in await titles(catalogue, "seven", limit=5)


async def test_a_person_is_found_by_name_before_a_description(index: SearchIndex) -> None:
    named = film("Dunkirk", 1, names=("Christopher Nolan",))
    described = film("A Documentary", 900, text="About Nolan and others.")
    await put(index, described, named)
    assert await titles(index, "nolan") == ["Dunkirk", "A Documentary"]


async def test_the_very_title_comes_first_then_what_begins_so_then_what_has_the_words(
    index: SearchIndex,
) -> None:
    await put(
        index,
        film("Batman Alienated", 900),
        film("Alien Covenant", 500),
        film("Alien", 10),
        film("Aliens", 700),
        film("My Stepmother Is an Alien", 950),
        film("The Alien", 5),
    )
    assert await titles(index, "alien") == [
        "Alien",
        "The Alien",
        "Aliens",
        "Alien Covenant",
        "My Stepmother Is an Alien",
        "Batman Alienated",
    ]


async def test_of_equals_the_more_popular_comes_first(index: SearchIndex) -> None:
    await put(index, *(film(f"Night {n}", popularity=n) for n in range(0, 100, 10)))
    assert await titles(index, "night", limit=3) == ["Night 90", "Night 80", "Night 70"]
    await put(index, film("Night 0", popularity=1000))
    assert await titles(index, "night", limit=2) == ["Night 0", "Night 90"]


async def test_typos_come_after_what_was_typed(index: SearchIndex) -> None:
    await put(index, film("Jaws", 900), film("Jows", 1))
    assert await titles(index, "jows") == ["Jows", "Jaws"]


async def test_typos_are_not_looked_for_where_enough_was_typed_right(index: SearchIndex) -> None:
    await put(index, *(film(f"Heat {n}") for n in range(6)), film("Beat", 1000))
    assert "Beat" not in await titles(index, "heat")
    assert await titles(index, "haet 3") == ["Heat 3"]


async def test_every_beginning_of_a_title_finds_it_as_one_types(index: SearchIndex) -> None:
    title = "Léon: The Professional"
    await put(index, film(title), *(film(f"Other {n}") for n in range(30)))
    for length in range(1, len(title) + 1):
        assert title in await titles(index, title[:length]), title[:length]


async def test_filters_are_by_kind_year_and_genre(index: SearchIndex) -> None:
    await put(
        index,
        film("Dune One", year=1984, genres=("Science Fiction",)),
        film("Dune Two", year=2021, genres=("Science Fiction", "Adventure")),
        film("Dune Three", genres=("Drama",)),
        watchlist("Dune and the like"),
    )
    assert len(await titles(index, "dune")) == 4
    assert await titles(index, "dune", kinds=("list",)) == ["Dune and the like"]
    assert await titles(index, "dune", year_from=2000) == ["Dune Two"]
    assert await titles(index, "dune", year_to=1984) == ["Dune One"]
    assert await titles(index, "dune", year_from=1984, year_to=1984) == ["Dune One"]
    assert await titles(index, "dune", year_from=2022, year_to=2000) == []
    assert set(await titles(index, "dune", genres=("science fiction", "drama"))) == {
        "Dune One",
        "Dune Two",
        "Dune Three",
    }
    assert await titles(index, "dune", genres=("Adventure",), year_from=1900) == ["Dune Two"]
    assert await titles(index, "dune", kinds=("nothing",)) == []


async def test_groups_have_so_many_of_each_kind(index: SearchIndex) -> None:
    await put(index, *(film(f"Summer {n}", 100 + n) for n in range(9)))
    await put(index, *(watchlist(f"Summer list {n}", n) for n in range(3)))
    assert len(await titles(index, "summer", limit=5)) == 5
    found = await titles(index, "summer", limit=2, grouped=True)
    assert found == ["Summer 8", "Summer 7", "Summer list 2", "Summer list 1"]


async def test_as_many_are_found_as_are_wanted(index: SearchIndex) -> None:
    await put(index, *(film(f"Film {n}") for n in range(120)))
    assert len(await titles(index, "f", limit=7)) == 7
    assert len(await titles(index, "film", limit=1000)) == 50
    assert await titles(index, "film", limit=0) == []


HOSTILE = [
    '"',
    "'",
    "*",
    "a*",
    "NEAR(a b)",
    "title : x",
    "{title} : x",
    'a" OR "b',
    "AND OR NOT",
    "a NOT b",
    "(((",
    ")",
    "^x",
    "-x",
    "+x",
    "x\x00y",
    "\x00",
    "\ud800",
    "😀😀😀",
    "👨‍👩‍👧‍👦",
    "\u202edrowssap",
    "مرحبا بالعالم",
    "\uff41\uff42\uff43",
    "%' OR 1=1 --",
    "\\",
    "{}[]<>!?&|~",
    "x" * 10_000,
    "x " * 5_000,
    "é" * 10_000,
    "﷽" * 500,
    "a b c d e f g h i j k l m n o p",
]


async def test_no_text_fails_whatever_is_in_it(index: SearchIndex) -> None:
    await put(index, *list(FILMS.builtin().values())[:30])
    for text in HOSTILE:
        for query in (
            SearchQuery(text=text),
            SearchQuery(text=text, kinds=(text,), genres=(text,), grouped=True),
            SearchQuery(text=f"the {text} god"),
        ):
            await index.search(query)


@pytest.mark.parametrize("title", ["!!!", "\x8b^", "\u0344", "\xad!"])
async def test_a_title_of_signs_alone_is_found_by_them(
    embedded_index: SearchIndex, title: str
) -> None:
    await put(embedded_index, film(title))
    assert await titles(embedded_index, title) == [title]


TITLES = st.text(max_size=30) | st.lists(
    st.sampled_from(["The", "Night", "of", "Éa", "2", "Spider-Man", "O’Hara", "月", "!"]),
    max_size=6,
).map(" ".join)


@settings(max_examples=30, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(TITLES, min_size=1, max_size=8), st.data())
async def test_whatever_is_put_is_found_by_its_title_and_whatever_is_removed_never(
    embedded_index: SearchIndex, some: list[str], data: st.DataObject
) -> None:
    documents = {str(n): film(title, id=str(n)) for n, title in enumerate(some)}
    await put(embedded_index, *documents.values())
    gone = data.draw(st.sets(st.sampled_from(sorted(documents))))
    if gone:
        await remove(embedded_index, *(documents[one].key for one in sorted(gone)))
    for number, document in documents.items():
        ids = {
            hit.document.id
            for hit in await embedded_index.search(SearchQuery(text=document.title, limit=50))
        }
        assert ids.isdisjoint(gone)
        if number not in gone and parse(document.title) is not None:
            assert number in ids
    await remove(embedded_index, *(one.key for one in documents.values()))
    await embedded_index.verify()
