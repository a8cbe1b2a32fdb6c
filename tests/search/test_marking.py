"""Which parts of a text are marked."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonroom.search.embedded.engine import EmbeddedIndex
from commonroom.search.hits import IndexHit, Tier
from commonroom.search.marking import TextSpan, snippet, title_parts
from commonroom.search.queries import SearchQuery
from tests.search.documents import film, put


def marked(parts: tuple[TextSpan, ...]) -> str:
    return "".join(f"[{part.text}]" if part.matches else part.text for part in parts)


@pytest.mark.parametrize(
    "title, text, shown",
    [
        ("The Godfather", "godf", "The [Godf]ather"),
        ("The Godfather", "godfater", "The [Godfather]"),
        ("The Godfather", "the god", "[The] [God]father"),
        ("Amélie", "amel", "[Amél]ie"),
        ("Spider-Man", "spiderman", "[Spider]-[Man]"),
        ("The Amazing Spider-Man", "spiderman", "The Amazing [Spider-Man]"),
        ("WALL·E", "wall e", "[WALL]·[E]"),
        ("Star Wars", "starwa", "[Star] [Wa]rs"),
        ("The Lord of the Rings", "lord rings", "The [Lord] of the [Rings]"),
        ("Rocky IV", "rocky 4", "[Rocky] [IV]"),
        ("Œuvre", "oeuv", "[Œuvre]"),
        ("<b>Bold</b> & Co", "bold", "<b>[Bold]</b> & Co"),
    ],
)
async def test_a_title_shows_what_matched(
    embedded_index: EmbeddedIndex, title: str, text: str, shown: str
) -> None:
    await put(embedded_index, film(title))
    (hit,) = await embedded_index.search(SearchQuery(text=text))
    assert marked(title_parts(hit)) == shown


async def test_a_name_that_matched_is_shown_and_others_are_not(
    embedded_index: EmbeddedIndex,
) -> None:
    await put(embedded_index, film("Heat", names=("Al Pacino", "Robert De Niro", "Val Kilmer")))
    (hit,) = await embedded_index.search(SearchQuery(text="heat niro"))
    assert marked(title_parts(hit)) == "[Heat]"
    assert marked(snippet(hit)) == "Robert De [Niro]"


async def test_a_description_is_cut_around_what_matched(embedded_index: EmbeddedIndex) -> None:
    text = f"{'before ' * 30}a lighthouse keeper {'after ' * 60}"
    await put(embedded_index, film("Alone", text=text))
    (hit,) = await embedded_index.search(SearchQuery(text="lighthouse"))
    shown = marked(snippet(hit))
    assert "a [lighthouse] keeper" in shown
    assert shown.startswith("…before")
    assert shown.endswith("after…")
    assert len(shown) < 250


@given(st.text(max_size=80), st.text(max_size=20), st.sampled_from(Tier))
def test_parts_are_the_whole_text_whatever_it_is(title: str, typed: str, tier: Tier) -> None:
    hit = IndexHit(film(title, text=title, names=(title,)), tier, typed, ((typed,), ("a", "b")))
    assert "".join(part.text for part in title_parts(hit)) == title
    snippet(hit)
