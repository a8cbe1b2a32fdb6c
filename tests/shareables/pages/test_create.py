"""Making a page in one screen: what was typed is never lost, and its creator finds back."""

from __future__ import annotations

import pytest

from commonroom.shareables.rules.limits import USUAL
from commonroom.shareables.rules.short_ids import format_short_id
from commonroom.shareables.tables import Checklist, Event, Poll
from tests.shareables.furniture import CLOCKS_GO_BACK, CLOCKS_GO_FORWARD, YEAR
from tests.shareables.pages.filling import Form, again, filled, new_form, post, stored
from tests.shareables.pages.site import Site
from tests.support.pages import Browser, text, value, wrong

KINDS = ("checklist", "event", "poll")


class TestTheForm:
    @pytest.mark.parametrize("kind", KINDS)
    async def test_is_there_for_anybody(self, guest: Browser, kind: str) -> None:
        answer = await guest.get(f"/s/new/{kind}")
        assert answer.status_code == 200
        assert "No account needed" in text(answer)
        assert answer.headers["x-robots-tag"] == "noindex, nofollow"

    @pytest.mark.parametrize("kind", KINDS)
    async def test_makes_a_page_with_as_little_as_it_needs(
        self, site: Site, guest: Browser, kind: str
    ) -> None:
        answer = await filled(await new_form(guest, kind), kind).send(guest)
        page = await stored(site, answer, guest)
        assert page.name == "Summer"
        assert page.created_by is None
        assert (page.view_passcode, page.admin_passcode) == (None, None)

    async def test_there_are_three_kinds(self, guest: Browser) -> None:
        assert (await guest.get("/s/new/riddle")).status_code == 404
        assert (await post(guest, "/s/new/riddle", [])).status_code == 404

    @pytest.mark.parametrize(
        "sheet", [[("colour", "red")], [("item", "before any row")], [("item_do", "up")]]
    )
    async def test_takes_nothing_that_it_has_no_field_for(
        self, guest: Browser, sheet: list[tuple[str, str]]
    ) -> None:
        assert (await post(guest, "/s/new/checklist", sheet)).status_code == 400

    @pytest.mark.parametrize(
        "sheet",
        [
            [("item_id", ""), ("item_do", "fly")],
            [("item_id", "")] * 5000,
            [("question_id", ""), ("option", "before any row")],
        ],
    )
    async def test_takes_nothing_that_it_could_not_have_sent(
        self, guest: Browser, sheet: list[tuple[str, str]]
    ) -> None:
        kind = "poll" if sheet[0][0] == "question_id" else "checklist"
        assert (await post(guest, f"/s/new/{kind}", sheet)).status_code == 400

    @pytest.mark.parametrize("body", [b'{"name": "x"}', b"name=%ff", "name=é".encode()])
    async def test_takes_nothing_but_a_form(self, guest: Browser, body: bytes) -> None:
        kind = "application/json" if body[:1] == b"{" else "application/x-www-form-urlencoded"
        answer = await guest.client.post(
            "/s/new/event", content=body, headers={"content-type": kind}
        )
        assert answer.status_code == 400

    async def test_takes_only_so_much(self, guest: Browser) -> None:
        assert (await post(guest, "/s/new/poll", [("note", "x" * 1_000_000)])).status_code == 413

    async def test_somebody_signed_in_finds_the_page_in_their_list(self, site: Site) -> None:
        kim = await site.somebody()
        browser = await site.browser(kim)
        answer = await filled(await new_form(browser, "poll"), "poll").send(browser)
        assert (await stored(site, answer, browser)).created_by == kim.user_id
        assert "Summer" in text(await browser.get("/s"))


