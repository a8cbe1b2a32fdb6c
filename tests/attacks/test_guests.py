"""Guests who try to fill the disk do not get far; with small counts, against a real server."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.attacks.guests import answer_flood, far_events, page_flood, storage_flood, tick_flood
from tests.support.server import Server, serving

pytestmark = pytest.mark.slow  # real time must pass

HOST = "127.0.0.1"


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    """A small house."""
    few = {"COMMONROOM_GUEST_STORAGE_MB": "10", "COMMONROOM_GUEST_PAGES_PER_DAY": "50"}
    with serving(tmp_path / "data", **few) as running:
        yield running


async def test_a_tick_on_the_largest_list_writes_little(server: Server, tmp_path: Path) -> None:
    figures = await tick_flood(HOST, server.port, tmp_path / "data" / "commonroom.db", ticks=60)
    assert figures["stored"] == 60
    assert figures["page_bytes"] > 150_000
    # The log takes whole pages of 4 KB, whatever changes in them; what stays is a tick's few words.
    assert figures["written_per_tick"] < figures["page_bytes"] / 3
    assert figures["kept_per_tick"] < 2000


async def test_pages_come_to_an_end_for_one_address(server: Server) -> None:
    figures = await page_flood(HOST, server.port, pages=55)
    assert figures["made_before_429"] == 50
    assert figures["refused_429"] == 5


async def test_pages_come_to_an_end_when_there_is_no_room(server: Server) -> None:
    figures = await storage_flood(HOST, server.port, pages=45)
    assert 20 < figures["made"] < 36
    assert figures["refused_507"] == 45 - figures["made"]


async def test_answers_to_a_large_page_come_to_an_end(server: Server) -> None:
    figures = await answer_flood(HOST, server.port, answers=60)
    assert 0 < figures["stored"] < 50
    assert figures["refused_429"] == 60 - figures["stored"]
    assert figures["others"] == 0


def test_no_event_of_a_guest_stays_for_years_and_none_that_is_over_takes_answers(
    server: Server,
) -> None:
    figures = far_events(HOST, server.port)
    assert figures == {
        "until 2999": 422,
        "for five years": 422,
        "for a year": 201,
        "over": 201,
        "an answer to one that is over": 409,
    }
