"""What attacks on who gets in achieve against a real server."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.attacks.signin import (
    OTHER,
    OWNER,
    STRANGER,
    V1,
    Caller,
    let_somebody_in_with_a_read_token,
    take_over_with_an_admin_token,
    take_the_first_account,
)
from tests.support.server import Server, serving

pytestmark = pytest.mark.slow  # real time must pass

HOST = "127.0.0.1"


def printed_code(server: Server) -> str:
    """The code that the server has printed."""
    assert server.process.stdout is not None
    line = server.process.stdout.readline()
    found = re.search(
        rf"http://127.0.0.1:{server.port}/setup\?code=([0-9a-z]{{5}}-[0-9a-z]{{5}})", line
    )
    assert found, line
    return found[1]


@pytest.mark.parametrize("workers", ["1", "2"])
def test_a_stranger_does_not_take_a_new_house_and_its_owner_does(
    tmp_path: Path, workers: str
) -> None:
    proxied = {"COMMONROOM_WORKERS": workers, "COMMONROOM_TRUSTED_PROXIES": HOST}
    with serving(tmp_path / "data", **proxied) as server:
        code = printed_code(server)
        figures = take_the_first_account(HOST, server.port)
        assert figures == {"guesses": 41, "refused": 21, "told to wait": 20, "accounts taken": 0}
        owner = Caller(HOST, server.port, **{"X-Forwarded-For": "198.51.100.1"})
        assert owner.ask("POST", f"{V1}/setup", OWNER | {"code": code}).status == 201
        late = Caller(HOST, server.port, **STRANGER)
        assert late.ask("POST", f"{V1}/setup", OTHER | {"code": code}).status == 409


def test_tokens_let_nobody_in_and_take_nothing_over(tmp_path: Path) -> None:
    with serving(tmp_path / "data") as server:
        made = Caller(HOST, server.port).ask("POST", f"{V1}/setup", OWNER)
        assert made.status == 201, "whoever sits at the machine needs no code"
        assert let_somebody_in_with_a_read_token(HOST, server.port) == {
            "pages and lists read": 21,
            "lists refused to the read token": 1,
            "secrets seen": 0,
            "doors opened with what is listed": 0,
            "door opened by the link itself": 1,
        }
        assert take_over_with_an_admin_token(HOST, server.port) == {
            "acts tried": 11,
            "refused": 11,
            "done": 0,
        }
