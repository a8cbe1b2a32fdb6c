"""Which item on a shelf is which film."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from commonroom.library.rules.films import FilmShelf, ShelvedFilm, is_same_film
from commonroom.library.tables import Video
from commonroom.titles.films import Film

years = st.none() | st.integers(1950, 1954)
numbers = st.none() | st.integers(1, 4)
titles = st.sampled_from(["Alien", "ALIEN", "Aliens", "Ålien", "Dune"])
items = st.builds(
    Video,
    owner_id=st.just("O"),
    library_id=st.just("L"),
    item_id=st.uuids().map(str),
    account_id=st.just("O"),
    title=titles,
    release_year=years,
    tmdb_id=numbers,
)


def shelved(item: Video) -> ShelvedFilm:
    """An item as an index has it."""
    return ShelvedFilm(item.item_id, item.title, item.release_year, item.tmdb_id)


@given(st.lists(items, max_size=8), st.integers(1, 4), titles, years)
def test_an_index_finds_what_the_items_say_of_themselves(
    shelf: list[Video], number: int, title: str, year: int | None
) -> None:
    film = Film(tmdb_id=number, title=title, year=year)
    found = {one.item_id for one in FilmShelf(map(shelved, shelf)).find(film)}

    assert found == {one.item_id for one in shelf if is_same_film(one, film)}


def test_a_number_counts_more_than_a_title() -> None:
    dune = Film(tmdb_id=438631, title="Dune", year=2021)
    older = ShelvedFilm("1", "Dune", 1984)
    numbered = ShelvedFilm("2", "Dune: Part One", 2021, 438631)
    other = ShelvedFilm("3", "Dune", 2021, 841)
    bare = ShelvedFilm("4", "Dune")

    assert FilmShelf([older, numbered, other, bare]).find(dune) == [numbered, bare]
