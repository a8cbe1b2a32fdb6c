"""Answering an event: with a name, on one device and on another, until the deadline."""

from __future__ import annotations

import re
import time
from typing import Any

import httpx
import pytest
from msgspec.structs import replace

from commonroom.moments import iso
from commonroom.shareables.rules.events import TypedEventRsvp
from commonroom.shareables.service import events
from commonroom.shareables.service.create import Created
from commonroom.shareables.tables import Event
from tests.shareables.furniture import NEXT_BIRTHDAY, WEEKDAY, YEAR
from tests.shareables.pages.site import DAY, Site, at
from tests.support.pages import Browser, said, text, value, wrong

ZONED = replace(NEXT_BIRTHDAY, time_zone="Europe/Paris", end_time=f"{YEAR}-12-01T22:30:00+01:00")


@pytest.fixture
async def party(site: Site) -> Created:
    """An event that takes answers."""
    return await site.made(ZONED)


async def answered(browser: Browser, party: Created, **fields: Any) -> httpx.Response:
    """What somebody sees who has answered."""
    usual = {"name": "Ben", "response": "going", "guest_count": "2"}
    return await browser.follow(await browser.send(at(party, "/answer"), **(usual | fields)))


def chosen(answer: httpx.Response) -> str | None:
    """Which answer the form shows as given."""
    found = re.search(r'name="response" value="(\w+)" checked', answer.text)
    return found[1] if found else None


class TestAnInvitation:
    async def test_says_when_on_the_events_own_clock_and_where(
        self, guest: Browser, party: Created
    ) -> None:
        answer = await guest.get(at(party))
        said_there = text(answer)
        assert f"{WEEKDAY} 1 December {YEAR}" in said_there
        assert "18:00 – 22:30 Paris time" in said_there
        assert "The garden Map" in said_there
        assert "Bring a <em>cake</em>." in answer.text

    async def test_without_a_clock_of_its_own_uses_the_readers(self, site: Site) -> None:
        made = await site.made(NEXT_BIRTHDAY)
        ada = await site.somebody("Ada", time_zone="America/New_York")
        assert "12:00 New York time" in text(await (await site.browser(ada)).get(at(made)))
        assert "17:00 UTC" in text(await (await site.browser()).get(at(made)))

    async def test_says_the_day_of_its_end_where_that_is_another(
        self, site: Site, guest: Browser
    ) -> None:
        made = await site.made(replace(ZONED, end_time=f"{YEAR}-12-02T01:00:00+01:00"))
        assert "18:00 – Thursday, 2 December, 01:00" in text(await guest.get(at(made)))

    @pytest.mark.parametrize(
        "kind, location, leads",
        [
            ("Virtual", "https://meet.example/party", 'href="https://meet.example/party"'),
            ("inPerson", "1 Main Road & Co", "search?query=1%20Main%20Road%20%26%20Co"),
        ],
    )
    async def test_leads_to_its_place(
        self, site: Site, guest: Browser, kind: Any, location: str, leads: str
    ) -> None:
        made = await site.made(replace(ZONED, type=kind, location=location))
        answer = await guest.get(at(made))
        assert leads in answer.text
        assert 'rel="nofollow noopener noreferrer"' in answer.text

    @pytest.mark.parametrize("location", ["javascript:alert(1)", "ask Kim", "https://[broken"])
    async def test_leads_nowhere_where_a_virtual_place_is_no_link(
        self, site: Site, guest: Browser, location: str
    ) -> None:
        made = await site.made(replace(ZONED, type="Virtual", location=location))
        answer = await guest.get(at(made))
        assert "(another site)" not in text(answer)

    async def test_shows_no_script_and_no_picture_of_its_description(
        self, site: Site, guest: Browser
    ) -> None:
        words = "# Hi\n<script>alert(1)</script> ![x](https://x.example/y.png) [l](javascript:x)"
        answer = await guest.get(at(await site.made(replace(ZONED, description=words))))
        prose = answer.text.partition('class="invite-words prose">')[2].partition("</div>")[0]
        assert "<h2>Hi</h2>" in prose
        assert "<script" not in prose
        assert "<img" not in prose
        assert "href" not in prose


