"""Visiting a page: one address, one look for each kind, and nothing for search engines."""

from __future__ import annotations

import time

import pytest
from msgspec.structs import replace

from commonroom.moments import iso
from commonroom.shareables.rules.events import TypedEvent, TypedEventRsvp
from commonroom.shareables.service import events
from commonroom.shareables.service.edit import Typed
from commonroom.shareables.tables import Event
from tests.shareables.furniture import NEXT_BIRTHDAY, SHOPPING, SUMMER
from tests.shareables.pages.site import DAY, Site, at, requests_for
from tests.support.pages import Browser, said, text

KINDS: dict[str, Typed] = {"checklist": SHOPPING, "event": NEXT_BIRTHDAY, "poll": SUMMER}
kinds = pytest.mark.parametrize("typed", KINDS.values(), ids=KINDS)


class TestAPage:
    @pytest.mark.parametrize("left, says_the_hour", [(0.5, True), (30, False)])
    async def test_says_the_hour_on_its_last_day(
        self, site: Site, guest: Browser, left: float, says_the_hour: bool
    ) -> None:
        made = await site.made(ago=7 * DAY - left * 3600)
        assert ("until <local-moment" in (await guest.get(at(made))).text) == says_the_hour

    @kinds
    async def test_is_shown_to_anybody_and_says_who_sees_it_and_until_when(
        self, site: Site, guest: Browser, typed: Typed
    ) -> None:
        answer = await guest.get(at(await site.made(typed)))
        assert answer.status_code == 200
        assert typed.name in text(answer)
        assert "Anyone with the link until" in text(answer)
        assert "Edit" not in text(answer)

    async def test_leads_a_guest_nowhere_but_to_the_front_door(
        self, site: Site, guest: Browser
    ) -> None:
        answer = await guest.get(at(await site.made()))
        assert answer.text.count('href="/"') == 1, "the mark"
        assert "<nav" not in answer.text

    async def test_can_be_passed_on(self, site: Site, guest: Browser) -> None:
        made = await site.made()
        answer = await guest.get(at(made))
        assert f'value="http://house.example{at(made)}"' in answer.text
        assert made.page.short_id.upper() in text(answer)
        assert 'class="qr' in answer.text

    @pytest.mark.parametrize("below", ["", "/event.ics", "/recover/a-token", "?cursor=abc"])
    async def test_is_found_however_its_id_is_typed_at_its_one_address(
        self, site: Site, guest: Browser, below: str
    ) -> None:
        made = await site.made(NEXT_BIRTHDAY)
        plain = made.page.short_id.replace("-", "")
        for typed in (plain, plain.upper(), made.page.short_id, f"{plain[:6]} {plain[6:]}"):
            answer = await guest.get(f"/s/{typed}{below}")
            assert (answer.status_code, answer.headers["location"]) == (308, at(made) + below)
        assert (await guest.get(at(made))).status_code == 200

    @kinds
    async def test_is_not_for_search_engines_and_tells_no_other_site_where_one_was(
        self, site: Site, guest: Browser, typed: Typed
    ) -> None:
        open_, shut = await site.made(typed), await site.made(typed, protected=True)
        if isinstance(typed, TypedEvent):
            typed = replace(typed, start_time=iso(time.time() - 8 * DAY + 3600))
        over = await site.made(typed, ago=8 * DAY)
        addresses = [at(open_), at(shut), at(over), "/s/AAA-AAA-00000", at(shut, "/recover/x")]
        answers = [await guest.get(one) for one in addresses]
        assert [one.status_code for one in answers] == [200, 403, 410, 404, 200]
        for one in answers:
            assert one.headers.get_list("x-robots-tag") == ["noindex, nofollow"]
        for one in (answers[0], answers[1], answers[4]):
            assert '<meta name="robots" content="noindex, nofollow">' in one.text

    async def test_whose_time_is_over_says_what_to_do(self, site: Site, guest: Browser) -> None:
        answer = await guest.get(at(await site.made(ago=8 * DAY)))
        assert answer.status_code == 410
        assert "This page has expired" in text(answer)
        assert "Ask the person who gave you the link" in text(answer)
        assert "Shopping" not in answer.text

    async def test_that_is_not_there_says_what_to_do(self, guest: Browser) -> None:
        for typed in ("AAA-AAA-00000", "nonsense"):
            answer = await guest.get(f"/s/{typed}")
            assert answer.status_code == 404
            assert "The code may be incomplete" in text(answer)
            assert "typos" in text(answer)

    async def test_is_still_shown_to_its_admin_when_its_time_is_over(self, site: Site) -> None:
        ada = await site.somebody("Ada")
        made = await site.made(ago=8 * DAY, account_id=ada.user_id)
        answer = await (await site.browser(ada)).get(at(made))
        assert answer.status_code == 200
        assert "Only you can still see it" in text(answer)
        assert f"{at(made)}/edit" not in answer.text
        assert f"{at(made)}/admin" in answer.text

    async def test_leads_whoever_administers_it_to_its_settings(self, site: Site) -> None:
        ada = await site.somebody("Ada")
        made = await site.made(account_id=ada.user_id)
        answer = await (await site.browser(ada)).get(at(made))
        assert f'href="{at(made)}/edit"' in answer.text
        assert f'href="{at(made)}/admin"' in answer.text

    async def test_is_a_guests_where_somebody_acts_for_a_child(self, site: Site) -> None:
        ada = await site.somebody("Ada")
        mia = await site.somebody("Mia", parent_user_id=ada.user_id, is_managed=True)
        made = await site.made(account_id=ada.user_id)
        answer = await (await site.browser(ada, acting_as=mia)).get(at(made))
        assert answer.status_code == 200
        assert f"{at(made)}/edit" not in answer.text
        assert "Save to my list" not in text(answer)

    async def test_is_where_a_browser_lands_that_loads_a_form_anew(
        self, site: Site, guest: Browser
    ) -> None:
        made = await site.made()
        for deed in ("tick", "name", "answer", "vote", "withdraw", "code", "passcode", "keep"):
            answer = await guest.get(at(made, f"/{deed}"))
            assert answer.headers["location"] == at(made)


