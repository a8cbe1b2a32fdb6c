"""Editing a page: ids stay, nothing that was typed is lost, and nothing that others saved."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from commonroom.shareables.rules.checklists import TypedChecklist, TypedChecklistItem
from commonroom.shareables.rules.events import TypedEvent
from commonroom.shareables.rules.polls import (
    TypedPollPage,
    TypedPollPageOption,
    TypedQuestion,
    TypedVote,
)
from commonroom.shareables.service import checklists, polls
from commonroom.shareables.service.create import Created
from commonroom.shareables.service.edit import Typed, extend, save
from commonroom.shareables.service.passcodes import change_passcode
from commonroom.shareables.tables import Checklist, Event, Poll
from tests.shareables.furniture import ADMIN, NEXT_BIRTHDAY, SHOPPING, SUMMER, VIEW, YEAR
from tests.shareables.pages.filling import again, edit_form, hold, post
from tests.shareables.pages.site import DAY, Site, at, requests_for
from tests.support.pages import Browser, said, text, wrong

KINDS = {
    "checklist": SHOPPING,
    "event": replace(NEXT_BIRTHDAY, time_zone="Asia/Tokyo"),
    "poll": SUMMER,
}
ODD = TypedChecklist(
    name="<b>Bread</b> & “butter”",
    note='a "quoted" note\n\nwith lines',
    items=[
        TypedChecklistItem(name="1 < 2", note="&amp;\n</textarea>"),
        TypedChecklistItem(name="'"),
        TypedChecklistItem(name="é"),
    ],
)


async def voted(site: Site, made: Created, *places: int) -> None:
    """Lets people vote for options of the first question."""
    gate = await site.opened(made, Poll)
    first = gate.page.questions[0]
    for place in places:
        option = first.options[place].poll_question_option_id
        vote = TypedVote(answers={first.poll_question_id: [option]})
        await polls.vote(gate, vote)


async def saved_by_another(site: Site, made: Created, typed: Typed) -> None:
    """Lets somebody else save the page as it is now."""
    gate = await site.opened(made, type(made.page))
    await save(gate, gate.page.version, typed, confirm=True)


class TestTheForm:
    @pytest.mark.parametrize("typed", [*KINDS.values(), ODD], ids=[*KINDS, "odd"])
    async def test_is_filled_with_the_page_and_saving_it_changes_nothing(
        self, site: Site, guest: Browser, typed: Typed
    ) -> None:
        made = await site.made(typed)
        answer = await (await edit_form(hold(guest, made), made)).send(guest)
        assert (answer.status_code, answer.headers["location"]) == (303, at(made))
        assert (await site.opened(made, type(made.page))).page == made.page

    @pytest.mark.parametrize("typed", KINDS.values(), ids=KINDS)
    async def test_is_for_whoever_administers_the_page(
        self, site: Site, guest: Browser, typed: Typed
    ) -> None:
        made, shut = await site.made(typed), await site.made(typed, protected=True)
        for page in (made, shut):
            for answer in (await guest.get(at(page, "/edit")), await guest.send(at(page, "/edit"))):
                assert answer.status_code == 403
                assert typed.name not in text(answer)

    async def test_a_page_takes_one_request(self, site: Site, guest: Browser) -> None:
        made = await site.made()
        assert await requests_for(hold(guest, made), at(made, "/edit")) == 1

    async def test_a_page_whose_time_is_over_is_made_anew_instead(
        self, site: Site, guest: Browser
    ) -> None:
        made = await site.made(ago=8 * DAY)
        answer = await hold(guest, made).get(at(made, "/edit"))
        assert answer.headers["location"] == at(made, "/admin")
        assert "cannot be edited" in said(await guest.follow(answer))
        sheet = [("version", "1"), ("name", "Late"), ("item_id", ""), ("item", "Too late")]
        assert (await post(guest, at(made, "/edit"), sheet)).status_code == 410

    async def test_needs_to_know_of_which_version_it_is(self, site: Site, guest: Browser) -> None:
        made = await site.made()
        form = await edit_form(hold(guest, made), made)
        assert (await form.type("version", "the last").send(guest)).status_code == 400


class TestSaving:
    async def test_items_keep_their_ids_and_ticks_when_they_are_moved(
        self, site: Site, guest: Browser
    ) -> None:
        made = await site.made()
        gate = await site.opened(made, Checklist)
        milk, bread = gate.page.items
        await checklists.tick(gate, bread.checklist_item_id)
        form = await edit_form(hold(guest, made), made)
        form = again(await form.send(guest, "item_do", "up", 1), form).type("item", "Rye", 0)
        answer = await form.type("item", "Salt", 2).send(guest)
        assert "Saved" in said(await guest.follow(answer))
        after = (await site.opened(made, Checklist)).page
        ids = [one.checklist_item_id for one in after.items]
        assert ids[:2] == [bread.checklist_item_id, milk.checklist_item_id]
        assert [one.name for one in after.items] == ["Rye", "Milk", "Salt"]
        assert list(await checklists.ticks_of(site.store, after)) == [bread.checklist_item_id]

    async def test_an_item_that_is_emptied_is_gone(self, site: Site, guest: Browser) -> None:
        made = await site.made()
        form = await edit_form(hold(guest, made), made)
        await form.type("item", " ", 0).send(guest)
        after = (await site.opened(made, Checklist)).page
        assert [one.name for one in after.items] == ["Bread"]

    async def test_questions_and_options_keep_their_ids(self, site: Site, guest: Browser) -> None:
        made = await site.made(SUMMER)
        before = (await site.opened(made, Poll)).page
        await voted(site, made, 0)
        form = await edit_form(hold(guest, made), made)
        form = again(await form.send(guest, "question_do", "down", 0), form)
        form = again(await form.send(guest, "option_do", "up", 1), form)
        await form.type("title", "Which month?", 0).send(guest)
        after = (await site.opened(made, Poll)).page
        where, when = before.questions
        assert [one.poll_question_id for one in after.questions] == [
            when.poll_question_id,
            where.poll_question_id,
        ]
        assert after.questions[0].title == "Which month?"
        assert [one.label for one in after.questions[0].options] == ["July", "June", "August"]
        assert after.tally == {where.options[0].poll_question_option_id: 1}

    async def test_what_is_wrong_stands_beside_its_field(self, site: Site, guest: Browser) -> None:
        made = await site.made(NEXT_BIRTHDAY)
        form = await edit_form(hold(guest, made), made)
        answer = await form.type("end_time", f"{YEAR}-01-01T00:00").send(guest)
        assert answer.status_code == 422
        assert "cannot end before" in wrong(answer, "end_time")
        assert again(answer, form).values("name") == ["Birthday"]

    async def test_several_answers_stay_several_once_there_are_votes(
        self, site: Site, guest: Browser
    ) -> None:
        made = await site.made(SUMMER)
        gate = await site.opened(made, Poll)
        where, when = gate.page.questions
        answers = {
            where.poll_question_id: [where.options[0].poll_question_option_id],
            when.poll_question_id: [one.poll_question_option_id for one in when.options],
        }
        await polls.vote(gate, TypedVote(answers=answers))
        form = await edit_form(hold(guest, made), made)
        answer = await form.tick("is_multiple", 1, on=False).send(guest)
        assert answer.status_code == 422
        assert "cannot become single choice" in text(answer)


class TestTimes:
    async def test_are_shown_where_the_event_is(self, site: Site, guest: Browser) -> None:
        there = TypedEvent(
            name="Fair", start_time=f"{YEAR}-07-01T09:00:00Z", time_zone="Asia/Tokyo"
        )
        made = await site.made(there)
        form = await edit_form(hold(guest, made), made)
        assert form.values("start_time") == [f"{YEAR}-07-01T18:00"]
        assert form.values("time_zone") == ["Asia/Tokyo"]

    @pytest.mark.parametrize("start", ["2026-10-25T00:30:42Z", "2026-10-25T01:30:00Z"])
    async def test_that_nobody_touched_stay_to_the_second_also_when_clocks_go_back(
        self, site: Site, guest: Browser, start: str
    ) -> None:
        there = TypedEvent(name="Night", start_time=start, time_zone="Europe/Paris")
        made = await site.made(there, confirm_past=True)
        form = await edit_form(hold(guest, made), made)
        assert form.values("start_time") == ["2026-10-25T02:30"]
        await form.type("name", "The long night").send(guest)
        after = (await site.opened(made, Event)).page
        assert (after.name, after.start_time) == ("The long night", made.page.start_time)  # type: ignore[union-attr]

    async def test_of_a_page_without_a_zone_are_shown_in_the_readers(self, site: Site) -> None:
        made = await site.made(NEXT_BIRTHDAY)
        kim = await site.somebody(time_zone="Europe/Paris")
        form = await edit_form(hold(await site.browser(kim), made), made)
        assert form.values("start_time") == [f"{YEAR}-12-01T18:00"]
        assert form.values("time_zone") == ["Europe/Paris"]

    async def test_of_nobody_in_particular_are_turned_to_their_clock_by_their_device(
        self, site: Site, guest: Browser
    ) -> None:
        made = await site.made(NEXT_BIRTHDAY)
        answer = await hold(guest, made).get(at(made, "/edit"))
        assert "<times-here" in answer.text
        assert (await edit_form(guest, made)).values("start_time") == [f"{YEAR}-12-01T17:00"]


class TestWhatOthersSavedMeanwhile:
    async def test_stands_beside_what_was_typed_and_nothing_is_lost(
        self, site: Site, guest: Browser
    ) -> None:
        made = await site.made()
        milk, bread = (await site.opened(made, Checklist)).page.items
        form = await edit_form(hold(guest, made), made)
        theirs = TypedChecklist(
            name="Sunday’s shopping",
            items=[
                TypedChecklistItem(checklist_item_id=milk.checklist_item_id, name="Oat milk"),
                TypedChecklistItem(name="Salt"),
            ],
            ticks_shared=True,
        )
        await saved_by_another(site, made, theirs)
        form.type("name", "Saturday’s shopping").type("item", "Rye", 1).type("item", "Figs", 2)
        answer = await form.send(guest)
        assert answer.status_code == 409
        read = text(answer)
        assert "On the page now: Sunday’s shopping" in read
        assert "On the page now: Oat milk" in read
        assert "Someone else removed this in the meantime." in read
        assert "Added by someone else in the meantime." in read
        after = again(answer, form)
        assert after.values("name") == ["Saturday’s shopping"]
        assert [one for one in after.values("item") if one] == ["Milk", "Rye", "Figs", "Salt"]

        assert (await after.send(guest)).status_code == 303
        page = (await site.opened(made, Checklist)).page
        assert page.name == "Saturday’s shopping"
        assert [one.name for one in page.items] == ["Milk", "Rye", "Figs", "Salt"]
        assert page.items[0].checklist_item_id == milk.checklist_item_id
        assert bread.checklist_item_id not in {one.checklist_item_id for one in page.items}

    async def test_what_i_removed_does_not_come_back_with_it(
        self, site: Site, guest: Browser
    ) -> None:
        made = await site.made()
        form = await edit_form(hold(guest, made), made)
        form = again(await form.send(guest, "item_do", "remove", 0), form)
        kept = (await site.opened(made, Checklist)).page.items
        theirs = TypedChecklist(
            name="Sunday",
            items=[
                TypedChecklistItem(checklist_item_id=one.checklist_item_id, name=one.name)
                for one in kept
            ],
        )
        await saved_by_another(site, made, theirs)
        answer = await form.send(guest)
        assert answer.status_code == 409
        assert [one for one in again(answer, form).values("item") if one] == ["Bread"]

    async def test_is_shown_for_questions_and_options_too(self, site: Site, guest: Browser) -> None:
        made = await site.made(SUMMER)
        where, when = (await site.opened(made, Poll)).page.questions
        form = await edit_form(hold(guest, made), made)
        theirs = TypedPollPage(
            name="Summer",
            results_visibility="afterClose",
            questions=[
                TypedQuestion(
                    poll_question_id=where.poll_question_id,
                    title="Where do we go?",
                    is_required=True,
                    options=[
                        TypedPollPageOption(
                            poll_question_option_id=one.poll_question_option_id, label=one.label
                        )
                        for one in where.options
                    ]
                    + [TypedPollPageOption(label="A lake")],
                )
            ],
        )
        await saved_by_another(site, made, theirs)
        answer = await form.type("title", "In which month?", 1).send(guest)
        assert answer.status_code == 409
        read = text(answer)
        assert "On the page now: Where do we go? · required" in read
        assert "On the page now: Everyone, once it is closed" in read
        assert "Someone else removed this in the meantime." in read
        assert (await again(answer, form).send(guest)).status_code == 303
        first, second = (await site.opened(made, Poll)).page.questions
        assert [one.label for one in first.options] == ["The sea", "The hills", "A lake"]
        assert second.title == "In which month?"
        assert second.poll_question_id != when.poll_question_id

    async def test_comes_again_where_they_save_once_more(self, site: Site, guest: Browser) -> None:
        made = await site.made()
        form = (await edit_form(hold(guest, made), made)).type("name", "Mine")
        for name in ("First", "Second"):
            await saved_by_another(
                site, made, TypedChecklist(name=name, items=[TypedChecklistItem(name=name)])
            )
            answer = await form.send(guest)
            assert answer.status_code == 409
            form = again(answer, form)
            assert form.values("name") == ["Mine"]
        assert (await form.send(guest)).status_code == 303
        page = (await site.opened(made, Checklist)).page
        assert [one.name for one in page.items] == ["Milk", "Bread", "First", "Second"]

    async def test_is_shown_also_where_the_zone_that_was_sent_is_none(
        self, site: Site, guest: Browser
    ) -> None:
        made = await site.made(replace(SUMMER, closes_at=f"{YEAR}-07-01T18:00:00Z"))
        form = await edit_form(hold(guest, made), made)
        kept = (await site.opened(made, Poll)).page.questions
        theirs = TypedPollPage(
            name="Holidays",
            questions=[
                TypedQuestion(
                    title="Where?",
                    options=[TypedPollPageOption(label=one.label) for one in kept[0].options],
                )
            ],
        )
        await saved_by_another(site, made, theirs)
        answer = await form.type("closes_at", "").type("time_zone", "Moon/Crater").send(guest)
        assert answer.status_code == 409
        assert "On the page now: Holidays" in text(answer)

    async def test_is_nothing_where_only_settings_changed(self, site: Site, guest: Browser) -> None:
        made = await site.made(SUMMER)
        form = (await edit_form(hold(guest, made), made)).type("name", "Holidays")
        gate = await site.opened(made, Poll)
        await extend(gate, 30)
        await change_passcode(gate, "view", typed="fig tree")
        await polls.close_poll(gate)
        assert (await form.send(guest)).status_code == 303
        after = (await site.opened(made, Poll)).page
        assert (after.name, after.is_closed) == ("Holidays", True)


class TestRemovingWhatPeopleChose:
    async def test_is_asked_about_with_how_many_chose_it(self, site: Site, guest: Browser) -> None:
        made = await site.made(SUMMER)
        await voted(site, made, 0, 0, 1)
        form = await edit_form(hold(guest, made), made)
        assert "2 votes" in text(await guest.get(at(made, "/edit")))
        form = again(await form.send(guest, "option_do", "remove", 0), form).type(
            "option", "A lake", 1
        )
        asked = await form.send(guest)
        assert asked.status_code == 409
        assert "The sea 2 votes" in text(asked)
        assert "The hills 1 vote" not in text(asked).partition("Question")[0]
        assert (await site.opened(made, Poll)).page.vote_count == 3

        form = again(asked, form)
        answer = await form.send(guest, "confirm", "true")
        assert answer.status_code == 303
        after = (await site.opened(made, Poll)).page
        assert [one.label for one in after.questions[0].options] == ["The hills", "A lake"]
        assert list(after.tally.values()) == [1]

    async def test_without_votes_is_not_asked_about(self, site: Site, guest: Browser) -> None:
        made = await site.made(SUMMER)
        await voted(site, made, 0)
        form = await edit_form(hold(guest, made), made)
        form = again(await form.send(guest, "question_do", "remove", 1), form)
        assert (await form.send(guest)).status_code == 303
        assert len((await site.opened(made, Poll)).page.questions) == 1


async def test_the_passcodes_of_a_page_open_its_form_or_do_not(site: Site) -> None:
    made = await site.made(protected=True)
    for passcode, status in ((VIEW, 403), (ADMIN, 200)):
        browser = await site.browser()
        await browser.send(at(made, "/passcode"), passcode=passcode, next=at(made, "/edit"))
        assert (await browser.get(at(made, "/edit"))).status_code == status