class TestAnAnswer:
    async def test_is_taken_and_its_code_shown_once(
        self, site: Site, guest: Browser, party: Created
    ) -> None:
        answer = await answered(guest, party)
        assert said(answer) == "Thank you! Your answer is saved."
        assert "Ben : Coming · with 2 guests" in text(answer)
        code = value(answer, "your-code")
        assert len(code) == 8
        assert answer.headers["cache-control"] == "no-store"
        again = await guest.get(at(party))
        assert code not in again.text
        assert "your-code" not in again.text
        assert "Ben : Coming" in text(again), "this device remembers"
        others = await (await site.browser()).get(at(party))
        assert code not in others.text

    async def test_is_changed_on_the_same_device(self, guest: Browser, party: Created) -> None:
        await answered(guest, party)
        answer = await answered(guest, party, name="Benjamin", response="maybe", guest_count="0")
        assert said(answer) == "Answer saved."
        assert "Benjamin : Maybe" in text(answer)
        assert (chosen(answer), value(answer, "name")) == ("maybe", "Benjamin")
        assert "0 coming" in text(answer)
        assert "1 maybe" in text(answer)

    async def test_of_somebody_who_cannot_come_brings_nobody(
        self, site: Site, guest: Browser, party: Created
    ) -> None:
        await answered(guest, party, response="notGoing", guest_count="3")
        gate = await site.opened(party, Event)
        assert (gate.page.not_going_count, gate.page.guest_count) == (1, 0)

    async def test_keeps_its_code_for_a_page_that_somebody_reads(
        self, guest: Browser, party: Created
    ) -> None:
        sent = await guest.send(at(party, "/answer"), name="Ben", response="going")
        fetched = await guest.get(at(party), headers={"sec-fetch-mode": "cors"})
        assert "your-code" not in fetched.text
        assert value(await guest.follow(sent), "your-code")

    async def test_begins_with_the_name_of_whoever_is_signed_in(
        self, site: Site, party: Created
    ) -> None:
        bens = await site.browser(await site.somebody("Ben"))
        assert value(await bens.get(at(party)), "name") == "Ben"
        assert value(await bens.get(at(party, "?anew=1")), "name") == ""

    async def test_is_brought_over_to_another_device_by_its_code(
        self, site: Site, guest: Browser, party: Created
    ) -> None:
        code = value(await answered(guest, party), "your-code")
        other = await site.browser()
        typed = f" {code[:4]} {code[4:].upper()} "
        there = await other.follow(await other.send(at(party, "/code"), code=typed))
        assert said(there) == "Found it! You can now edit your answer on this device."
        assert "Ben : Coming" in text(there)
        assert code not in there.text
        await answered(other, party, name="Ben", response="notGoing")
        assert "Ben : Can’t come" in text(await guest.get(at(party)))

    async def test_is_taken_back(self, site: Site, guest: Browser, party: Created) -> None:
        await answered(guest, party)
        answer = await guest.follow(await guest.send(at(party, "/withdraw")))
        assert said(answer) == "Withdrawn."
        assert "Are you coming?" in text(answer)
        assert (await site.opened(party, Event)).page.rsvp_count == 0
        assert (await guest.send(at(party, "/withdraw"))).status_code == 303, "twice is once"

    async def test_that_was_taken_back_elsewhere_can_be_given_anew(
        self, site: Site, guest: Browser, party: Created
    ) -> None:
        code = value(await answered(guest, party), "your-code")
        gate = await site.opened(party, Event)
        await events.withdraw_answer(gate, code)
        assert "Are you coming?" in text(await guest.get(at(party)))
        answer = await answered(guest, party, name="Ben again")
        assert value(answer, "your-code") != code

    async def test_of_somebody_else_at_the_same_device_leaves_the_first_as_it_is(
        self, site: Site, guest: Browser, party: Created
    ) -> None:
        code = value(await answered(guest, party), "your-code")
        empty = await guest.get(at(party, "?anew=1"))
        assert (chosen(empty), value(empty, "name")) == (None, "")
        answer = await answered(guest, party, name="Mia", guest_count="0", anew="true")
        assert "Mia : Coming" in text(answer)
        gate = await site.opened(party, Event)
        assert gate.page.rsvp_count == 2
        mine = await events.my_answer(gate, code)
        assert mine.name == "Ben"

    @pytest.mark.parametrize(
        "fields, field, why",
        [
            ({"name": " "}, "name", "Enter a name."),
            ({"name": "B" * 61}, "name", "at most 60 characters"),
            ({"guest_count": "21"}, "guest_count", "0 to 20 guests"),
        ],
    )
    async def test_that_cannot_be_taken_says_why_beside_the_field(
        self, guest: Browser, party: Created, fields: dict[str, str], field: str, why: str
    ) -> None:
        usual = {"name": "Ben", "response": "maybe", "guest_count": "2"}
        answer = await guest.send(at(party, "/answer"), **(usual | fields))
        assert answer.status_code == 422
        assert why in wrong(answer, field)
        assert chosen(answer) == "maybe", "nothing typed is lost"
        assert "<live-part" not in answer.text, "nor by what others do meanwhile"

    async def test_needs_a_choice(self, guest: Browser, party: Created) -> None:
        answer = await guest.send(at(party, "/answer"), name="Ben")
        assert answer.status_code == 422
        assert "Please choose whether you are coming." in text(answer)
        assert value(answer, "name") == "Ben"

    async def test_is_not_found_by_a_wrong_code_and_guessing_is_slowed_down(
        self, site: Site, party: Created
    ) -> None:
        guesser = await site.browser(address="10.0.0.9")
        answer = await guesser.send(at(party, "/code"), code="aaaaaaaa")
        assert answer.status_code == 404
        assert "Please check it" in wrong(answer, "code")
        for _ in range(19):
            await guesser.send(at(party, "/code"), code="aaaaaaaa")
        answer = await guesser.send(at(party, "/code"), code="aaaaaaaa")
        assert answer.status_code == 429
        assert int(answer.headers["retry-after"]) > 0

    async def test_of_another_page_counts_for_nothing(
        self, site: Site, guest: Browser, party: Created
    ) -> None:
        await answered(guest, party)
        (receipt,) = [one for one in guest.client.cookies.jar if one.name == "receipt"]
        other = await site.made(ZONED)
        headers = {"cookie": f"receipt={receipt.value}"}
        answer = await guest.get(at(other), headers=headers)
        assert "Are you coming?" in text(answer)
        assert "Ben" not in text(answer)


