"""Items as pages show them, and the covers that are drawn for them."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from datetime import UTC, date, datetime
from importlib.resources import files
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from commonroom.accounts.tables import User
from commonroom.library.pages.cards import (
    BOOK_MOTIFS,
    TONES,
    BookCover,
    card_of,
    due_day,
    tone_of,
)
from commonroom.library.tables import Book, Video
from commonroom.outgoing.caches import PictureCache
from commonroom.outgoing.pictures import PictureNames, file_name
from commonroom.settings import Settings
from commonroom.titles.fetched_pictures import TRANSPARENT
from commonroom.titles.posters import drawing_of
from tests.house.whole import Whole, whole
from tests.outgoing.example_pictures import drawn, written

STATIC = Path(str(files("commonroom.library") / "static" / "library"))
TEMPLATES = Path(str(files("commonroom.library") / "templates"))

PLACE: dict[str, Any] = {"owner_id": "O", "library_id": "L", "account_id": "a"}
EMMA = Book(**PLACE, item_id="I", title="Emma", authors=["Jane Austen"])
ALIEN = Video(**PLACE, item_id="I", title="Alien", directors=["Ridley Scott"], release_year=1979)


def symbols(sprite: str) -> set[str]:
    """The drawings in a file."""
    return set(re.findall(r'<symbol id="([^"]+)"', (STATIC / sprite).read_text()))


def cover(book: Book) -> BookCover:
    """The cover that is drawn for a book."""
    drawing = card_of(book).drawing
    assert isinstance(drawing, BookCover)
    return drawing


def test_everything_that_covers_are_drawn_with_is_there() -> None:
    assert symbols("covers.svg") == set(BOOK_MOTIFS)
    style = (STATIC / "library.css").read_text()
    assert all(f".tone-{tone} " in style for tone in range(TONES))


def test_every_icon_that_a_template_names_is_drawn() -> None:
    named = {
        name
        for template in TEMPLATES.rglob("*.html")
        for name in re.findall(r'icon\("library/([^"]+)"\)', template.read_text())
    }
    assert named <= symbols("icons.svg")


def test_an_item_always_looks_the_same_and_like_its_collection() -> None:
    one, other = [replace(EMMA, item_id=id_, collection_id="C") for id_ in ("1", "2")]
    assert cover(one).tone == cover(other).tone == tone_of("C")
    assert cover(one).layout == cover(other).layout
    assert cover(one).motif == cover(replace(one, title="Other")).motif


def test_each_of_a_collection_has_a_drawing_of_its_own() -> None:
    places = range(1, len(BOOK_MOTIFS) + 1)
    row = [cover(replace(EMMA, collection_id="C", order=order)) for order in places]
    assert len({one.motif for one in row}) == len(BOOK_MOTIFS)


def test_a_film_has_the_drawing_that_it_has_in_every_room() -> None:
    assert card_of(ALIEN).drawing == drawing_of("Alien")


@pytest.mark.parametrize(
    "title, lettering",
    [
        ("Emma", "large"),
        ("The Hobbit", "large"),
        ("Pride and Prejudice", "middle"),
        ("Frankenstein", "small"),
        ("The Strange Case of Dr Jekyll and Mr Hyde", "small"),
        ("Donaudampfschifffahrtsgesellschaft", "tiny"),
        ("x" * 100, "tiny"),
    ],
)
def test_long_titles_are_drawn_smaller(title: str, lettering: str) -> None:
    assert cover(replace(EMMA, title=title)).lettering == lettering


def test_what_is_said_in_a_line_is_what_is_known() -> None:
    assert card_of(EMMA).facts == ["Jane Austen"]
    assert card_of(replace(EMMA, authors=[])).facts == []
    assert card_of(ALIEN).facts == ["Ridley Scott", "1979"]
    assert card_of(replace(ALIEN, duration=117)).facts == ["Ridley Scott", "1979", "1 h 57 min"]
    assert card_of(replace(ALIEN, duration=0)).length == ""


@pytest.mark.parametrize(
    "names, said",
    [
        ([], ""),
        (["A"], "A"),
        (["A", "B"], "A and B"),
        (["A", "B", "C"], "A, B and C"),
        (["A", "B", "C", "D"], "A, B and others"),
    ],
)
def test_who_made_it_is_said_shortly(names: list[str], said: str) -> None:
    assert card_of(replace(EMMA, authors=names)).by == said


def test_lengths_are_said_as_one_says_them() -> None:
    for minutes, said in ((45, "45 min"), (60, "1 h"), (125, "2 h 5 min")):
        assert card_of(replace(ALIEN, duration=minutes)).length == said


ADDRESS = "https://pictures.example/hobbit.jpg"


WEBP = written(drawn(240, 360), "WEBP")


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[Whole]:
    """A house in which Ada lives."""
    async with whole(tmp_path) as house:
        yield house


@pytest.fixture
def kept(tmp_path: Path) -> str:
    """The name of a cover that was fetched before."""
    PictureCache(tmp_path / "covers").put(file_name(ADDRESS, "small"), WEBP)
    return PictureNames(Settings(data=tmp_path)).name(ADDRESS)


class TestACover:
    async def test_a_guest_sees_none(self, house: Whole, kept: str) -> None:
        guest = await house.guest()
        answer = await guest.get(f"/library/covers/small/{kept}")
        assert answer.status_code in (303, 401)
        assert WEBP not in answer.content

    async def test_one_that_is_kept_is_shown_and_may_be_kept_by_the_browser(
        self, house: Whole, kept: str
    ) -> None:
        ada = await house.browser()
        answer = await ada.get(f"/library/covers/small/{kept}")
        assert (answer.status_code, answer.content) == (200, WEBP)
        assert answer.headers["content-type"] == "image/webp"
        assert "private" in answer.headers["cache-control"]
        assert "max-age=604800" in answer.headers["cache-control"]
        assert answer.headers["x-content-type-options"] == "nosniff"

    @pytest.mark.parametrize("where", ["small/nonsense", "huge/{}", "small/{}x"])
    async def test_what_was_not_given_here_is_not_there(
        self, house: Whole, kept: str, where: str
    ) -> None:
        ada = await house.browser()
        answer = await ada.get(f"/library/covers/{where.format(kept)}")
        assert (answer.status_code, answer.content) == (404, TRANSPARENT)
        assert answer.headers["cache-control"] == "private, max-age=60"

    async def test_names_of_another_house_lead_nowhere(
        self, house: Whole, kept: str, tmp_path: Path
    ) -> None:
        ada = await house.browser()
        other = PictureNames(Settings(data=tmp_path, secret_key="another house " * 3)).name(ADDRESS)
        assert other != kept
        assert (await ada.get(f"/library/covers/small/{other}")).status_code == 404


DAYS = st.dates(date(2000, 1, 1), date(2099, 1, 1))


def living_in(zone: str | None) -> User:
    """Somebody who lives somewhere."""
    return User(user_id="u-1", display_name="Ada", created_at="", time_zone=zone)


def noon(day: date) -> float:
    """The middle of a day in London."""
    return datetime(day.year, day.month, day.day, 12, tzinfo=UTC).timestamp()


class TestADueDay:
    @pytest.mark.parametrize(
        "due, words",
        [
            ("2026-04-28", "3 days overdue"),
            ("2026-04-30", "1 day overdue"),
            ("2026-05-01", "due today"),
            ("2026-05-02", "due tomorrow"),
            ("2026-05-06", "due in 5 days"),
        ],
    )
    def test_when_it_should_be_back(self, due: str, words: str) -> None:
        shown = due_day(due, noon(date(2026, 5, 1)), living_in("Europe/London"))
        assert shown is not None
        assert shown.words == words
        assert shown.is_overdue is words.endswith("overdue")

    @given(DAYS, st.sampled_from(["Pacific/Auckland", "Pacific/Kiritimati", "America/Adak", None]))
    def test_its_moment_is_on_that_day_wherever_one_lives(
        self, day: date, zone: str | None
    ) -> None:
        shown = due_day(day.isoformat(), noon(date(2026, 5, 1)), living_in(zone))
        assert shown is not None
        there = ZoneInfo(zone) if zone else UTC
        assert datetime.fromtimestamp(shown.moment, there).date() == day

    def test_without_a_date_there_is_nothing_to_say(self) -> None:
        assert due_day(None, 0, living_in(None)) is None
