"""Every page of the room with everything that somebody may hold, compared with the table in this
folder; and no reply says more than it may.

`tests.support.who_may` says how to print it anew.
"""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from commonroom.shareables.pages import shareables_pages
from tests.shareables.api.test_who_may import check_no_secret, check_nothing_of_a_page
from tests.shareables.api.walking import KINDS, Told
from tests.shareables.pages.walking import COLUMNS, PageWalk, walk
from tests.support.who_may import WhoMay, routes_of

SHUT_TO = ("nobody", "old view", "old admin", "other page", "altered", "past:nobody")
"""To whom a page with passcodes says nothing of itself."""
NOT_ASKED = ("/passcode", "/keep", "/drop", "/claim", "/recover/{token}")
"""Where something else is said than that a passcode is needed."""


@pytest.fixture
async def here(tmp_path: Path) -> AsyncIterator[PageWalk]:
    """A house to ask at."""
    async with walk(tmp_path) as made:
        yield made


def cell(told: Told) -> str:
    """`yes`, where it leads on to, or the status of the refusal."""
    answer = told.answer
    if answer.is_redirect:
        leads = answer.headers["location"].partition(told.page.short_id.upper())[2]
        leads = leads.partition("#item-")[0]  # an id that is another one each time
        return f"to {leads or 'page'}" if "/s/" in answer.headers["location"] else "to list"
    return "yes" if answer.is_success else str(answer.status_code)


TABLE = WhoMay(
    Path(__file__).with_name("who_may.txt"),
    callers=list(COLUMNS),
    routes=routes_of([shareables_pages()], below="/s/{short_id}", keep=True),
    house=walk,
    cell=cell,
)


def test_the_table_has_every_page() -> None:
    TABLE.check_nothing_is_missing()


@TABLE.each_route
async def test_a_page_answers_as_the_table_says_and_no_reply_says_too_much(
    here: PageWalk, method: str, path: str
) -> None:
    told = await TABLE.ask_everybody(here, method, path)
    for one in told.values():
        check_no_secret(one)
        assert one.answer.headers["x-robots-tag"] == "noindex, nofollow"
    shut = [told[name] for name in SHUT_TO]
    for one in shut:
        check_nothing_of_a_page(without_the_house(without_its_address(one)))
    refused = {without_its_address(one) for one in shut if not one.answer.is_redirect}
    if refused and not path.endswith(NOT_ASKED):
        usual = without_its_address(await here.ask("nobody", "GET", "/s/{short_id}"))
        assert "This page needs a passcode" in usual
        assert refused == {usual}, "whatever it is, and whatever is asked"


@pytest.mark.parametrize("name", SHUT_TO)
async def test_a_page_that_is_shut_looks_the_same_whatever_its_kind(
    here: PageWalk, name: str
) -> None:
    told = [await here.ask(name, "GET", "/s/{short_id}", kind) for kind in KINDS]
    assert len({without_its_address(one) for one in told}) == 1


def without_its_address(told: Told) -> str:
    """What a page says, whichever it is and whatever was asked of it."""
    plain = told.answer.text.replace(told.page.short_id.upper(), "")
    plain = re.sub(r'\s*<div class="notice carried">.*?</div>', "", plain, flags=re.DOTALL)
    return re.sub(r'name="next" value="[^"]*"', "", plain)


def without_the_house(shown: str) -> str:
    """What stands on a page of somebody signed in, without the way through the house."""
    return re.sub(r"<(nav|head)\b.*?</\1>", "", shown, flags=re.DOTALL)
