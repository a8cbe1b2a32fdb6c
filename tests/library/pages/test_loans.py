"""Everything that is lent and borrowed, on one page."""

from __future__ import annotations

import re
from datetime import date, timedelta
from html import escape, unescape

import httpx
import pytest

from commonroom.accounts.context import Context
from commonroom.accounts.service.find_account import BY_PERSON
from commonroom.accounts.service.profiles import add_managed
from commonroom.accounts.tables import User
from commonroom.library.rules.loans import today
from commonroom.library.service.loans import lent_by_me
from commonroom.library.tables import Book, Library
from tests.library.bookcase import library_of
from tests.library.pages.lender import DAY, Lender
from tests.library.pages.site import Site, has, part, place
from tests.support.pages import Browser, addresses, requests_for, said, text, value, wrong

LOANS = "/library/loans"


def day(lender: Lender, days: int) -> str:
    """A day, so many days from the one that it is where Ada lives."""
    return (date.fromisoformat(today(lender.clock(), lender.ada)) + timedelta(days)).isoformat()


def sheaves(answer: httpx.Response) -> dict[str, list[str]]:
    """What stands under which heading, in order."""
    cut = re.split(r'<section class="sheaf sheaf-([a-z-]+)"', answer.text)[1:]
    named = zip(cut[::2], cut[1::2], strict=True)
    return {name: re.findall(r'row-name"><a [^>]*>([^<]+)<', rest) for name, rest in named}


async def test_a_guest_signs_in_first(guest: Browser) -> None:
    assert (await guest.get(LOANS)).headers["location"] == f"/sign-in?next={LOANS}"


async def test_with_nothing_lent_and_nothing_borrowed_it_says_how_that_begins(
    adas: Browser, lender: Lender
) -> None:
    shown = text(await adas.get(LOANS))
    assert "Nothing is lent out" in shown
    assert "with your e-mail address" in shown


async def test_what_is_overdue_comes_first_from_all_libraries(
    adas: Browser, lender: Lender
) -> None:
    attic = Lender(
        lender.store,
        lender.clock,
        lender.ada,
        await library_of(lender.store, lender.clock, lender.ada, "Attic"),
    )
    await lender.lent("Any time")
    await attic.lent("Later", due=day(lender, 30))
    await lender.lent("Soon", due=day(lender, 5))
    await attic.lent("Overdue", "Dora", due=day(lender, -5))
    answer = await adas.get(LOANS)
    assert sheaves(answer) == {
        "overdue": ["Overdue"],
        "soon": ["Soon"],
        "later": ["Later"],
        "any-time": ["Any time"],
    }


async def test_it_says_who_has_what_and_when_it_is_due(adas: Browser, lender: Lender) -> None:
    book = await lender.book()
    lender.clock.now -= 20 * 86_400
    await lender.lend(book, "Dora", due=day(lender, 9))
    row = part(await adas.get(LOANS), f"loan-{book.item_id}")
    assert re.search(r"with Dora for 2 weeks 1[012] days overdue \d+ \w+ \d{4}", row)


async def test_something_is_taken_back_right_there(adas: Browser, lender: Lender) -> None:
    book = await lender.lent("Emma")
    answer = await adas.get(LOANS)
    assert addresses(answer, f"{place(book)}/return")
    answer = await adas.follow(await adas.send(f"{place(book)}/return", next=LOANS))
    assert said(answer) == "Welcome back! Marked as returned."
    assert "Nothing is lent out" in text(answer)


async def test_whoever_acts_for_a_child_sees_it_and_takes_nothing_back(
    room: Site, lender: Lender
) -> None:
    await lender.lent("Emma")
    child = await add_managed(Context(lender.store, lender.ada, lender.clock()), display_name="Mia")
    answer = await (await room.browser(lender.ada, acting_as=child)).get(LOANS)
    assert "Emma" in text(answer)
    assert not addresses(answer, "/library/")


