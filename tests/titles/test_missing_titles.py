"""What somebody types who does not find a title, and links as people paste them."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from commonroom.errors import InvalidField
from commonroom.titles.missing_titles import MissingTitle, read_missing
from commonroom.titles.title_links import TitleLink, read_link

HEAT = MissingTitle(title="Heat", year=1995)


@pytest.mark.parametrize(
    "text, title, year",
    [
        ("Heat", "Heat", None),
        ("Heat 1995", "Heat", 1995),
        (" Heat  (1995) ", "Heat", 1995),
        ("1917", "1917", None),
        ("1917 2019", "1917", 2019),
        ("Blade Runner 2049", "Blade Runner 2049", None),
        ("2001: A Space Odyssey", "2001: A Space Odyssey", None),
        ("", "", None),
    ],
)
def test_a_year_is_read_behind_a_title(text: str, title: str, year: int | None) -> None:
    assert read_missing(text) == MissingTitle(title=title, year=year)


@pytest.mark.parametrize(
    "text, link",
    [
        ("tt0113277", TitleLink(imdb_id="tt0113277")),
        (" https://www.imdb.com/title/tt0113277/?ref_=x ", TitleLink(imdb_id="tt0113277")),
        ("https://www.imdb.com/de/title/tt0113277/", TitleLink(imdb_id="tt0113277")),
        ("HTTPS://M.IMDB.COM/title/tt0113277", TitleLink(imdb_id="tt0113277")),
        ("https://www.themoviedb.org/movie/949-heat", TitleLink(tmdb_id=949, content_type="MOVIE")),
        ("themoviedb.org/tv/1396?language=de", TitleLink(tmdb_id=1396, content_type="SHOW")),
        ("tmdb:movie/949", TitleLink(tmdb_id=949, content_type="MOVIE")),
        ("tt01", None),
        ("tt0113277x", None),
        ("https://evil.example/title/tt0113277", None),
        ("Heat tt0113277", None),
        ("themoviedb.org/movie/0949", None),
        ("949", None),
        ("", None),
    ],
)
def test_ids_and_links_are_read(text: str, link: TitleLink | None) -> None:
    assert read_link(text) == link
    if link is not None:
        assert read_link(link.alias) == link


def test_the_same_title_has_the_same_id_and_another_has_another() -> None:
    same = MissingTitle(title="heat!", year=1995).facts().id
    assert HEAT.facts().id == same
    others = [
        replace(HEAT, year=1986),
        replace(HEAT, content_type="SHOW"),
        replace(HEAT, link="tt0113277"),
        replace(HEAT, title="Heats"),
    ]
    assert len({one.facts().id for one in (HEAT, *others)}) == 5


def test_a_link_says_what_kind_it_is_and_its_id_is_kept() -> None:
    facts = MissingTitle(title="Dark", link="themoviedb.org/tv/70523").facts()
    assert (facts.content_type, facts.tmdb_id, facts.id.tmdb_id) == ("SHOW", 70523, None)
    assert replace(HEAT, link="tt0113277").facts().imdb_id == "tt0113277"


def test_two_ids_are_never_one_title() -> None:
    known = replace(HEAT, link="tt0113277").facts()
    assert HEAT.is_same(known)
    assert replace(HEAT, link="tt0113277").is_same(known)
    assert not replace(HEAT, link="tt0093164").is_same(known)
    assert not replace(HEAT, year=1986).is_same(known)


@pytest.mark.parametrize(
    "wanted, field",
    [
        (MissingTitle(), "title"),
        (MissingTitle(title="Heat", link="somewhere"), "link"),
        (MissingTitle(link="tt0113277"), "title"),
        (MissingTitle(title="tt0113277"), "title"),
        (MissingTitle(title="Heat", year=12), "year"),
        (MissingTitle(title="x" * 201), "title"),
    ],
)
def test_what_is_wrong_is_said(wanted: MissingTitle, field: str) -> None:
    with pytest.raises(InvalidField) as refused:
        wanted.facts()
    assert refused.value.field == field
