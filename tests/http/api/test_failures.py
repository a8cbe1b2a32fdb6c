"""What strangers learn of a failure of ours: that there was one, and nothing of what is inside."""

from __future__ import annotations

import logging

import msgspec
import pytest

from commonroom.http.access import Need
from commonroom.http.routes import get
from commonroom.store import Store
from commonroom.store.errors import CorruptFile, Unavailable
from tests.accounts.api.calling import Calling, api, problem

SECRET = "/srv/house/commonroom.db"
FAILURES = {
    "store": (Unavailable(f"{SECRET} is locked."), 503),
    "file": (CorruptFile(f"{SECRET} is damaged."), 503),
    "library": (msgspec.MsgspecError(f"no {SECRET}"), 500),
    "mistake": (KeyError(SECRET), 500),
}


@get("/fail/{how:str}", Need.ANYONE)
async def fail(how: str) -> None:
    """Fails in one of several ways."""
    raise FAILURES[how][0]


@pytest.mark.parametrize("how", FAILURES)
@pytest.mark.parametrize("accept", ["application/json", "text/html"])
async def test_it_is_told_to_the_log_alone(
    calling: Calling, store: Store, caplog: pytest.LogCaptureFixture, how: str, accept: str
) -> None:
    calling.app = api(store, fail)
    guest = await calling.guest()
    with caplog.at_level(logging.ERROR):
        answer = await guest.get(f"/fail/{how}", headers={"accept": accept})
    assert answer.status_code == FAILURES[how][1]
    assert SECRET not in answer.text
    assert SECRET in caplog.text
    if accept == "application/json":
        problem(answer, FAILURES[how][1])