async def test_a_borrower_is_told_title_owner_and_date_and_nothing_else(
    bens: Browser, lender: Lender, ben: User
) -> None:
    book = await lender.lent("Emma", "My dear Ben", due=day(lender, 1), email=ben.email or "")
    answer = await bens.get(LOANS)
    shown = text(answer)
    assert re.search(r"Emma from Ada, since \d+ \w+ \d{4} due t", shown)
    assert "My dear Ben" not in shown
    assert "Nothing is lent out" in shown
    assert book.item_id not in answer.text


async def test_a_long_list_goes_on(adas: Browser, lender: Lender) -> None:
    for number in range(51):
        await lender.lent(f"Book {number}")
    first = await adas.get(LOANS)
    more = re.findall(r'hx-get="(\?cursor=[^"]+)" hx-target="#sheaves"', first.text)
    rest = await adas.get(f"{LOANS}{more[0]}")
    titles = sheaves(first)["any-time"] + sheaves(rest)["any-time"]
    assert len(set(titles)) == len(titles) == 51
    assert "?cursor=" not in rest.text
    seen = await lent_by_me(Context(lender.store, lender.ada, lender.clock()))
    assert sheaves(first)["any-time"] == [one.item.title for one in seen.items]


async def test_it_takes_two_requests_and_one_more_for_what_is_borrowed(
    adas: Browser, bens: Browser, lender: Lender, ben: User
) -> None:
    await lender.lent("Emma", email=ben.email or "")
    assert await requests_for(adas, LOANS) == 2
    assert await requests_for(bens, LOANS) == 3


@pytest.fixture
async def book(lender: Lender) -> Book:
    """A book of Ada's."""
    return await lender.book()


def offered(answer: httpx.Response) -> list[str]:
    """The names that can be tapped."""
    return re.findall(r'name="again" value="([^"]*)"', answer.text)


def form_of(answer: httpx.Response) -> str:
    """The opening tag of the form that lends."""
    return answer.text.partition('<form class="form lend"')[2].partition(">")[0]


class TestWhoMay:
    async def test_a_guest_signs_in_first(self, guest: Browser, book: Book) -> None:
        answer = await guest.get(f"{place(book)}/lend")
        assert answer.headers["location"] == f"/sign-in?next={place(book)}/lend"

    async def test_for_a_stranger_and_a_recipient_there_is_no_such_library(
        self, bens: Browser, eves: Browser, shared: Library, book: Book
    ) -> None:
        sent = {
            "lend": {"lent_to": "Carl"},
            "return": {"next": ""},
            "due": {"due": "2-weeks"},
        }
        for browser in (bens, eves):
            for deed, fields in sent.items():
                assert (await browser.send(f"{place(book)}/{deed}", **fields)).status_code == 404
            for form in ("lend", "due"):
                assert (await browser.get(f"{place(book)}/{form}")).status_code == 404

    async def test_whoever_acts_for_a_child_lends_nothing(
        self, room: Site, lender: Lender, book: Book
    ) -> None:
        child = await add_managed(
            Context(lender.store, lender.ada, lender.clock()), display_name="Mia"
        )
        browser = await room.browser(lender.ada, acting_as=child)
        assert (await browser.send(f"{place(book)}/lend", lent_to="Ben")).status_code == 403


class TestOnItsPage:
    async def test_what_stands_on_the_shelf_can_be_lent(self, adas: Browser, book: Book) -> None:
        answer = await adas.get(place(book))
        assert part(answer, "loan").startswith("Available Lend")
        assert f'href="{place(book)}/lend"' in answer.text

    async def test_what_is_lent_says_to_whom_since_when_and_until_when(
        self, adas: Browser, lender: Lender, book: Book
    ) -> None:
        lender.clock.now -= 30 * DAY
        await lender.lend(book, "Carl", due=today(lender.clock() + 10 * DAY, lender.ada))
        shown = part(await adas.get(place(book)), "loan")
        days = r"\d+ \w+ \d{4}"
        lent = rf"Carl has it (19|20|21) days overdue {days} lent on {days}, 4 weeks ago"
        assert re.match(lent, shown)
        assert "Mark returned" in shown
        assert "Change due date" in shown

    async def test_a_loan_to_an_account_says_that_they_see_it(
        self, adas: Browser, lender: Lender, ben: User, book: Book
    ) -> None:
        await lender.lend(book, "Ben", email=ben.email or "")
        shown = part(await adas.get(place(book)), "loan")
        assert "Ben also sees it under Loans." in shown
        assert "Set due date" in shown

    async def test_a_recipient_is_shown_none_of_it(
        self, bens: Browser, lender: Lender, shared: Library, book: Book
    ) -> None:
        await lender.lend(book, "Carl", due="2026-01-01")
        answer = await bens.get(place(book))
        assert answer.status_code == 200
        assert not has(answer, "loan")
        assert "Carl" not in answer.text

    async def test_whoever_acts_for_a_child_is_offered_no_deeds(
        self, room: Site, lender: Lender, book: Book
    ) -> None:
        child = await add_managed(
            Context(lender.store, lender.ada, lender.clock()), display_name="Mia"
        )
        browser = await room.browser(lender.ada, acting_as=child)
        assert "/lend" not in (await browser.get(place(book))).text
        await lender.lend(book, "Carl")
        assert not addresses(await browser.get(place(book)), place(book))


