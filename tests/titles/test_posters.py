"""Posters: fetched and kept, or drawn, one for a film wherever it is shown."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from aiohttp import web
from hypothesis import given
from hypothesis import strategies as st

from commonroom.http import assets
from commonroom.joins.rooms import packages
from commonroom.outgoing.address_guard import check_url
from commonroom.outgoing.fetcher import Fetcher
from commonroom.titles.builtin import known_films, known_shows
from commonroom.titles.genres import GENRES
from commonroom.titles.posters import (
    ADDRESS,
    ANY_SCENE,
    LAYOUTS,
    SCENES,
    SHADES,
    Drawing,
    Posters,
    drawing_of,
)
from tests.outgoing.servers import Server, serving

JPEG = b"\xff\xd8\xff\xe0" + b"a picture" * 100
PATH = "/kqjL17yufvn9OVLyXYpvtyrFfak.jpg"


class Pictures:
    """What the stand-in of TMDB's server of pictures answers."""

    def __init__(self) -> None:
        self.body = JPEG
        self.status = 200
        self.content_type = "image/jpeg"
        self.server: Server

    async def __call__(self, request: web.Request) -> web.StreamResponse:
        return web.Response(body=self.body, status=self.status, content_type=self.content_type)


@pytest.fixture
async def pictures() -> AsyncIterator[Pictures]:
    """The stand-in, on loopback."""
    pictures = Pictures()
    async with serving(pictures) as server:
        pictures.server = server
        yield pictures


@pytest.fixture
async def fetcher(pictures: Pictures) -> AsyncIterator[Fetcher]:
    """A fetcher that trusts the stand-in."""
    fetcher = Fetcher([pictures.server.address])
    yield fetcher
    await fetcher.close()


@pytest.fixture
async def posters(pictures: Pictures, fetcher: Fetcher, tmp_path: Path) -> AsyncIterator[Posters]:
    """Posters in a folder of their own."""
    posters = Posters(tmp_path / "posters", fetcher, f"{pictures.server.address}/t/p/w342")
    yield posters
    await posters.close()


async def test_a_poster_is_fetched_once(posters: Posters, pictures: Pictures) -> None:
    for _ in range(3):
        assert await posters.poster(PATH) == JPEG
    assert [one.path for one in pictures.server.asked] == [f"/t/p/w342{PATH}"]


async def test_many_who_want_it_at_once_share_it(posters: Posters, pictures: Pictures) -> None:
    found = await asyncio.gather(*(posters.poster(PATH) for _ in range(10)))
    assert found == [JPEG] * 10
    assert len(pictures.server.asked) == 1


async def test_what_was_kept_is_there_without_anybody(
    posters: Posters, pictures: Pictures, tmp_path: Path
) -> None:
    await posters.poster(PATH)
    alone = Posters(tmp_path / "posters", None)
    assert await alone.poster(PATH) == JPEG
    assert await alone.poster(PATH.replace("k", "K")) is None
    assert len(pictures.server.asked) == 1


@pytest.mark.parametrize(
    "path",
    [
        "",
        "/",
        "/short.jpg",
        "/../../../../etc/passwd",
        "/abcdefgh/../../secrets.jpg",
        "/abcdefgh.svg",
        "/abcdefgh.jpg/x",
        "/abcdefgh.jpg\n",
        "/abcdefgh.jpg?size=9",
        "abcdefgh.jpg",
        "//evil.example/abcdefgh.jpg",
        f"/{'x' * 65}.jpg",
        "/äbcdefgh.jpg",
    ],
)
async def test_what_is_no_path_of_a_poster_is_not_asked_for(
    posters: Posters, pictures: Pictures, tmp_path: Path, path: str
) -> None:
    assert await posters.poster(path) is None
    assert pictures.server.asked == []
    assert not (tmp_path / "posters").exists()


@pytest.mark.parametrize(
    "reply",
    [
        (b"<svg onload='alert(1)'/>", 200, "image/svg+xml"),
        (b"<html>", 200, "text/html"),
        (b"<html>", 200, "image/jpeg"),
        (JPEG, 200, "text/html"),
        (JPEG, 404, "image/jpeg"),
        (JPEG, 302, "image/jpeg"),
        (JPEG, 500, "image/jpeg"),
        (JPEG + b"x" * 500_000, 200, "image/jpeg"),
        (b"", 200, "image/jpeg"),
    ],
    ids=lambda reply: f"{len(reply[0])} bytes {reply[1]} {reply[2]}",
)
async def test_what_is_no_picture_of_a_bearable_size_is_none_and_not_kept(
    posters: Posters, pictures: Pictures, tmp_path: Path, reply: tuple[bytes, int, str]
) -> None:
    pictures.body, pictures.status, pictures.content_type = reply
    assert await posters.poster(PATH) is None
    assert not (tmp_path / "posters").exists()


