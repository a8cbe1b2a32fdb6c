"""What the doctor says of films and books."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from commonroom.doctor.external_services import examine_films, examine_rooms
from commonroom.joins.findings import Finding
from commonroom.settings import Settings
from tests.support.dynamodb_local import free_port
from tests.support.tmdb import KEY, StandIn, standing_in, status


@pytest.fixture
async def stand_in() -> AsyncIterator[StandIn]:
    """TMDB, as far as Commonroom knows."""
    async with standing_in() as stand_in:
        yield stand_in


async def found(address: str, key: str = KEY) -> Finding:
    """The one thing that is said."""
    (finding,) = await examine_films(Settings(tmdb_key=key, tmdb_address=address))
    assert finding.about == "films"
    assert key not in (finding.detail, finding.repair)
    return finding


async def test_without_a_key_there_is_the_catalogue_and_nobody_is_asked(
    stand_in: StandIn,
) -> None:
    (finding,) = await examine_films(Settings(tmdb_address=stand_in.address))
    assert finding.level == "ok"
    assert "catalogue" in finding.detail
    assert stand_in.asked == []


async def test_tmdb_that_knows_the_key_is_well(stand_in: StandIn) -> None:
    assert (await found(stand_in.address)).level == "ok"
    assert stand_in.paths == ["authentication"]


async def test_a_key_that_tmdb_does_not_know_is_a_problem(stand_in: StandIn) -> None:
    finding = await found(stand_in.address, "wrong")
    assert finding.level == "problem"
    assert "COMMONROOM_TMDB_KEY" in finding.detail
    assert "Read Access Token" in finding.repair


async def test_tmdb_that_does_not_answer_is_a_warning_as_the_catalogue_does(
    stand_in: StandIn,
) -> None:
    stand_in.troubles[""] = status(503)
    for address in (stand_in.address, f"http://127.0.0.1:{free_port()}/3"):
        finding = await found(address)
        assert finding.level == "warning"
        assert "COMMONROOM_TMDB_ADDRESS" in finding.repair


def test_it_says_who_is_asked_for_books() -> None:
    (finding,) = examine_rooms(Settings(open_library_address="https://books.example"))
    assert finding.level == "ok"
    assert "https://books.example" in finding.detail


def test_it_says_that_nobody_is_asked_where_that_is_switched_off() -> None:
    (finding,) = examine_rooms(Settings(book_look_ups=False, covers=False))
    assert "by hand" in finding.detail
    assert "not fetched" in finding.detail


def test_without_the_room_there_is_nothing_to_say() -> None:
    assert examine_rooms(Settings(rooms="movienight")) == []
