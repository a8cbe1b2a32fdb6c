"""What is not for everybody: found by those who are meant, and unknown to all others."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import apsw
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from commonroom.search.documents import Document, Searchable
from commonroom.search.embedded.engine import EmbeddedIndex
from commonroom.search.index import SearchIndex
from commonroom.search.queries import SearchQuery
from tests.search.documents import film, put, remove, titles
from tests.search.things import movie

ADA, TOM = ("user#ada", "group#walkers"), ("user#tom", "group#TOM")


def hangout(title: str, *audience: str, popularity: int = 0, **facts: Any) -> Document:
    """A hangout for some."""
    facts = {"id": title, "address": f"/hangouts/{title}"} | facts
    return Document(kind="hangout", title=title, audience=audience, popularity=popularity, **facts)


async def test_it_is_found_by_those_it_is_for_and_by_nobody_else(index: SearchIndex) -> None:
    await put(
        index,
        film("Birthday Girl"),
        hangout("Birthday of Lea", "group#walkers", "user#tom"),
        hangout("Birthday of Tom", "user#tom"),
        hangout("Birthday of Zoe", "group#tom"),
    )
    assert await titles(index, "birthday") == ["Birthday Girl"]
    assert set(await titles(index, "birthday", audience=ADA)) == {
        "Birthday Girl",
        "Birthday of Lea",
    }
    assert set(await titles(index, "birthday", audience=TOM)) == {
        "Birthday Girl",
        "Birthday of Lea",
        "Birthday of Tom",
    }, "capitals tell tokens apart"
    for text in ("b", "bi", "birthday lea", "brithday lea", "birthday of lea cake"):
        assert "Birthday of Lea" in await titles(index, text, audience=ADA), text
        assert "Birthday of Lea" not in await titles(index, text, audience=("user#eve",)), text
        assert "Birthday of Lea" not in await titles(index, text), text


async def test_it_is_found_by_its_description_too(index: SearchIndex) -> None:
    await put(index, hangout("Sunday", "user#ada", text="We bring pancakes."))
    assert await titles(index, "pancakes", audience=ADA) == ["Sunday"]
    assert await titles(index, "pancakes", audience=TOM) == []


async def test_filters_by_kind_hold_for_it(index: SearchIndex) -> None:
    await put(index, film("Alps"), hangout("Alps", "user#ada"))
    assert await titles(index, "alps", audience=ADA, kinds=("film",)) == ["Alps"]
    found = await index.search(SearchQuery(text="alps", audience=ADA, kinds=("hangout",)))
    assert [hit.document.kind for hit in found] == ["hangout"]
    both = await index.search(SearchQuery(text="alps", audience=ADA, grouped=True, limit=1))
    assert sorted(hit.document.kind for hit in both) == ["film", "hangout"]


async def test_of_one_kind_some_may_have_an_audience_and_some_not(index: SearchIndex) -> None:
    await put(index, film("Home Movie", audience=("user#ada",)), film("Home Alone"))
    assert await titles(index, "home") == ["Home Alone"]
    assert set(await titles(index, "home", audience=ADA)) == {"Home Alone", "Home Movie"}


async def test_what_is_opened_to_everybody_or_shut_is_found_accordingly(index: SearchIndex) -> None:
    await put(index, hangout("Street party", "user#ada"))
    await put(index, hangout("Street party"))
    assert await titles(index, "stret party") == ["Street party"], "its words are known now"
    await put(index, hangout("Street party", "user#tom"))
    assert await titles(index, "street") == []
    assert await titles(index, "street", audience=ADA) == []
    assert await titles(index, "street", audience=TOM) == ["Street party"]
    await remove(index, ("hangout", "Street party"))
    assert await titles(index, "street", audience=TOM) == []


async def test_many_of_ones_own_are_found_the_newest_first(index: SearchIndex) -> None:
    await put(index, *(hangout(f"Walk {n}", "user#ada", popularity=n) for n in range(150)))
    await put(index, *(hangout(f"Walk other {n}", "user#eve", popularity=900) for n in range(150)))
    assert await titles(index, "walk", audience=ADA, limit=2) == ["Walk 149", "Walk 148"]
    assert await titles(index, "wlak 17", audience=ADA, limit=1) == ["Walk 17"]


async def test_the_file_knows_no_word_that_is_not_for_everybody(tmp_path: Path) -> None:
    index = EmbeddedIndex(tmp_path / "search.db")
    await put(index, film("Casablanca"), hangout("Surprise for Casablanca", "user#ada"))
    await remove(index, ("film", "Casablanca"))
    await index.verify()
    await index.close()
    with apsw.Connection(str(tmp_path / "search.db")) as connection:
        assert connection.execute("SELECT word FROM words").fetchall() == []
        assert connection.execute("SELECT key FROM beginnings").fetchall() == []


def test_a_private_kind_makes_no_document_without_an_audience() -> None:
    made = film("Alien")
    open_, private = (
        Searchable(
            kind="film",
            entity=type(movie("1", "Alien")),
            id_field="movie_id",
            document=lambda _: made,
            is_private=is_private,
        )
        for is_private in (False, True)
    )
    assert open_.document_of("1", movie("1", "Alien")) is not None
    assert private.document_of("1", movie("1", "Alien")) is None


WORDS = ["birthday", "birthdya", "lea", "lee", "walk", "film", "night", "nihgt", "alps", "2"]
TITLES = st.lists(st.sampled_from(WORDS), min_size=1, max_size=3).map(" ".join)
THINGS = st.lists(st.tuples(TITLES, st.sampled_from(["film", "hangout", "group"])), max_size=8)


def _strange(things: list[tuple[str, str]]) -> list[Document]:
    """The same things as somebody else has them."""
    return [
        Document(
            kind="group" if kind == "film" else kind,
            id=f"t{number}",
            title=title,
            address="/",
            audience=("user#eve",),
            popularity=1000 * (number % 2),
        )
        for number, (title, kind) in enumerate(things)
    ]


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(mine=THINGS, theirs=THINGS, text=TITLES | st.sampled_from(["b", "le", "brithday", "nigt w"]))
async def test_what_others_have_changes_nothing_of_what_somebody_finds(
    tmp_path_factory: pytest.TempPathFactory,
    mine: list[tuple[str, str]],
    theirs: list[tuple[str, str]],
    text: str,
) -> None:
    folder = tmp_path_factory.mktemp("index")
    alone, shared = EmbeddedIndex(folder / "alone.db"), EmbeddedIndex(folder / "shared.db")
    for number, (title, kind) in enumerate(mine, start=len(theirs)):
        if number % 2:
            await put(shared, *_strange(theirs[:number]))
        one = Document(
            kind=kind,
            id=f"m{number}",
            title=title,
            address="/",
            audience=() if kind == "film" else ADA[:1],
        )
        await put(alone, one)
        await put(shared, one)
    await put(shared, *_strange(theirs))
    for audience in ((), ADA):
        for grouped in (False, True):
            query = SearchQuery(text=text, audience=audience, limit=5, grouped=grouped)
            assert await alone.search(query) == await shared.search(query)
    await alone.close()
    await shared.close()
    shutil.rmtree(folder)
