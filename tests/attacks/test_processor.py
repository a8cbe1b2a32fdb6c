"""Whoever asks for what is dear waits; other addresses, accounts and the health do not."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from commonroom.http.calendar_files import CALENDAR_FILES
from tests.attacks.guessing import ask
from tests.attacks.processor import (
    BATCH,
    api_documents,
    calendar_files,
    dear_requests,
    keep_asking,
)
from tests.support.server import Server, serving

pytestmark = pytest.mark.slow  # real time must pass

HOST = "127.0.0.1"
OWNER = {"email": "owner@example.org", "display_name": "Owner", "password": "a lamp in the hall"}


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    """A server behind a proxy, where everybody has the least of the processor: 0.1 s at once."""
    settings = {"COMMONROOM_TRUSTED_PROXIES": HOST, "COMMONROOM_PROCESSOR_SHARE": "1"}
    with serving(tmp_path / "data", **settings) as running:
        assert ask(HOST, running.port, "/setup", OWNER)[0] == 201
        yield running


async def test_the_dearest_requests_of_one_address_wait_and_nobody_else_does(
    server: Server,
) -> None:
    figures = await dear_requests(HOST, server.port, OWNER, waves=1)
    assert figures["told to wait"] > 0
    assert figures["answered"] + figures["told to wait"] == BATCH
    assert figures["for at least seconds"] > 0
    assert figures["pages of others"] == {200: 10}
    assert figures["of the owner behind the same address"] == {200: 10}
    assert figures["/health/live"] == {200: 10}


async def test_the_dearest_many_times_a_second_from_one_address_hold_no_other_up(
    server: Server,
) -> None:
    figures = await keep_asking(HOST, server.port, each_second=100, seconds=3)
    assert figures["asked"] == figures["answered"] + figures["told to wait"] == 300
    assert figures["told to wait"] > 0, "its share is a hundredth of a processor"
    assert figures["another address’s page"] == {200: 12}, "nobody else waits or is refused"


def test_the_api_s_documents_are_compressed_and_known_again(server: Server) -> None:
    figures = api_documents(HOST, server.port, lambda: 0.0, number=20)
    for path in ("/docs", "/openapi.json"):
        assert figures[path]["answered"] == {200: 20}
        assert figures[path]["bytes sent"] < 200_000
        assert figures[path]["known to the browser"] == 304


def test_calendar_files_are_small_and_come_to_an_end_for_one_address(server: Server) -> None:
    burst = CALENDAR_FILES.guest.burst
    figures = calendar_files(HOST, server.port, number=2 * burst)
    assert burst <= figures["given"] < 2 * burst
    assert figures["told to wait"] == 2 * burst - figures["given"]
    assert figures["largest bytes"] < 50_000