class TestTheRows:
    async def test_one_more_keeps_what_was_typed(self, guest: Browser) -> None:
        form = (await new_form(guest, "checklist")).type("name", "Picnic").type("note", "Bring all")
        form.fill("item", "Bread", "Cheese").fill("item_note", "the dark one")
        form.type("view_passcode", "fig tree").choose("expires_after", "30")
        answer = await form.send(guest, "do", "more")
        assert answer.status_code == 200
        after = again(answer, form)
        assert len(after.values("item")) == len(form.values("item")) + 1
        assert after.values("item")[:2] == ["Bread", "Cheese"]
        for name in ("name", "note", "view_passcode", "expires_after"):
            assert after.values(name) == form.values(name)
        assert after.values("item_note")[0] == "the dark one"

    @pytest.mark.parametrize(
        "deed, place, after",
        [
            ("up", 1, ["B", "A", "C"]),
            ("up", 0, ["A", "B", "C"]),
            ("down", 1, ["A", "C", "B"]),
            ("remove", 1, ["A", "C"]),
            ("remove", 0, ["B", "C"]),
        ],
    )
    async def test_rows_are_moved_and_removed_by_buttons(
        self, guest: Browser, deed: str, place: int, after: list[str]
    ) -> None:
        form = (await new_form(guest, "checklist")).fill("item", "A", "B", "C")
        answer = await form.send(guest, "item_do", deed, place)
        assert [one for one in again(answer, form).values("item") if one] == after

    async def test_a_whole_list_can_be_pasted(self, site: Site, guest: Browser) -> None:
        form = (await new_form(guest, "checklist")).type("name", "Picnic").type("item", "Bread")
        form.type("pasted", "Cheese\r\n\r\n  Apples \nBlanket")
        page: Checklist = await stored(site, await form.send(guest), guest)
        assert [one.name for one in page.items] == ["Bread", "Cheese", "Apples", "Blanket"]

    async def test_a_list_can_be_as_long_as_lists_get(self, site: Site, guest: Browser) -> None:
        sheet = [("name", "Everything"), ("expires_after", "7")]
        for _ in range(200):
            sheet += [("item_id", ""), ("item", "x" * 120), ("item_note", "y" * 79)]
        page = await stored(site, await post(guest, "/s/new/checklist", sheet), guest)
        assert len(page.items) == 200
        edit = f"/s/{format_short_id(page.short_id)}/edit"
        form = Form(await guest.get(edit), edit)
        assert len(form.values("item")) == 200
        assert (await form.type("name", "All of it").send(guest)).status_code == 303

    async def test_notes_go_with_their_items(self, site: Site, guest: Browser) -> None:
        form = (await new_form(guest, "checklist")).type("name", "Picnic")
        form.fill("item", "Bread", "", "Cheese").fill("item_note", "", "", "the\r\nold one")
        page: Checklist = await stored(site, await form.send(guest), guest)
        assert [(one.name, one.note) for one in page.items] == [
            ("Bread", None),
            ("Cheese", "the\nold one"),
        ]
        assert page.ticks_shared

    async def test_questions_keep_their_options_when_they_are_moved(
        self, site: Site, guest: Browser
    ) -> None:
        form = (await new_form(guest, "poll")).type("name", "Summer").type("title", "Where?")
        form = again(await form.fill("option", "Sea", "Hills").send(guest, "do", "more"), form)
        form.type("title", "When?", 1).tick("is_multiple", 1)
        first = len(form.values("option")) // 2
        form.type("option", "June", first).type("option", "July", first + 1)
        form = again(await form.send(guest, "question_do", "up", 1), form)
        form = again(await form.send(guest, "option_do", "down", 0), form)
        form = again(await form.send(guest, "options_do", "more", 1), form)
        page: Poll = await stored(site, await form.send(guest), guest)
        assert [
            (one.title, one.is_multiple, [option.label for option in one.options])
            for one in page.questions
        ] == [("When?", True, ["July", "June"]), ("Where?", False, ["Sea", "Hills"])]

    async def test_a_poll_that_asks_one_thing_need_not_say_it_twice(
        self, site: Site, guest: Browser
    ) -> None:
        form = filled(await new_form(guest, "poll"), "poll").type("name", "Sea or hills?")
        page: Poll = await stored(site, await form.send(guest), guest)
        assert [one.title for one in page.questions] == ["Sea or hills?"]


