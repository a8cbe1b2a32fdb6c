"""What guessing achieves against a real server, and in hours of trying."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from commonroom.accounts.service.throttle import SIGN_IN, SIGN_UP_TAKEN_FROM_ADDRESS
from commonroom.shareables.service.passcodes import PASSCODES
from tests.attacks.guessing import (
    ask,
    find_out_who_is_here,
    guess_a_passcode,
    guesses_let_through,
    lock_an_owner_out,
    of_one_customer,
    of_one_home,
)
from tests.support.fork_server import ForkedProcess
from tests.support.server import Server, serving

pytestmark = pytest.mark.slow  # real time must pass

HOST = "127.0.0.1"
OWNER = {"email": "owner@example.org", "display_name": "Owner", "password": "a lamp in the hall"}


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    """A server behind a proxy, in which everybody may sign up, and its owner."""
    settings = {"COMMONROOM_TRUSTED_PROXIES": HOST, "COMMONROOM_SIGN_UP": "open"}
    with serving(tmp_path / "data", **settings) as running:
        assert ask(HOST, running.port, "/setup", OWNER)[0] == 201
        yield running


def written(process: subprocess.Popen[str] | ForkedProcess) -> list[str]:
    """What a server that was ended has written."""
    process.terminate()
    return process.communicate(timeout=60)[0].splitlines()


def test_an_owner_is_not_locked_out_by_whoever_guesses(server: Server) -> None:
    figures = lock_an_owner_out(HOST, server.port, OWNER)
    network, around = SIGN_IN.from_network, SIGN_IN.from_neighbourhood
    # A wait may have passed on a slow machine.
    assert network.tries + around.tries <= figures["looked at"] <= network.most + around.most
    assert figures["looked at"] + figures["told to wait"] == figures["guesses"]
    assert figures["owner on a known device"] == 201
    assert figures["owner at a new address"] == 201

    failed = [line for line in written(server.process) if "sign-in failed" in line]
    assert failed
    assert all(
        line.startswith("WARNING sign-in failed by=password address=2001:") for line in failed
    )


def test_a_right_passcode_gets_in_while_others_guess(server: Server) -> None:
    figures = guess_a_passcode(HOST, server.port)
    network, around = PASSCODES.from_network, PASSCODES.from_neighbourhood
    assert network.tries + around.tries <= figures["looked at"] <= network.most + around.most
    assert figures["right one from a new address"] == 201


def test_who_has_an_account_is_told_a_few_times(server: Server) -> None:
    figures = find_out_who_is_here(HOST, server.port, OWNER["email"])
    assert figures["told"] == SIGN_UP_TAKEN_FROM_ADDRESS.tries
    assert figures["told"] + figures["told to wait"] == figures["tries"]


async def test_hours_of_guessing_from_one_home_are_four_guesses_an_hour(tmp_path: Path) -> None:
    figures = await guesses_let_through(tmp_path, PASSCODES, of_one_home(3), hours=6)
    assert figures["first hour"] <= PASSCODES.from_network.most + 4
    assert 3 <= figures["last hour"] <= 5


async def test_hours_of_guessing_with_all_networks_of_a_customer_are_no_more(
    tmp_path: Path,
) -> None:
    figures = await guesses_let_through(tmp_path, PASSCODES, of_one_customer(20), hours=6)
    assert figures["first hour"] <= PASSCODES.from_neighbourhood.most + 4
    assert 3 <= figures["last hour"] <= 5
