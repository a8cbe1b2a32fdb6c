"""Every operation of shareables with everything that somebody may hold, compared with the table in
this folder; and no reply says more than it may.

`python -m tests.shareables.api.test_who_may` prints the table as it is; read every line of it
before you put it into `who_may.txt`.
"""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import AsyncIterator, Iterable
from pathlib import Path

import pytest

from commonroom.shareables.errors import NeedsPasscode
from tests.shareables.api.walking import (
    CHANGED,
    KINDS,
    SIGNED_IN,
    Asked,
    Told,
    Walk,
    operations,
    walk,
)
from tests.shareables.furniture import ADMIN, VIEW

TABLE = Path(__file__).with_name("who_may.txt")

COLUMNS = {
    "nobody": Asked(protected=True, held="nothing"),
    "view": Asked(protected=True, held="view"),
    "admin": Asked(protected=True, held="admin"),
    "creator": Asked(protected=True, held="creator's"),
    "account": Asked(protected=True, held="account"),
    "reader": Asked(protected=True, held="read token"),
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
passcodes. `reader` is the creator's account with a token that may only read, `altered` a view
token that was changed to say something else."""
SHUT_TO = ("nobody", "old view", "old admin", "other page", "altered", "past:nobody")
"""To whom a page with passcodes says nothing of itself."""


@pytest.fixture
async def here(tmp_path: Path) -> AsyncIterator[Walk]:
    """A house to ask at."""
    async with walk(tmp_path) as made:
        yield made


async def walked(here: Walk) -> dict[tuple[str, str], dict[str, Told]]:
    """Every operation, with whatever can be held."""
    return {
        (method, path): {
            name: await here.ask(asked, method, path) for name, asked in COLUMNS.items()
        }
        for method, path in operations()
    }


def table(told: dict[tuple[str, str], dict[str, Told]]) -> list[str]:
    """The whole table, a line for each operation."""
    lines = [_line("", "", COLUMNS)]
    for (method, path), row in told.items():
        lines.append(_line(method, path, (one.cell for one in row.values())))
    return lines


def _line(method: str, path: str, cells: Iterable[str]) -> str:
    return f"{method:<7} {path:<44}{''.join(f'{cell:<13}' for cell in cells)}".rstrip()


async def test_every_operation_answers_as_the_table_says_and_no_reply_says_too_much(
    here: Walk,
) -> None:
    told = await walked(here)
    assert table(told) == TABLE.read_text().splitlines()
    for row in told.values():
        for one in row.values():
            check_no_secret(one)
        for name in SHUT_TO:
            if not row[name].answer.is_success:
                check_nothing_of_a_page(row[name].answer.text)
    refused = [
        row[name].answer.text
        for (_, path), row in told.items()
        if "{short_id}" in path and not path.endswith(("/passes", *SIGNED_IN))
        for name in SHUT_TO
    ]
    assert len(set(refused)) == 1, "whatever it is, and whatever is asked"
    assert NeedsPasscode.title in refused[0]


@pytest.mark.parametrize("name", SHUT_TO)
async def test_a_page_that_is_shut_says_the_same_of_every_kind(here: Walk, name: str) -> None:
    said = {
        (await here.ask(COLUMNS[name], "GET", "/shareables/{short_id}", kind)).answer.text
        for kind in KINDS
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


if __name__ == "__main__":

    async def printed() -> None:
        with tempfile.TemporaryDirectory() as somewhere:
            async with walk(Path(somewhere)) as here:
                print("\n".join(table(await walked(here))))

    asyncio.run(printed())