class TestTimes:
    async def test_are_meant_where_the_event_is(self, site: Site, guest: Browser) -> None:
        form = filled(await new_form(guest, "event"), "event").type("time_zone", "Asia/Tokyo")
        form.type("end_time", f"{YEAR}-07-01T23:30").type("rsvp_deadline", f"{YEAR}-06-30T00:00")
        page: Event = await stored(site, await form.send(guest), guest)
        assert page.start_time == f"{YEAR}-07-01T09:00:00.000Z"
        assert page.end_time == f"{YEAR}-07-01T14:30:00.000Z"
        assert page.rsvp_deadline == f"{YEAR}-06-29T15:00:00.000Z"
        assert (page.time_zone, page.is_rsvp_required) == ("Asia/Tokyo", True)

    async def test_begin_with_the_zone_of_whoever_is_signed_in(self, site: Site) -> None:
        kim = await site.somebody(time_zone="Pacific/Auckland")
        form = await new_form(await site.browser(kim), "event")
        assert form.values("time_zone") == ["Pacific/Auckland"]

    @pytest.mark.parametrize(
        "typed, zone, field, why",
        [
            (f"{YEAR}-07-01T18:00", "", "time_zone", "Choose a time zone"),
            (f"{YEAR}-07-01T18:00", "Moon/Crater", "time_zone", "Choose a time zone"),
            ("tomorrow", "Europe/Paris", "start_time", "valid date and time"),
            ("0001-01-01T00:00", "Asia/Tokyo", "start_time", "valid date and time"),
            ("", "Europe/Paris", "start_time", "Choose when it starts."),
        ],
    )
    async def test_that_cannot_be_meant_are_refused(
        self, guest: Browser, typed: str, zone: str, field: str, why: str
    ) -> None:
        form = filled(await new_form(guest, "event"), "event")
        answer = await form.type("start_time", typed).type("time_zone", zone).send(guest)
        assert answer.status_code == 422
        assert why in wrong(answer, field)

    async def test_that_do_not_exist_are_asked_about(self, site: Site, guest: Browser) -> None:
        form = filled(await new_form(guest, "event"), "event")
        asked = await form.type("start_time", f"{CLOCKS_GO_FORWARD}T02:30").send(guest)
        assert asked.status_code == 422
        assert "There is no 02:30 that night" in text(asked)
        assert "Nothing is saved yet." in text(asked)
        form = again(asked, form)
        assert form.values("start_time") == [f"{CLOCKS_GO_FORWARD}T02:30"], "nothing typed is lost"
        form.choose("start_time_means", f"{CLOCKS_GO_FORWARD}T01:30:00+00:00")
        page = await stored(site, await form.send(guest), guest)
        assert page.start_time == f"{CLOCKS_GO_FORWARD}T01:30:00.000Z", "half past three"

    async def test_that_come_twice_are_asked_about(self, site: Site, guest: Browser) -> None:
        form = filled(await new_form(guest, "event"), "event")
        asked = await form.type("start_time", f"{CLOCKS_GO_BACK}T02:30").send(guest)
        assert "02:30 happens twice that night" in text(asked)
        form = again(asked, form).choose("start_time_means", f"{CLOCKS_GO_BACK}T01:30:00+00:00")
        page = await stored(site, await form.send(guest), guest)
        assert page.start_time == f"{CLOCKS_GO_BACK}T01:30:00.000Z"

    @pytest.mark.parametrize("field", ["start_time", "rsvp_deadline"])
    async def test_in_the_past_are_asked_about_and_never_refused(
        self, site: Site, guest: Browser, field: str
    ) -> None:
        form = filled(await new_form(guest, "event"), "event")
        asked = await form.type(field, "2001-07-01T18:00").send(guest)
        assert asked.status_code == 422
        assert "This is in the past. Is that right?" in text(asked)
        page = await stored(
            site, await again(asked, form).tick(f"{field}_means").send(guest), guest
        )
        assert getattr(page, field) == "2001-07-01T16:00:00.000Z"

    async def test_a_poll_closes_when_it_says(self, site: Site, guest: Browser) -> None:
        form = filled(await new_form(guest, "poll"), "poll").type(
            "closes_at", f"{YEAR}-07-01T20:00"
        )
        refused = await form.send(guest)
        assert "Choose a time zone" in wrong(refused, "time_zone")
        form = again(refused, form).type("time_zone", "America/New_York")
        page: Poll = await stored(site, await form.send(guest), guest)
        assert page.closes_at == f"{YEAR}-07-02T00:00:00.000Z"


