"""Every operation of shareables with everything that somebody may hold, compared with the table in
this folder; and no reply says more than it may.

`tests.support.who_may` says how to print it anew.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from commonroom.shareables.api import shareables_api
from commonroom.shareables.errors import NeedsPasscode
from tests.shareables.api.walking import (
    CHANGED,
    COLUMNS,
    KINDS,
    SIGNED_IN,
    V1,
    Told,
    Walk,
    walk,
)
from tests.shareables.furniture import ADMIN, VIEW
from tests.support.who_may import WhoMay, routes_of, yes_or_status

SHUT_TO = ("nobody", "old view", "old admin", "other page", "altered", "past:nobody")
"""To whom a page with passcodes says nothing of itself."""


@pytest.fixture
async def here(tmp_path: Path) -> AsyncIterator[Walk]:
    """A house to ask at."""
    async with walk(tmp_path) as made:
        yield made


TABLE = WhoMay(
    Path(__file__).with_name("who_may.txt"),
    callers=list(COLUMNS),
    routes=routes_of([shareables_api()], below=V1),
    house=walk,
    cell=lambda told: yes_or_status(told.answer),
)


def test_the_table_has_every_operation() -> None:
    TABLE.check_nothing_is_missing()


@TABLE.each_route
async def test_an_operation_answers_as_the_table_says_and_no_reply_says_too_much(
    here: Walk, method: str, path: str
) -> None:
    told = await TABLE.ask_everybody(here, method, path)
    for one in told.values():
        check_no_secret(one)
    shut = [told[name].answer for name in SHUT_TO]
    for answer in shut:
        if not answer.is_success:
            check_nothing_of_a_page(answer.text)
    if "{short_id}" in path and not path.endswith(("/passes", *SIGNED_IN)):
        usual = (await here.ask("nobody", "GET", "/shareables/{short_id}")).answer.text
        assert NeedsPasscode.title in usual
        assert {answer.text for answer in shut} == {usual}, "whatever it is, and whatever is asked"


@pytest.mark.parametrize("name", SHUT_TO)
async def test_a_page_that_is_shut_says_the_same_of_every_kind(here: Walk, name: str) -> None:
    said = {
        (await here.ask(name, "GET", "/shareables/{short_id}", kind)).answer.text for kind in KINDS
    }
    assert len(said) == 1
    check_nothing_of_a_page(said.pop())


def check_no_secret(told: Told) -> None:
    """Neither a passcode, nor its hash, nor the code of somebody else's answer."""
    said = told.answer.text + str(told.answer.headers)
    hashes = [told.page.view_passcode, told.page.admin_passcode]
    for secret in [VIEW, ADMIN, CHANGED, "argon2", *hashes, *told.codes]:
        assert secret is None or secret not in said


def check_nothing_of_a_page(said: str) -> None:
    """Neither its name nor what kind of page it is."""
    names = [typed.name for typed in KINDS.values()]
    for word in (*KINDS, *names, "rsvp", "vote", "item"):
        assert word.lower() not in said.lower()
