"""The history of an item, as bars on one line of time."""

from __future__ import annotations

import re

import httpx
import pytest

from commonroom.accounts.tables import User
from commonroom.library.pages.history import THINNEST, WIDTH, timeline
from commonroom.library.rules.loans import Loan
from commonroom.library.tables import Book, Library
from commonroom.moments import iso
from tests.library.pages.lender import DAY, Lender
from tests.library.pages.site import place
from tests.support.pages import Browser, requests_for, said, text

NOW = 1_800_000_000.0


@pytest.fixture
async def book(lender: Lender) -> Book:
    """A book of Ada's."""
    return await lender.book()


def names(answer: httpx.Response) -> list[str]:
    """Who had it, in order."""
    return re.findall(r'timeline-who"><strong>([^<]+)<', answer.text)


class TestWhoMay:
    async def test_it_is_the_owners_alone(
        self, guest: Browser, bens: Browser, eves: Browser, shared: Library, book: Book
    ) -> None:
        here = f"{place(book)}/history"
        assert (await guest.get(here)).headers["location"] == f"/sign-in?next={here}"
        for browser in (bens, eves):
            assert (await browser.get(here)).status_code == 404
            assert (await browser.send(f"{here}/clear")).status_code == 404


class TestHistory:
    async def test_what_never_left_the_house_says_so(self, adas: Browser, book: Book) -> None:
        assert "Never lent" in text(await adas.get(f"{place(book)}/history"))

    async def test_loans_stand_there_as_pairs_the_newest_first(
        self, adas: Browser, lender: Lender, book: Book
    ) -> None:
        await lender.was_lent(book, "Carl", days=40)
        lender.clock.forward(60)
        await lender.lend(book, "Dora")
        answer = await adas.get(f"{place(book)}/history")
        assert names(answer) == ["Dora", "Carl"]
        shown = text(answer)
        assert re.search(r"Dora has it now less than a day since \d+ \w+ \d{4}", shown)
        assert re.search(r"Carl 5 weeks \d+ \w+ \d{4} to \d+ \w+ \d{4}", shown)

    async def test_what_came_back_late_is_marked(
        self, adas: Browser, lender: Lender, book: Book
    ) -> None:
        await lender.was_lent(book, "Carl", days=40, due="2026-01-01")
        assert "returned late" in text(await adas.get(f"{place(book)}/history"))

    async def test_a_long_one_goes_on(self, adas: Browser, lender: Lender, book: Book) -> None:
        for number in range(12):
            await lender.lend(book, f"Reader {number}")
            await lender.take_back(book)
        first = await adas.get(f"{place(book)}/history")
        more = re.findall(r'href="(\?cursor=[^"]+)"', first.text)
        rest = await adas.get(f"{place(book)}/history{more[0]}")
        assert names(first) + names(rest) == [f"Reader {number}" for number in range(11, -1, -1)]

    async def test_it_takes_three_requests(self, adas: Browser, lender: Lender, book: Book) -> None:
        await lender.was_lent(book, "Carl", days=2)
        assert await requests_for(adas, f"{place(book)}/history") == 3


class TestClearing:
    async def test_all_of_it_is_forgotten(self, adas: Browser, lender: Lender, book: Book) -> None:
        await lender.was_lent(book, "Carl", days=2)
        answer = await adas.follow(await adas.send(f"{place(book)}/history/clear"))
        assert said(answer) == "Loan history cleared."
        assert "Never lent" in text(answer)

    async def test_not_while_somebody_has_it(
        self, adas: Browser, lender: Lender, book: Book
    ) -> None:
        await lender.lend(book, "Carl")
        answer = await adas.get(f"{place(book)}/history")
        assert "You can clear the history once Carl has returned it." in text(answer)
        answer = await adas.send(f"{place(book)}/history/clear")
        assert answer.status_code == 409
        assert "Carl still has it. You can clear the history once it is returned." in text(answer)
        assert names(answer) == ["Carl"]


class TestTheLineOfTime:
    OWNER = User(user_id="u-1", display_name="Ada", created_at=iso(NOW), time_zone="Europe/Berlin")

    @staticmethod
    def loan(begin: float, end: float | None, due: str | None = None) -> Loan:
        """A loan, in days before now."""
        returned = None if end is None else iso(NOW - end * DAY)
        return Loan("Carl", iso(NOW - begin * DAY), returned, due)

    def test_is_as_long_as_all_loans_on_it(self) -> None:
        loans = [self.loan(10, None), self.loan(100, 50)]
        drawn = timeline(loans, NOW, self.OWNER)
        assert drawn is not None
        assert (drawn.begins, drawn.ends) == (NOW - 100 * DAY, NOW)
        assert [(one.start, one.width) for one in drawn.bars] == [(900, 100), (0, 500)]

    def test_shows_an_afternoon_beside_a_year_and_never_goes_over_its_end(self) -> None:
        drawn = timeline([self.loan(0.1, 0), self.loan(365, 1)], NOW, self.OWNER)
        assert drawn is not None
        assert (drawn.bars[0].start, drawn.bars[0].width) == (WIDTH - THINNEST, THINNEST)

    def test_shows_how_much_was_late(self) -> None:
        due = iso(NOW - 25 * DAY)[:10]
        drawn = timeline([self.loan(50, 0, due), self.loan(40, 30, due)], NOW, self.OWNER)
        assert drawn is not None
        assert 470 <= drawn.bars[0].late <= 500
        assert drawn.bars[1].late == 0

    def test_knows_returns_whose_beginning_nobody_knows(self) -> None:
        known = Loan("Carl", None, iso(NOW), "2026-01-01")
        drawn = timeline([known], NOW, self.OWNER)
        assert drawn is not None
        assert (drawn.bars[0].lasted, drawn.bars[0].late) == (None, 0)

    def test_is_not_drawn_for_nothing(self) -> None:
        assert timeline([], NOW, self.OWNER) is None