class TestWhatIsWrong:
    async def test_is_all_said_at_once(self, guest: Browser) -> None:
        form = filled(await new_form(guest, "event"), "event")
        answer = await form.type("name", " ").type("location", "x" * 301).send(guest)
        assert answer.status_code == 422
        assert wrong(answer, "name") == "Give it a title."
        assert "300" in wrong(answer, "location")

    @pytest.mark.parametrize(
        "kind, name, typed, field",
        [
            ("checklist", "name", "", "name"),
            ("checklist", "name", "x" * 101, "name"),
            ("checklist", "note", "x" * 5001, "note"),
            ("checklist", "view_passcode", "abc", "view_passcode"),
            ("checklist", "admin_passcode", "abc", "admin_passcode"),
            ("event", "location", "x" * 301, "location"),
            ("event", "description", "x" * 10_001, "description"),
            ("event", "end_time", f"{YEAR}-06-01T00:00", "end_time"),
            ("poll", "note", "x" * 5001, "note"),
        ],
    )
    async def test_stands_beside_its_field_and_nothing_is_lost(
        self, guest: Browser, kind: str, name: str, typed: str, field: str
    ) -> None:
        form = filled(await new_form(guest, kind), kind).type(name, typed)
        answer = await form.send(guest)
        assert answer.status_code == 422
        assert wrong(answer, field)
        after = again(answer, form)
        for one in form.controls:
            if one.name and not one.is_button:
                sent, kept = form.values(one.name), after.values(one.name)
                assert [text for text in kept if text] == [text for text in sent if text], one.name

    async def test_two_passcodes_that_are_alike(self, guest: Browser) -> None:
        form = filled(await new_form(guest, "poll"), "poll")
        form.type("view_passcode", "fig tree").type("admin_passcode", "fig tree")
        answer = await form.send(guest)
        assert "must be different" in wrong(answer, "admin_passcode")
        assert value(answer, "view_passcode") == "fig tree"

    async def test_stands_beside_its_row(self, guest: Browser) -> None:
        form = (await new_form(guest, "checklist")).type("name", "Picnic")
        answer = await form.fill("item", "Bread", "x" * 201, "Cheese").send(guest)
        assert answer.status_code == 422
        assert answer.text.count('id="item-2-wrong"') == 1
        assert "autofocus" in answer.text.partition("x" * 201)[2].partition(">")[0]
        assert "item-1-wrong" not in answer.text
        assert "items-wrong" not in answer.text

    async def test_stands_beside_its_question_or_option(self, guest: Browser) -> None:
        form = filled(await new_form(guest, "poll"), "poll").type("option", "x" * 201, 1)
        answer = await form.send(guest)
        assert 'id="option-1-2-wrong"' in answer.text
        answer = await form.type("option", "The hills", 1).type("title", "x" * 301).send(guest)
        assert 'id="question-1-wrong"' in answer.text

    @pytest.mark.parametrize(
        "kind, why",
        [("checklist", "1 to 200 items"), ("poll", "1 to 20 questions")],
    )
    async def test_a_page_with_nothing_on_it(self, guest: Browser, kind: str, why: str) -> None:
        answer = await (await new_form(guest, kind)).type("name", "Nothing").send(guest)
        assert answer.status_code == 422
        assert why in text(answer)

    async def test_a_question_without_a_choice(self, guest: Browser) -> None:
        form = (await new_form(guest, "poll")).type("name", "Summer").fill("option", "The sea")
        answer = await form.send(guest)
        assert "2 to 20 options" in text(answer)
        assert 'id="question-1-wrong"' in answer.text
        assert again(answer, form).values("option")[0] == "The sea"

    async def test_choices_that_no_form_offers(self, guest: Browser) -> None:
        for name in ("expires_after", "results_visibility"):
            form = filled(await new_form(guest, "poll"), "poll")
            sheet = [pair for pair in form.sheet() if pair[0] != name]
            answer = await post(guest, form.action, [*sheet, (name, "forever")])
            assert answer.status_code == 422
            assert f'id="{name}-wrong"' in answer.text

    async def test_whoever_makes_too_many_pages_waits_and_loses_nothing(self, site: Site) -> None:
        browser = await site.browser(address="192.0.2.7")
        for _ in range(USUAL.pages_per_day):
            await site.made(address="192.0.2.7")
        form = filled(await new_form(browser, "checklist"), "checklist")
        answer = await form.send(browser)
        assert answer.status_code == 429
        assert answer.headers["retry-after"]
        assert again(answer, form).values("item")[0] == "Bread"