class TestDueInThePast:
    @pytest.mark.parametrize("name", [{"lent_to": "Dora"}, {"again": "Dora"}])
    async def test_is_asked_about_before_something_is_lent(
        self, adas: Browser, lender: Lender, name: dict[str, str]
    ) -> None:
        book = await lender.book()
        sent = {"due": "day", "due_date": "2020-05-31"}
        answer = await adas.send(f"{place(book)}/lend", **sent, **name)
        assert answer.status_code == 409
        assert "in the past" in wrong(answer, "due_date")
        assert value(answer, "lent_to") == "Dora"
        assert value(answer, "due_date") == "2020-05-31"
        assert 'name="past_due" value="true"' in answer.text
        assert (await lender.now(book)).lent_to is None
        await adas.send(f"{place(book)}/lend", **sent, lent_to="Dora", past_due="true")
        now = await lender.now(book)
        assert (now.lent_to, now.due_date) == ("Dora", "2020-05-31")

    async def test_is_asked_about_before_a_loan_gets_it(
        self, adas: Browser, lender: Lender
    ) -> None:
        book = await lender.lent("Emma", "Carl")
        sent = {"due": "day", "due_date": "2020-05-31"}
        answer = await adas.send(f"{place(book)}/due", **sent)
        assert answer.status_code == 409
        assert "in the past" in wrong(answer, "due_date")
        assert (await lender.now(book)).due_date is None
        await adas.send(f"{place(book)}/due", **sent, past_due="true")
        assert (await lender.now(book)).due_date == "2020-05-31"