class TestTheDeadline:
    async def test_ends_answering_but_shows_what_was_answered(self, site: Site) -> None:
        deadline = iso(time.time() - 3600)
        made = await site.made(replace(ZONED, rsvp_deadline=deadline), ago=DAY)
        gate = await site.opened(made, Event)
        early = time.time() - 7200
        rsvp = await events.answer(
            replace(gate, now=early), TypedEventRsvp(name="Ben", response="going")
        )
        bens = await site.browser()
        await bens.send(at(made, "/code"), code=rsvp.code)
        answer = await bens.get(at(made))
        assert "Ben : Coming" in text(answer)
        assert "Edit answer" not in text(answer)
        fresh = await site.browser()
        assert "The deadline has passed." in text(await fresh.get(at(made)))
        late = await fresh.send(at(made, "/answer"), name="Eve", response="going")
        assert late.status_code == 409
        assert "The deadline has passed." in text(late)
        assert (await bens.send(at(made, "/withdraw"))).status_code == 409

    async def test_is_said_before(self, site: Site, guest: Browser) -> None:
        made = await site.made(replace(ZONED, rsvp_deadline=f"{YEAR}-11-28T20:00:00+01:00"))
        expected = "Please answer by Sunday, 28 November, 20:00 (Paris time)."
        assert expected in text(await guest.get(at(made)))