class TestAList:
    async def test_takes_a_page_in_and_gives_it_back(self, site: Site) -> None:
        made = await site.made()
        bens = await site.browser(await site.somebody("Ben"))
        assert "Save to my list" in text(await bens.get(at(made)))
        kept = await bens.follow(await bens.send(at(made, "/keep")))
        assert said(kept) == "Saved to your list."
        assert "In your list" in text(kept)
        dropped = await bens.send(at(made, "/drop"))
        assert dropped.headers["location"] == "/s"
        assert "Save to my list" in text(await bens.get(at(made)))

    async def test_has_what_somebody_made_without_asking(self, site: Site) -> None:
        ada = await site.somebody("Ada")
        made = await site.made(account_id=ada.user_id)
        answer = await (await site.browser(ada)).get(at(made))
        assert f"{at(made)}/keep" not in answer.text
        assert f"{at(made)}/drop" not in answer.text

    async def test_lets_go_of_a_page_that_is_shut_or_over(self, site: Site) -> None:
        bens = await site.browser(await site.somebody("Ben"))
        for made in (await site.made(protected=True), await site.made(ago=8 * DAY)):
            assert (await bens.send(at(made, "/drop"))).status_code == 303

    async def test_is_for_those_who_have_one(self, site: Site, guest: Browser) -> None:
        made = await site.made()
        assert "Save to my list" not in text(await guest.get(at(made)))
        assert (await guest.send(at(made, "/keep"))).status_code == 401


class TestRequests:
    @kinds
    async def test_are_one_for_a_page_and_one_for_what_people_left_on_it(
        self, site: Site, guest: Browser, typed: Typed
    ) -> None:
        made = await site.made(typed)
        expected = 1 if typed is SUMMER else 2
        assert await requests_for(guest, at(made)) == expected, "a poll holds its results itself"

    async def test_are_one_more_for_ones_own_answer_and_one_for_ones_list(self, site: Site) -> None:
        made = await site.made(NEXT_BIRTHDAY)
        gate = await site.opened(made, Event)
        for number in range(20):
            typed = TypedEventRsvp(name=f"Guest {number}", response="going")
            await events.answer(replace(gate, now=1e9), typed)
        bens = await site.browser(await site.somebody("Ben"))
        assert await requests_for(bens, at(made)) == 4, "whether they answered elsewhere, too"
        await bens.follow(await bens.send(at(made, "/answer"), name="Ben", response="going"))
        assert await requests_for(bens, at(made)) == 4