class TestLending:
    async def test_a_name_is_enough(self, adas: Browser, lender: Lender, book: Book) -> None:
        answer = await adas.send(f"{place(book)}/lend", lent_to=" Carl ")
        assert answer.headers["location"] == place(book)
        after = await lender.now(book)
        assert (after.lent_to, after.due_date, after.borrower_id) == ("Carl", None, None)

    async def test_whoever_came_from_a_list_goes_back_there(
        self, adas: Browser, lender: Lender, book: Book
    ) -> None:
        row = f"item-{book.item_id}"
        listed = await adas.get(f"/library/{book.library_id}?look=list&letter=m")
        (lend,) = re.findall(rf'href="({place(book)}/lend[^"]*)"', listed.text)
        form = await adas.get(lend)
        (came_from,) = re.findall(r'name="next" value="([^"]*)"', form.text)
        assert f'href="{came_from}">Cancel' in form.text
        came_from = unescape(came_from)
        assert came_from == f"/library/{book.library_id}?look=list&letter=m#{row}"
        wrong_name = await adas.send(f"{place(book)}/lend", lent_to="", next=came_from)
        assert f'name="next" value="{escape(came_from)}"' in wrong_name.text
        for _tap in range(2):
            answer = await adas.send(f"{place(book)}/lend", lent_to="Carl", next=came_from)
            assert answer.headers["location"] == came_from
        assert "Middlemarch with Carl" in part(await adas.get(came_from), row)

    async def test_who_had_it_and_who_has_something_is_offered_once_each(
        self, adas: Browser, lender: Lender, book: Book
    ) -> None:
        for name in ("Carl", "Dora", "carl"):
            await lender.was_lent(book, name, days=1)
        await lender.lent("Emma", "Finn")
        assert offered(await adas.get(f"{place(book)}/lend")) == ["carl", "Dora", "Finn"]

    async def test_a_tap_on_a_name_lends_it_with_the_date_that_was_chosen(
        self, adas: Browser, lender: Lender, book: Book
    ) -> None:
        await adas.send(f"{place(book)}/lend", again="Carl", due="day", due_date="2033-12-24")
        after = await lender.now(book)
        assert (after.lent_to, after.due_date) == ("Carl", "2033-12-24")

    async def test_a_borrower_with_an_account_gets_the_next_thing_there_too(
        self, adas: Browser, lender: Lender, ben: User, book: Book
    ) -> None:
        await lender.lent("Emma", "Ben from work", email="ben@example.org")
        answer = await adas.get(f"{place(book)}/lend")
        assert "Ben from work , who has an account here" in text(answer)
        assert "ben@example.org" not in answer.text
        await adas.send(f"{place(book)}/lend", again="Ben from work")
        assert (await lender.now(book)).borrower_id == ben.user_id

    async def test_a_name_of_two_people_leads_to_neither_account(
        self, adas: Browser, lender: Lender, ben: User, book: Book
    ) -> None:
        await lender.lent("Emma", "Ben", email=ben.email or "")
        await lender.lent("Persuasion", "Ben")
        await adas.send(f"{place(book)}/lend", again="Ben")
        after = await lender.now(book)
        assert (after.lent_to, after.borrower_id) == ("Ben", None)

    async def test_it_is_lent_to_an_account_by_its_address(
        self, adas: Browser, lender: Lender, ben: User, book: Book
    ) -> None:
        await adas.send(f"{place(book)}/lend", lent_to="Ben", email=" BEN@example.org ")
        assert (await lender.now(book)).borrower_id == ben.user_id

    @pytest.mark.parametrize(
        "field, sent, words",
        [
            ("lent_to", {"lent_to": "  "}, "Enter who borrows it."),
            (
                "email",
                {"lent_to": "Carl", "email": "who@example.org"},
                "No account here has this e-mail address.",
            ),
            (
                "due_date",
                {"lent_to": "Carl", "due": "day"},
                "Choose a due date.",
            ),
            (
                "due_date",
                {"lent_to": "Carl", "due": "day", "due_date": "soon"},
                "Choose a valid due date.",
            ),
        ],
    )
    async def test_what_is_wrong_stands_beside_its_field(
        self, adas: Browser, book: Book, *, field: str, sent: dict[str, str], words: str
    ) -> None:
        answer = await adas.send(f"{place(book)}/lend", **sent)
        assert answer.status_code == 422
        assert wrong(answer, field) == words
        assert value(answer, "lent_to") == sent["lent_to"]
        assert (await adas.get(f"{place(book)}/lend")).status_code == 200, "it is not lent"

    async def test_what_is_lent_meanwhile_is_said(
        self, adas: Browser, lender: Lender, book: Book
    ) -> None:
        await lender.lend(book, "Dora")
        answer = await adas.send(f"{place(book)}/lend", lent_to="Carl")
        assert answer.status_code == 409
        assert "It is already lent to Dora." in text(answer)
        answer = await adas.get(f"{place(book)}/lend")
        assert answer.headers["location"] == place(book)

    async def test_a_second_tap_is_no_mistake(
        self, adas: Browser, lender: Lender, book: Book
    ) -> None:
        for _tap in range(2):
            answer = await adas.send(f"{place(book)}/lend", again="Carl")
            assert answer.headers["location"] == place(book)
        assert (await lender.now(book)).lent_to == "Carl"

    async def test_asking_for_many_addresses_comes_to_an_end(
        self, adas: Browser, book: Book
    ) -> None:
        for number in range(BY_PERSON.tries):
            sent = {"lent_to": "Carl", "email": f"c{number}@example.org"}
            assert (await adas.send(f"{place(book)}/lend", **sent)).status_code == 422
        answer = await adas.send(f"{place(book)}/lend", lent_to="Carl", email="d@example.org")
        assert answer.status_code == 429
        assert int(answer.headers["retry-after"]) > 0

    async def test_what_is_opened_in_place_is_sent_in_place(
        self, adas: Browser, book: Book
    ) -> None:
        here = f"{place(book)}/lend"
        assert "hx-post" not in form_of(await adas.get(here))
        opened = await adas.get(here, headers={"HX-Request": "true"})
        assert f'hx-post="{here}"' in form_of(opened)

    async def test_the_form_takes_four_requests(self, adas: Browser, book: Book) -> None:
        assert await requests_for(adas, f"{place(book)}/lend") == 4


