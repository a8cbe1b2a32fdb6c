"""Every page of the room with everything that somebody may hold, compared with the table in this
folder; and no reply says more than it may.

`python -m tests.shareables.pages.test_who_may` prints the table as it is; read every line of it
before you put it into `who_may.txt`.
"""

from __future__ import annotations

import asyncio
import re
import tempfile
from collections.abc import AsyncIterator, Iterable
from pathlib import Path

import pytest

from tests.shareables.api.test_who_may import check_no_secret, check_nothing_of_a_page
from tests.shareables.api.walking import KINDS, Asked, Told
from tests.shareables.pages.walking import PageWalk, pages, walk

TABLE = Path(__file__).with_name("who_may.txt")

COLUMNS = {
    "nobody": Asked(protected=True, held="nothing"),
    "view": Asked(protected=True, held="view"),
    "as admin": Asked(protected=True, held="view, as admin"),
    "admin": Asked(protected=True, held="admin"),
    "creator": Asked(protected=True, held="creator's"),
    "account": Asked(protected=True, held="account"),
    "old view": Asked(protected=True, held="old view"),
    "old admin": Asked(protected=True, held="old admin"),
    "other page": Asked(protected=True, held="another page's"),
    "altered": Asked(protected=True, held="view, altered"),
    "past:nobody": Asked(protected=True, held="nothing", expired=True),
    "past:view": Asked(protected=True, held="view", expired=True),
    "past:admin": Asked(protected=True, held="admin", expired=True),
    "open:nobody": Asked(protected=False, held="nothing"),
    "open:other": Asked(protected=False, held="another page's"),
    "open:creator": Asked(protected=False, held="creator's"),
    "open:past": Asked(protected=False, held="nothing", expired=True),
}
"""What is held at a page with both passcodes; `past` is one whose time is over, `open` one without
passcodes. `as admin` is a view pass that is shown as an admin's, `altered` one that was changed."""
SHUT_TO = ("nobody", "old view", "old admin", "other page", "altered", "past:nobody")
"""To whom a page with passcodes says nothing of itself."""
NOT_ASKED = ("/passcode", "/keep", "/drop", "/claim", "/recover/{token}")
"""Where something else is said than that a passcode is needed."""


@pytest.fixture
async def here(tmp_path: Path) -> AsyncIterator[PageWalk]:
    """A house to ask at."""
    async with walk(tmp_path) as made:
        yield made


async def walked(here: PageWalk) -> dict[tuple[str, str], dict[str, Told]]:
    """Every page, with whatever can be held."""
    return {
        (method, path): {
            name: await here.ask(asked, method, path) for name, asked in COLUMNS.items()
        }
        for method, path in pages()
    }


def table(told: dict[tuple[str, str], dict[str, Told]]) -> list[str]:
    """The whole table, a line for each page."""
    lines = [_line("", "", COLUMNS)]
    for (method, path), row in told.items():
        lines.append(_line(method, path, (cell(one) for one in row.values())))
    return lines


def cell(told: Told) -> str:
    """`yes`, where it leads on to, or the status of the refusal."""
    answer = told.answer
    if answer.is_redirect:
        leads = answer.headers["location"].partition(told.page.short_id.upper())[2]
        return f"to {leads or 'page'}" if "/s/" in answer.headers["location"] else "to list"
    return "yes" if answer.is_success else str(answer.status_code)


def _line(method: str, path: str, cells: Iterable[str]) -> str:
    return f"{method:<5} {path:<46}{''.join(f'{one:<13}' for one in cells)}".rstrip()


async def test_every_page_answers_as_the_table_says_and_no_reply_says_too_much(
    here: PageWalk,
) -> None:
    told = await walked(here)
    assert table(told) == TABLE.read_text().splitlines()
    for row in told.values():
        for one in row.values():
            check_no_secret(one)
            assert one.answer.headers["x-robots-tag"] == "noindex, nofollow"
        for name in SHUT_TO:
            check_nothing_of_a_page(without_the_house(without_its_address(row[name])))
    refused = [
        without_its_address(row[name])
        for (_, path), row in told.items()
        if not path.endswith(NOT_ASKED)
        for name in SHUT_TO
        if not row[name].answer.is_redirect
    ]
    assert len(set(refused)) == 1, "whatever it is, and whatever is asked"
    assert "This page needs a passcode" in refused[0]


@pytest.mark.parametrize("name", SHUT_TO)
async def test_a_page_that_is_shut_looks_the_same_whatever_its_kind(
    here: PageWalk, name: str
) -> None:
    told = [await here.ask(COLUMNS[name], "GET", "/s/{short_id}", kind) for kind in KINDS]
    assert len({without_its_address(one) for one in told}) == 1


def without_its_address(told: Told) -> str:
    """What a page says, whichever it is and whatever was asked of it."""
    plain = told.answer.text.replace(told.page.short_id.upper(), "")
    plain = re.sub(r'\s*<div class="notice carried">.*?</div>', "", plain, flags=re.DOTALL)
    return re.sub(r'name="next" value="[^"]*"', "", plain)


def without_the_house(shown: str) -> str:
    """What stands on a page of somebody signed in, without the way through the house."""
    return re.sub(r"<(nav|head)\b.*?</\1>", "", shown, flags=re.DOTALL)


if __name__ == "__main__":

    async def printed() -> None:
        with tempfile.TemporaryDirectory() as somewhere:
            async with walk(Path(somewhere)) as here:
                print("\n".join(table(await walked(here))))

    asyncio.run(printed())
