"""Administering a page: its life, whose it is, the answers on it, and its end."""

from __future__ import annotations

import time

import pytest
from msgspec.structs import replace

from commonroom.moments import seconds
from commonroom.shareables.rules.events import TypedEventRsvp
from commonroom.shareables.rules.polls import TypedVote
from commonroom.shareables.service import events, polls
from commonroom.shareables.service.edit import save
from commonroom.shareables.service.listing import pages_of
from commonroom.shareables.tables import Checklist, Event, Poll
from tests.shareables.furniture import NEXT_BIRTHDAY, SHOPPING, SUMMER, VIEW, YEAR
from tests.shareables.pages.filling import hold
from tests.shareables.pages.site import DAY, HOST, Site, at, requests_for
from tests.shareables.voting import ballot, typed_again
from tests.support.pages import Browser, addresses, said, text

FORMS = {
    "/admin/extend": {"days": "30"},
    "/admin/close": {},
    "/admin/reopen": {},
    "/admin/untick": {},
    "/admin/passcodes/view": {"passcode": "fig tree"},
    "/admin/passcodes/admin": {"passcode": "fig tree"},
    "/admin/passcodes/view/remove": {},
    "/admin/passcodes/admin/remove": {},
    "/admin/clone": {},
    "/admin/link": {},
    "/admin/remove/some-answer": {},
    "/admin/delete": {},
}


class TestWhoMay:
    @pytest.mark.parametrize("below", FORMS)
    async def test_nobody_else_does_anything_with_a_page(self, site: Site, below: str) -> None:
        made, other = await site.made(SUMMER, protected=True), await site.made(SUMMER)
        before = (await site.opened(made, Poll)).page
        viewer = await site.browser()
        await viewer.send(at(made, "/passcode"), passcode=VIEW)
        posing = hold(await site.browser(), made, other.token)
        for browser in (await site.browser(), viewer, posing):
            answer = await browser.send(at(made, below), **FORMS[below])
            assert answer.status_code == 403
            assert "Summer" not in text(answer)
        assert (await site.opened(made, Poll)).page == before

    @pytest.mark.parametrize("below", FORMS)
    async def test_an_address_of_a_form_leads_back_to_the_settings(
        self, site: Site, guest: Browser, below: str
    ) -> None:
        made = await site.made()
        answer = await guest.get(at(made, below))
        assert (answer.status_code, answer.headers["location"]) == (303, at(made, "/admin"))

    async def test_the_settings_are_for_whoever_administers_the_page(
        self, site: Site, guest: Browser
    ) -> None:
        made, shut = await site.made(), await site.made(protected=True)
        assert (await guest.get(at(made, "/admin"))).status_code == 403
        assert "This page needs a passcode" in text(await guest.get(at(shut, "/admin")))
        assert (await hold(guest, made).get(at(made, "/admin"))).status_code == 200

    async def test_settings_take_one_request_and_one_more_for_answers(
        self, site: Site, guest: Browser
    ) -> None:
        made, event = await site.made(), await site.made(NEXT_BIRTHDAY)
        assert await requests_for(hold(guest, made), at(made, "/admin")) == 1
        assert await requests_for(hold(guest, event), at(event, "/admin")) == 2


class TestLife:
    async def test_is_extended_by_days_from_now(self, site: Site, guest: Browser) -> None:
        made = await site.made(ago=2 * DAY)
        settings = await hold(guest, made).get(at(made, "/admin"))
        assert [days for days in (1, 7, 30) if f'name="days" value="{days}"' in settings.text] == [
            7,
            30,
        ]
        after = await guest.follow(await guest.send(at(made, "/admin/extend"), days="30"))
        assert said(after) == "Expiry date changed."
        page = (await site.opened(made, Checklist)).page
        assert seconds(page.expires_at) == pytest.approx(time.time() + 30 * DAY, abs=60)
        assert "This is the maximum for now" in text(after)

    async def test_is_1_7_or_30_days(self, site: Site, guest: Browser) -> None:
        made = await site.made()
        answer = await hold(guest, made).send(at(made, "/admin/extend"), days="365")
        assert answer.status_code == 422

    async def test_of_an_event_lasts_until_a_week_after_it(
        self, site: Site, guest: Browser
    ) -> None:
        made = await site.made(NEXT_BIRTHDAY)
        settings = text(await hold(guest, made).get(at(made, "/admin")))
        assert f"8 December {YEAR}" in settings
        assert "An event’s page stays until a week after" in settings