async def test_a_server_that_fails_is_left_alone(posters: Posters, pictures: Pictures) -> None:
    pictures.status = 500
    for number in range(10):
        assert await posters.poster(f"/poster{number:04}.jpg") is None
    assert len(pictures.server.asked) == 3


async def test_one_that_only_has_no_good_picture_is_not(
    posters: Posters, pictures: Pictures
) -> None:
    for pictures.content_type, pictures.status in (("text/html", 200), ("image/jpeg", 404)):
        for number in range(5):
            assert await posters.poster(f"/poster{number:04}.jpg") is None
    assert len(pictures.server.asked) == 10


async def test_where_nothing_can_be_kept_it_is_shown_all_the_same(
    pictures: Pictures, fetcher: Fetcher, tmp_path: Path
) -> None:
    (tmp_path / "posters").write_bytes(b"in the way")
    posters = Posters(tmp_path / "posters", fetcher, pictures.server.address)
    assert await posters.poster(PATH) == JPEG


def test_they_come_from_where_the_fetcher_goes_without_being_told_to_trust_anybody() -> None:
    assert check_url(f"{ADDRESS}{PATH}", ()).host == "image.tmdb.org"


SPRITE = assets.assets(packages(()))["posters.svg"].content.decode()
STYLE = assets.assets(packages(()))["components.css"].content.decode()
DRAWN = set(re.findall(r'<symbol id="([\w-]+)"', SPRITE))


def look(drawing: Drawing) -> tuple[str, int, int]:
    """What one sees of a drawing beside the title."""
    return drawing.scene, drawing.shade, drawing.layout


def test_every_scene_is_drawn_and_has_colours() -> None:
    assert {scene for some in SCENES.values() for scene in some} | {*ANY_SCENE} == DRAWN
    assert set(SCENES) <= set(GENRES)
    coloured = set(re.findall(r"\.poster-([a-z]+) \{ --hue", STYLE))
    assert coloured == {scene.partition("-")[0] for scene in DRAWN}
    # The first of each looks as drawn.
    assert all(f".shade-{shade}" in STYLE for shade in SHADES[1:])
    layouts = [layout for some in LAYOUTS.values() for layout in some]
    assert all(f".poster.layout-{layout}" in STYLE for layout in layouts[1:])


KNOWN = (*known_films(), *known_shows())


def test_no_two_titles_of_the_catalogue_look_the_same_whoever_their_neighbours_are() -> None:
    titles = {(one.title, one.content_type) for one in KNOWN}
    assert len({look(drawing_of(*title)) for title in titles}) == len(titles)


def test_a_title_of_the_catalogue_is_drawn_by_its_genres() -> None:
    fitting = [
        drawing_of(one.title, one.content_type).scene
        in {scene for genre in one.genres for scene in SCENES.get(genre, ())}
        for one in KNOWN
    ]
    # A genre that many titles have runs out of looks in the end.
    assert sum(fitting) > 0.98 * len(fitting)


def test_a_show_looks_like_one_also_where_a_film_has_its_name() -> None:
    film, show = drawing_of("Fargo"), drawing_of("Fargo", "SHOW")
    assert film.layout in LAYOUTS["MOVIE"]
    assert show.layout in LAYOUTS["SHOW"]


@pytest.mark.parametrize("written", ["WALL-E", "Wall E", " wall·e "])
def test_a_film_is_known_however_its_title_is_written(written: str) -> None:
    assert look(drawing_of(written)) == look(drawing_of("WALL·E"))


@given(title=st.text(max_size=60))
def test_there_is_one_whatever_a_film_is_called(title: str) -> None:
    drawing = drawing_of(title)
    assert drawing.scene in DRAWN
    assert drawing.scene.startswith(drawing.colour)
    assert drawing == drawing_of(title)


@pytest.mark.parametrize(
    "title,lettering",
    [
        ("Up", "large"),
        ("Toy Story", "large"),
        ("Paddington 2", "middle"),
        ("Ratatouille", "small"),
        ("The Lord of the Rings: The Fellowship of the Ring", "tiny"),
        ("Supercalifragilisticexpialidocious", "tiny"),
    ],
)
def test_it_has_letters_that_its_title_fits_in(title: str, lettering: str) -> None:
    assert drawing_of(title).lettering == lettering
