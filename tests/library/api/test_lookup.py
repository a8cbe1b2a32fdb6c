"""Look-ups for programs."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from commonroom.library.service.lookup import LOOK_UPS
from commonroom.settings import Settings
from commonroom.store import Store
from tests.support.application import application
from tests.support.open_library import HOBBIT, TROUBLES, OpenLibraryStandIn, standing_in
from tests.web.api.calling import Calling, Client, first

BOOKS, FILMS = "/api/v1/look-ups/books", "/api/v1/look-ups/films"


@pytest.fixture
async def stand_in() -> AsyncIterator[OpenLibraryStandIn]:
    """Open Library, as far as the house knows."""
    async with standing_in() as stand_in:
        stand_in.add_hobbit()
        yield stand_in


@pytest.fixture
def settings(tmp_path: Path, stand_in: OpenLibraryStandIn) -> Settings:
    """A house that asks the stand-in."""
    return Settings(data=tmp_path, open_library_address=stand_in.address)


@pytest.fixture
async def calling(store: Store, settings: Settings) -> AsyncIterator[Calling]:
    """Everybody who calls that house."""
    app = application(store, settings)
    async with AsyncExitStack() as stack:
        yield Calling(app, store, stack)
        for part in app.state.resources:
            await part.close()


@pytest.fixture
async def ann(calling: Calling) -> Client:
    """Ann's program."""
    return await calling.program(await first(calling.store, "Ann"), "read")


async def test_a_guest_is_asked_who_they_are(guest: Client) -> None:
    assert (await guest.get(f"{BOOKS}/{HOBBIT}")).status_code == 401
    assert (await guest.get(FILMS, params={"title": "Alien"})).status_code == 401


async def test_a_book_is_offered(ann: Client) -> None:
    answer = await ann.get(f"{BOOKS}/978-0-261-10328-3")
    assert answer.status_code == 200
    assert answer.json() == {
        "offers": [
            {
                "title": "The Hobbit: or There and Back Again",
                "authors": ["J.R.R. Tolkien"],
                "summary": "A burglar.",
                "isbn": HOBBIT,
                "picture_url": "https://covers.openlibrary.org/b/id/1-L.jpg",
                "source": "open_library",
            }
        ],
        "unanswered": [],
    }


async def test_where_open_library_is_down_that_is_an_answer_too(
    ann: Client, stand_in: OpenLibraryStandIn
) -> None:
    stand_in.troubles[""] = TROUBLES["fails"](stand_in)
    answer = await ann.get(f"{BOOKS}/{HOBBIT}")
    assert (answer.status_code, answer.json()) == (
        200,
        {"offers": [], "unanswered": ["open_library"]},
    )


async def test_what_is_no_isbn_is_422_and_names_the_field(
    ann: Client, stand_in: OpenLibraryStandIn
) -> None:
    answer = await ann.get(f"{BOOKS}/9780261103284")
    assert (answer.status_code, answer.json()["field"]) == (422, "isbn")
    assert stand_in.asked == []


async def test_a_film_is_offered_by_its_title(ann: Client) -> None:
    answer = await ann.get(FILMS, params={"title": "the godfather"})
    first_offer = answer.json()["offers"][0]
    assert (first_offer["title"], first_offer["tmdb_id"]) == ("The Godfather", 238)
    assert first_offer["source"] == "catalogue"


async def test_a_title_must_be_given(ann: Client) -> None:
    assert (await ann.get(FILMS)).status_code == 400
    assert (await ann.get(FILMS, params={"title": ""})).status_code in (400, 422)


async def test_too_many_are_429_with_the_time_to_wait(ann: Client) -> None:
    for _ in range(LOOK_UPS.tries):
        assert (await ann.get(FILMS, params={"title": "x"})).status_code == 200
    refused = await ann.get(FILMS, params={"title": "x"})
    assert refused.status_code == 429
    assert 0 < int(refused.headers["retry-after"]) <= LOOK_UPS.seconds


class TestSwitchedOff:
    @pytest.fixture
    def settings(self, tmp_path: Path, stand_in: OpenLibraryStandIn) -> Settings:
        """A house that asks nobody."""
        address = stand_in.address
        return Settings(data=tmp_path, open_library_address=address, book_look_ups=False)

    async def test_books_are_404_and_nobody_is_asked(
        self, ann: Client, stand_in: OpenLibraryStandIn
    ) -> None:
        answer = await ann.get(f"{BOOKS}/{HOBBIT}")
        assert answer.status_code == 404
        assert "turned off" in answer.json()["detail"]
        assert stand_in.asked == []