class TestUntilWhen:
    @pytest.mark.parametrize("deed", ["lend", "due"])
    @pytest.mark.parametrize("due, least, most", [("2-weeks", 14, 15), ("1-month", 28, 32)])
    async def test_two_weeks_and_a_month_count_from_today(
        self,
        adas: Browser,
        lender: Lender,
        book: Book,
        *,
        deed: str,
        due: str,
        least: int,
        most: int,
    ) -> None:
        name = {"lent_to": "Carl"} if deed == "lend" else {}
        if deed == "due":
            await lender.lend(book, "Carl")
        await adas.send(f"{place(book)}/{deed}", due=due, **name)
        kept = date.fromisoformat((await lender.now(book)).due_date or "")
        # Midnight may have come between an hour ago and now.
        passed = kept - date.fromisoformat(today(lender.clock(), lender.ada))
        assert timedelta(least) <= passed <= timedelta(most)

    async def test_the_form_shows_what_is_so_now(
        self, adas: Browser, lender: Lender, book: Book
    ) -> None:
        await lender.lend(book, "Carl", due="2026-12-24")
        assert value(await adas.get(f"{place(book)}/due"), "due_date") == "2026-12-24"

    async def test_a_date_is_changed_and_taken_away(
        self, adas: Browser, lender: Lender, book: Book
    ) -> None:
        await lender.lend(book, "Carl")
        await adas.send(f"{place(book)}/due", due="day", due_date="2030-01-01")
        assert (await lender.now(book)).due_date == "2030-01-01"
        answer = await adas.send(f"{place(book)}/due", due="")
        assert answer.headers["location"] == place(book)
        assert (await lender.now(book)).due_date is None

    async def test_what_is_wrong_stands_beside_the_field(
        self, adas: Browser, lender: Lender, book: Book
    ) -> None:
        await lender.lend(book, "Carl")
        answer = await adas.send(f"{place(book)}/due", due="day", due_date="")
        assert answer.status_code == 422
        assert wrong(answer, "due_date") == "Choose a due date."

    async def test_what_came_back_meanwhile_has_no_date(self, adas: Browser, book: Book) -> None:
        for answer in (
            await adas.get(f"{place(book)}/due"),
            await adas.send(f"{place(book)}/due", due="2-weeks"),
        ):
            assert answer.headers["location"] == place(book)


class TestReturn:
    @pytest.mark.parametrize("next_", ["/library/loans", "/library/search?q=emma#hit-1"])
    async def test_it_is_taken_back_where_one_is(
        self, adas: Browser, lender: Lender, book: Book, next_: str
    ) -> None:
        await lender.lend(book, "Carl")
        answer = await adas.send(f"{place(book)}/return", next=next_)
        assert answer.headers["location"] == next_
        assert answer.cookies["said"] == "returned"
        assert (await lender.now(book)).lent_to is None

    @pytest.mark.parametrize(
        "next_", ["", "loans", "//evil.example/library/", "/\\evil.example", "/admin", "/libraryx"]
    )
    async def test_from_nowhere_in_the_room_it_leads_to_the_item(
        self, adas: Browser, lender: Lender, book: Book, next_: str
    ) -> None:
        await lender.lend(book, "Carl")
        answer = await adas.send(f"{place(book)}/return", next=next_)
        assert answer.headers["location"] == place(book)

    async def test_what_is_back_already_is_no_mistake(self, adas: Browser, book: Book) -> None:
        answer = await adas.send(f"{place(book)}/return")
        assert answer.headers["location"] == place(book)
        assert "said" not in answer.cookies