class TestWhoComes:
    @pytest.mark.parametrize(
        "visibility, seen, sentence",
        [
            ("everyone", (True, True), "Everyone with this page sees who is coming."),
            ("countsOnly", (True, False), "Others see how many are coming, but no names."),
            ("admin", (False, False), "Only the page’s creator sees your answer."),
        ],
    )
    async def test_is_shown_as_the_event_says(
        self, site: Site, visibility: Any, seen: tuple[bool, bool], sentence: str
    ) -> None:
        ada = await site.somebody("Ada")
        event = replace(ZONED, rsvp_visibility=visibility)
        made = await site.made(event, account_id=ada.user_id)
        await answered(await site.browser(), made, name="Zoltan")
        answer = await (await site.browser()).get(at(made))
        assert sentence in text(answer)
        assert ("3 coming" in text(answer), "Zoltan" in text(answer)) == seen
        admins = text(await (await site.browser(ada)).get(at(made)))
        assert "3 coming 2 of them guests" in admins
        assert "Zoltan +2" in admins

    async def test_goes_on_over_pages(self, site: Site, guest: Browser, party: Created) -> None:
        gate = await site.opened(party, Event)
        for number in range(101):
            typed = TypedEventRsvp(name=f"Guest-{number}", response="going")
            await events.answer(gate, typed)
        first = await guest.get(at(party))
        cursor = re.search(r'href="\?cursor=([^"]+)"', first.text)
        assert cursor
        rest = await guest.get(at(party, f"?cursor={cursor[1]}"))
        names = [set(re.findall(r"Guest-\d+", text(one))) for one in (first, rest)]
        assert [len(one) for one in names] == [100, 1]
        assert len(names[0] | names[1]) == 101

    async def test_is_no_question_where_the_event_takes_no_answers(
        self, site: Site, guest: Browser
    ) -> None:
        made = await site.made(replace(ZONED, is_rsvp_required=False))
        answer = await guest.get(at(made))
        assert "Are you coming?" not in text(answer)
        assert "Guests" not in text(answer)
        late = await guest.send(at(made, "/answer"), name="Eve", response="going")
        assert late.status_code == 409


class TestAnAccountsAnswer:
    async def test_is_theirs_on_every_device_without_a_code(
        self, site: Site, party: Created
    ) -> None:
        ben = await site.somebody("Ben")
        phone, laptop = await site.browser(ben), await site.browser(ben)
        answer = await answered(phone, party)
        assert "Ben : Coming · with 2 guests" in text(answer)
        assert "your-code" not in answer.text
        assert "on every device where you are signed in" in text(await laptop.get(at(party)))
        changed = await answered(laptop, party, response="maybe", guest_count="0")
        assert said(changed) == "Answer saved."
        assert "Ben : Maybe" in text(await phone.get(at(party)))
        await phone.send(at(party, "/withdraw"))
        assert "Are you coming?" in text(await laptop.get(at(party)))
        assert (await site.opened(party, Event)).page.rsvp_count == 0

    async def test_stays_as_it_is_while_somebody_else_answers_there(
        self, site: Site, party: Created
    ) -> None:
        bens = await site.browser(await site.somebody("Ben"))
        await answered(bens, party)
        assert "as a guest, with their own code" in text(await bens.get(at(party, "?anew=1")))
        shown = await answered(bens, party, name="Mia", anew="true")
        assert len(value(shown, "your-code")) == 8
        assert "Ben : Coming" in text(shown)
        assert (await site.opened(party, Event)).page.rsvp_count == 2

    async def test_given_before_signing_in_is_changed_and_not_given_twice(
        self, site: Site, party: Created
    ) -> None:
        guest = await site.browser()
        await answered(guest, party)
        bens = await site.browser(await site.somebody("Ben"))
        for one in guest.client.cookies.jar:
            bens.client.cookies.jar.set_cookie(one)
        await answered(bens, party, response="maybe")
        gate = await site.opened(party, Event)
        assert (gate.page.rsvp_count, gate.page.maybe_count) == (1, 1)


class TestOneNetwork:
    async def test_gives_few_answers_and_says_what_to_do(self, site: Site, party: Created) -> None:
        for number in range(5):
            browser = await site.browser(address=f"2001:db8::{number}")
            assert (await answered(browser, party)).status_code == 200
        late = await site.browser(address="2001:db8::99")
        refused = await late.send(at(party, "/answer"), name="Eve", response="going")
        assert refused.status_code == 409
        assert "Sign in to answer" in text(refused)
        assert value(refused, "name") == "Eve", "nothing typed is lost"
        eve = await site.browser(await site.somebody("Eve"), address="2001:db8::99")
        assert "Eve : Coming" in text(await answered(eve, party, name="Eve"))