class TestThePoll:
    async def test_is_closed_and_opened_again(self, site: Site, guest: Browser) -> None:
        made = await site.made(SUMMER)
        hold(guest, made)
        closed = await guest.follow(await guest.send(at(made, "/admin/close")))
        assert said(closed) == "Poll closed. No one can vote any more."
        assert addresses(closed, at(made, "/admin/reopen"))
        assert (await site.opened(made, Poll)).page.is_closed
        again = await guest.follow(await guest.send(at(made, "/admin/reopen")))
        assert said(again) == "Poll reopened."
        assert addresses(again, at(made, "/admin/close"))
        assert not (await site.opened(made, Poll)).page.is_closed

    async def test_is_the_only_kind_that_is(self, site: Site, guest: Browser) -> None:
        made = await site.made(SHOPPING)
        assert (await hold(guest, made).send(at(made, "/admin/close"))).status_code == 404

    async def test_says_how_many_have_voted(self, site: Site, guest: Browser) -> None:
        made = await site.made(SUMMER)
        gate = await site.opened(made, Poll)
        first = gate.page.questions[0]
        chosen = {first.poll_question_id: [first.options[0].poll_question_option_id]}
        await polls.vote(gate, TypedVote(answers=chosen))
        assert "1 person has voted." in text(await hold(guest, made).get(at(made, "/admin")))


class TestWhoseItIs:
    async def test_somebody_signed_in_makes_it_theirs(self, site: Site) -> None:
        made, kim = await site.made(), await site.somebody()
        browser = hold(await site.browser(kim), made)
        assert addresses(await browser.get(at(made, "/admin")), at(made, "/admin/claim"))
        after = await browser.follow(await browser.send(at(made, "/admin/claim")))
        assert said(after).startswith("Page added to your account")
        assert not addresses(after, at(made, "/admin/claim"))
        listed = await pages_of(site.store, time.time(), kim.user_id)
        assert [(one.short_id, one.role) for one in listed.items] == [(made.page.short_id, "made")]
        elsewhere = await site.browser(kim)
        assert (await elsewhere.get(at(made, "/admin"))).status_code == 200

    async def test_nobody_is_offered_what_is_somebodys(self, site: Site) -> None:
        kim, eve = await site.somebody(), await site.somebody("Eve")
        made = await site.made(account_id=kim.user_id)
        eves = hold(await site.browser(eve), made)
        assert not addresses(await eves.get(at(made, "/admin")), at(made, "/admin/claim"))
        assert (await eves.send(at(made, "/admin/claim"))).status_code == 403

    async def test_a_guest_is_not_asked(self, site: Site, guest: Browser) -> None:
        made = await site.made()
        answer = await hold(guest, made).get(at(made, "/admin"))
        assert not addresses(answer, at(made, "/admin/claim"))
        assert (await guest.send(at(made, "/admin/claim"))).status_code == 401


class TestTheEnd:
    async def test_is_asked_about_and_takes_everything_along(
        self, site: Site, guest: Browser
    ) -> None:
        made = await site.made()
        hold(guest, made)
        assert "will be deleted" in text(await guest.get(at(made, "/admin")))
        answer = await guest.send(at(made, "/admin/delete"))
        ended = [one for one in answer.headers.get_list("set-cookie") if "Max-Age=0" in one]
        assert any(one.startswith("pass-creator=") for one in ended)
        assert said(await guest.follow(answer)) == "Page deleted."
        assert guest.client.cookies.get("pass-creator", domain=HOST, path=at(made)) is None
        assert (await guest.get(at(made))).status_code == 404


class TestRemovingAnAnswer:
    async def test_asks_first_and_says_from_how_many_addresses_answers_came(
        self, site: Site, guest: Browser
    ) -> None:
        made = await site.made(NEXT_BIRTHDAY)
        for number, name in enumerate(("Ben", "Mia", "Zoe")):
            browser = await site.browser(address=f"10.0.{number // 2}.1")
            await browser.send(at(made, "/answer"), name=name, response="going")
        settings = await hold(guest, made).get(at(made, "/admin"))
        assert "Guests answered from 2 addresses." in text(settings)
        assert text(settings).count("Address 1: 2 answers") == 2, "and Zoe shares hers with nobody"
        assert "The answer of Ben is removed and no longer counts." in text(settings)
        removals = addresses(settings, at(made, "/admin/remove/"))
        assert len(removals) == 3
        gone = await guest.follow(await guest.send(removals[0]))
        assert said(gone) == "Answer removed."
        page = (await site.opened(made, Event)).page
        assert (page.rsvp_count, page.going_count) == (2, 2)
        assert (await guest.send(removals[0])).status_code == 404
        assert (await (await site.browser()).send(removals[1])).status_code == 403

    async def test_works_for_votes_and_tells_who_was_signed_in(
        self, site: Site, guest: Browser
    ) -> None:
        made = await site.made(SUMMER)
        sea = ballot((await site.opened(made, Poll)).page, 0)
        bens = await site.browser(await site.somebody("Ben"))
        await bens.send(at(made, "/vote"), name="Ben", **sea.answers)
        settings = await hold(guest, made).get(at(made, "/admin"))
        assert "Ben The sea signed in" in text(settings).replace("Where to? ", "")
        (removal,) = addresses(settings, at(made, "/admin/remove/"))
        await guest.send(removal)
        poll = (await site.opened(made, Poll)).page
        assert (poll.vote_count, sum(poll.tally.values())) == (0, 0)
        assert "Send vote" in text(await bens.get(at(made)))


class TestVotes:
    async def test_are_listed_by_name_and_never_with_their_codes(
        self, site: Site, guest: Browser
    ) -> None:
        made = await site.made(SUMMER)
        gate = await site.opened(made, Poll)
        ruth = replace(ballot(gate.page, 0, 1), name="Ruth")
        given = [await polls.vote(gate, one) for one in (ballot(gate.page, 1), ruth)]
        answer = await hold(guest, made).get(at(made, "/admin"))
        shown = text(answer)
        assert "Ruth Where to? The sea When? July" in shown
        assert shown.index("Ruth Where to?") < shown.index("Someone Where to? The hills")
        assert not any(one.code in answer.text for one in given)
        assert await requests_for(guest, at(made, "/admin")) == 2

    async def test_of_what_was_removed_say_so(self, site: Site, guest: Browser) -> None:
        made = await site.made(SUMMER)
        gate = await site.opened(made, Poll)
        await polls.vote(gate, ballot(gate.page, 0))
        typed = typed_again(gate.page)
        edited = replace(typed, questions=typed.questions[1:])
        await save(gate, 1, edited, confirm=True)
        answer = text(await hold(guest, made).get(at(made, "/admin")))
        assert "Someone What they chose was removed." in answer
        assert "The sea" not in answer

    async def test_that_nobody_gave_yet(self, site: Site, guest: Browser) -> None:
        made = await site.made(SUMMER)
        assert "No votes yet" in text(await hold(guest, made).get(at(made, "/admin")))

    async def test_go_on_where_there_are_more_than_fit(self, site: Site, guest: Browser) -> None:
        made = await site.made(SUMMER)
        gate = await site.opened(made, Poll)
        for _ in range(polls.VOTES_SHOWN + 1):
            await polls.vote(gate, ballot(gate.page, 0))
        first = await hold(guest, made).get(at(made, "/admin"))
        cursor = first.text.partition("?cursor=")[2].partition('"')[0]
        rest = await guest.get(at(made, f"/admin?cursor={cursor}"))
        row = '<li class="row voter">'
        assert (first.text.count(row), rest.text.count(row)) == (polls.VOTES_SHOWN, 1)


class TestTicks:
    async def test_are_all_taken_away_after_asking(self, site: Site, guest: Browser) -> None:
        made = await site.made()
        gate = await site.opened(made, Checklist)
        other = await site.browser()
        for item in gate.page.items:
            await other.send(at(made, "/tick"), tick=item.checklist_item_id)
        assert "Clear all ticks" not in (await other.get(at(made))).text
        assert "Clears all ticks for everyone" in text(await hold(guest, made).get(at(made)))
        after = await guest.follow(await guest.send(at(made, "/admin/untick")))
        assert said(after) == "All ticks cleared. The list is ready to be used again."
        assert "0 of 2" in text(after)
        assert "Clear all ticks" not in after.text


class TestAnswers:
    async def test_are_listed_by_name_and_never_with_their_codes(
        self, site: Site, guest: Browser
    ) -> None:
        made = await site.made(NEXT_BIRTHDAY)
        gate = await site.opened(made, Event)
        ruth = TypedEventRsvp(name="Ruth", response="going", guest_count=2)
        karl = TypedEventRsvp(name="Karl", response="notGoing")
        given = [await events.answer(gate, one) for one in (ruth, karl)]
        answer = await hold(guest, made).get(at(made, "/admin"))
        assert "Ruth with 2 guests Coming" in text(answer)
        assert "Karl Can’t come" in text(answer)
        assert "3 coming, 2 of them guests" in text(answer)
        assert not any(one.code in answer.text for one in given)

    async def test_that_nobody_gave_yet(self, site: Site, guest: Browser) -> None:
        made = await site.made(NEXT_BIRTHDAY)
        assert "No answers yet" in text(await hold(guest, made).get(at(made, "/admin")))

    async def test_go_on_where_there_are_more_than_fit(self, site: Site, guest: Browser) -> None:
        made = await site.made(NEXT_BIRTHDAY)
        gate = await site.opened(made, Event)
        for number in range(events.GUESTS_SHOWN + 1):
            one = TypedEventRsvp(name=f"Guest {number}", response="going")
            await events.answer(gate, one)
        first = await hold(guest, made).get(at(made, "/admin"))
        cursor = first.text.partition("?cursor=")[2].partition('"')[0]
        rest = await guest.get(at(made, f"/admin?cursor={cursor}"))
        row = '<li class="row"><span class="row-text row-name">'
        assert (first.text.count(row), rest.text.count(row)) == (events.GUESTS_SHOWN, 1)
