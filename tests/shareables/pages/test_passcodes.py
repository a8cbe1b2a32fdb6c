"""Passcodes: a page that is shut says that it is, and nothing else."""

from __future__ import annotations

import re
from http.cookies import SimpleCookie

import httpx
import pytest

from commonroom.shareables.pages.passcodes import MAX_FORM
from commonroom.shareables.rules.access import Role
from commonroom.shareables.rules.short_ids import recovery_address
from commonroom.shareables.service.create import Created
from commonroom.shareables.service.passcodes import PASSCODES, change_passcode
from commonroom.shareables.tables import Checklist, Poll
from tests.shareables.furniture import ADMIN, NEXT_BIRTHDAY, SHOPPING, SUMMER, VIEW
from tests.shareables.pages.filling import Form, edit_form, hold, post
from tests.shareables.pages.site import DAY, Site, at
from tests.support.pages import Browser, addresses, said, text, value, wrong


async def entered(browser: Browser, made: Created, passcode: str, **more: str) -> httpx.Response:
    """What a browser is told that types a passcode."""
    return await browser.send(at(made, "/passcode"), passcode=passcode, **more)


class TestAPageThatIsShut:
    async def test_asks_for_a_passcode_and_looks_the_same_whatever_it_is(
        self, site: Site, guest: Browser
    ) -> None:
        bodies = set()
        for typed in (SHOPPING, NEXT_BIRTHDAY, SUMMER):
            for ago in (0, 8 * DAY):
                made = await site.made(typed, protected=True, ago=ago)
                answer = await guest.get(at(made))
                assert answer.status_code == 403
                assert typed.name not in answer.text
                bodies.add(answer.text.replace(at(made), ""))
        assert len(bodies) == 1
        assert "This page needs a passcode" in bodies.pop()

    async def test_opens_with_a_passcode_and_stays_open_on_this_device(
        self, site: Site, guest: Browser, shut: Created
    ) -> None:
        answer = await guest.follow(await entered(guest, shut, VIEW))
        assert "Shopping" in text(answer)
        assert "Needs a passcode" in text(answer)
        assert "Edit" not in text(answer)
        assert (await guest.get(at(shut))).status_code == 200
        assert (await (await site.browser()).get(at(shut))).status_code == 403

    async def test_lets_the_other_passcode_administer_it(
        self, guest: Browser, shut: Created
    ) -> None:
        answer = await guest.follow(await entered(guest, shut, ADMIN))
        assert f'href="{at(shut)}/edit"' in answer.text

    async def test_refuses_a_wrong_one_in_the_same_words_for_all(
        self, site: Site, guest: Browser, shut: Created
    ) -> None:
        poll = await site.made(SUMMER, protected=True)
        answers = [await entered(guest, made, "nonsense") for made in (shut, poll)]
        assert {one.status_code for one in answers} == {403}
        assert wrong(answers[0], "passcode") == "Wrong passcode. Please try again."
        assert "nonsense" not in answers[0].text
        assert answers[0].text.replace(at(shut), "") == answers[1].text.replace(at(poll), "")

    async def test_slows_guessing_down(self, site: Site, shut: Created) -> None:
        guesser = await site.browser(address="10.0.0.8")
        for _ in range(PASSCODES.from_network.tries):
            assert (await entered(guesser, shut, "nonsense")).status_code == 403
        answer = await entered(guesser, shut, VIEW)
        assert answer.status_code == 429
        assert int(answer.headers["retry-after"]) > 0
        assert "passcode" in wrong(answer, "passcode") or "again" in wrong(answer, "passcode")

    async def test_leads_to_what_was_wanted_of_it(self, site: Site, guest: Browser) -> None:
        made = await site.made(NEXT_BIRTHDAY, protected=True)
        asked = await guest.get(at(made, "/event.ics"))
        assert asked.status_code == 403
        wanted = re.search(r'name="next" value="([^"]*)"', asked.text)
        assert wanted
        answer = await entered(guest, made, VIEW, next=wanted[1])
        assert answer.headers["location"] == at(made, "/event.ics")

    @pytest.mark.parametrize(
        "elsewhere", ["https://evil.example/", "//evil.example", "/sign-out", "/s/AAA-AAA-00000/x"]
    )
    async def test_leads_nowhere_else(self, guest: Browser, shut: Created, elsewhere: str) -> None:
        answer = await entered(guest, shut, ADMIN, next=elsewhere)
        assert answer.headers["location"] == at(shut)

    async def test_says_so_where_a_passcode_is_only_for_looking(
        self, guest: Browser, shut: Created
    ) -> None:
        answer = await guest.follow(await entered(guest, shut, VIEW, next=at(shut, "/edit")))
        assert answer.status_code == 200
        assert said(answer).startswith("That passcode is only for viewing.")
        answer = await entered(guest, shut, ADMIN, next=at(shut, "/edit"))
        assert answer.headers["location"] == at(shut, "/edit")

    async def test_is_shut_again_after_its_passcode_changed(
        self, site: Site, guest: Browser, shut: Created
    ) -> None:
        await entered(guest, shut, VIEW)
        gate = await site.opened(shut, Checklist)
        await change_passcode(gate, "view", typed="another one")
        assert (await guest.get(at(shut))).status_code == 403
        answer = await guest.send(at(shut, "/tick"), tick="x")
        assert answer.status_code == 403
        assert "This page needs a passcode" in text(answer)
        assert (await guest.follow(await entered(guest, shut, "another one"))).status_code == 200

    async def test_tells_programs_in_their_words(self, guest: Browser, shut: Created) -> None:
        answer = await guest.get(at(shut), headers={"accept": "application/json"})
        assert answer.status_code == 403
        assert answer.json()["title"] == "This page needs a passcode"

    async def test_does_not_tell_whether_there_is_a_page_but_that_there_is(
        self, guest: Browser
    ) -> None:
        answer = await guest.send("/s/AAA-AAA-00000/passcode", passcode="nonsense")
        assert answer.status_code == 404


class TestCookies:
    @pytest.mark.parametrize("https", [False, True])
    async def test_are_kept_for_one_page_out_of_the_reach_of_scripts(
        self, site: Site, shut: Created, https: bool
    ) -> None:
        browser = await site.browser(https=https)
        answers = [
            await entered(browser, shut, VIEW),
            await browser.send(at(shut, "/name"), name="Ben"),
        ]
        party = await site.made(NEXT_BIRTHDAY)
        answers.append(await browser.send(at(party, "/answer"), name="Ben", response="going"))
        found = SimpleCookie()
        for answer in answers:
            for header in answer.headers.get_list("set-cookie"):
                found.load(header)
        found.pop("said", None)
        assert set(found) == {"pass-view", "name", "receipt", "fresh"}
        for name, cookie in found.items():
            page = party if name in ("receipt", "fresh") else shut
            assert cookie["path"] == at(page)
            assert cookie["httponly"]
            assert cookie["samesite"] == "lax"
            assert bool(cookie["secure"]) is https
            assert 0 < int(cookie["max-age"]) <= 400 * DAY

    async def test_hold_one_pass_for_each_standing(
        self, site: Site, guest: Browser, shut: Created
    ) -> None:
        for _ in range(3):
            await entered(guest, shut, VIEW)
            await entered(guest, shut, ADMIN)
            await guest.send(recovery_address(shut.page.short_id, shut.token))
        names = sorted(one.name for one in guest.client.cookies.jar if one.name != "said")
        assert names == ["pass-admin", "pass-creator", "pass-view"]

    async def test_show_no_code(self, site: Site, guest: Browser) -> None:
        party = await site.made(NEXT_BIRTHDAY)
        sent = await guest.send(at(party, "/answer"), name="Ben", response="going")
        code = value(await guest.follow(sent), "your-code")
        assert code not in str(sent.headers)


CHANGED = "plum tree"
KEPT = "What you typed is kept"


async def change(site: Site, made: Created, role: Role) -> None:
    """What somebody else does meanwhile."""
    gate = await site.opened(made, type(made.page))
    await change_passcode(gate, role, typed=CHANGED)


async def test_an_edit_is_carried_past_a_changed_passcode_and_a_mistyped_one(
    site: Site, guest: Browser
) -> None:
    made = await site.made(protected=True)
    await guest.send(at(made, "/passcode"), passcode=ADMIN)
    form = (await edit_form(guest, made)).type("name", "Für “Samstag” & so").type("note", "a\r\nb")
    await change(site, made, "admin")
    refused = await form.send(guest)
    assert refused.status_code == 403
    assert KEPT in text(refused)
    door = at(made, "/passcode")
    mistyped = await Form(refused, door).type("passcode", "fig tree").send(guest)
    assert mistyped.status_code == 403
    opened = await Form(mistyped, door).type("passcode", CHANGED).send(guest)
    assert opened.status_code == 200
    assert opened.headers["cache-control"] == "no-store"
    saved = await Form(opened, at(made, "/edit")).send(guest)
    assert saved.headers["location"] == at(made)
    visitor = await site.browser()
    await visitor.send(door, passcode=VIEW)
    assert "Für “Samstag” & so a b" in text(await visitor.get(at(made))).replace("  ", " ")


async def test_a_vote_is_carried_past_the_passcode_to_look(site: Site, guest: Browser) -> None:
    made = await site.made(SUMMER, protected=True)
    assert isinstance(made.page, Poll)
    await guest.send(at(made, "/passcode"), passcode=VIEW)
    await change(site, made, "view")
    where, when = made.page.questions
    sheet = [(where.poll_question_id, where.options[0].poll_question_option_id), ("name", "Ben")]
    sheet += [(when.poll_question_id, one.poll_question_option_id) for one in when.options]
    refused = await post(guest, at(made, "/vote"), sheet)
    opened = await Form(refused, at(made, "/passcode")).type("passcode", CHANGED).send(guest)
    answer = await guest.follow(await Form(opened, at(made, "/vote")).send(guest))
    assert said(answer) == "Thank you! Your vote is counted."
    assert (await site.opened(made, Poll)).page.tally == {
        one.poll_question_option_id: 1 for one in (where.options[0], *when.options)
    }


async def test_an_edit_is_not_offered_to_whoever_may_only_look(site: Site, guest: Browser) -> None:
    made = await site.made(protected=True)
    refused = await post(guest, at(made, "/edit"), [("name", "Mine")])
    opened = await Form(refused, at(made, "/passcode")).type("passcode", VIEW).send(guest)
    assert said(await guest.follow(opened)).startswith("That passcode is only for viewing.")


@pytest.mark.parametrize("below", ["/admin/delete", "/admin/passcodes/view", "/tick"])
async def test_what_is_pressed_and_not_typed_is_not_carried(
    site: Site, guest: Browser, below: str
) -> None:
    made = await site.made(protected=True)
    assert KEPT not in text(await guest.send(at(made, below), passcode="secret", tick="x"))


async def test_only_to_a_form_of_the_same_page(site: Site, guest: Browser) -> None:
    made, other = await site.made(protected=True), await site.made()
    for wanted in (at(made, "/admin/delete"), at(other, "/edit"), "https://evil.example/edit"):
        sent = {"passcode": ADMIN, "next": wanted, "typed": "name=Mine"}
        answer = await guest.send(at(made, "/passcode"), **sent)
        assert answer.status_code == 303
        assert answer.headers["location"] in (at(made), at(made, "/admin/delete"))
    assert (await site.opened(made, Checklist)).page.name == SHOPPING.name


async def test_only_so_much(site: Site, guest: Browser) -> None:
    made = await site.made(protected=True)
    answer = await post(guest, at(made, "/edit"), [("note", "x" * MAX_FORM)])
    assert answer.status_code == 403
    assert KEPT not in text(answer)


class TestPasscodes:
    async def test_for_everybody_shuts_the_page_to_all_but_its_creator(
        self, site: Site, guest: Browser
    ) -> None:
        made, visitor = await site.made(), await site.browser()
        assert (await visitor.get(at(made))).status_code == 200
        answer = await hold(guest, made).send(
            at(made, "/admin/passcodes/view"), passcode="fig tree"
        )
        assert said(await guest.follow(answer)).startswith("Passcode saved.")
        assert (await guest.get(at(made))).status_code == 200
        assert (await visitor.get(at(made))).status_code == 403
        await visitor.send(at(made, "/passcode"), passcode="fig tree")
        assert (await visitor.get(at(made))).status_code == 200

        await guest.send(at(made, "/admin/passcodes/view"), passcode="plum tree")
        assert (await visitor.get(at(made))).status_code == 403
        gone = await guest.send(at(made, "/admin/passcodes/view/remove"))
        assert said(await guest.follow(gone)) == "Passcode removed."
        assert (await visitor.get(at(made))).status_code == 200

    async def test_to_edit_leaves_the_creators_link_as_it_is(
        self, site: Site, guest: Browser
    ) -> None:
        made = await site.made()
        answer = await hold(guest, made).send(
            at(made, "/admin/passcodes/admin"), passcode="fig tree"
        )
        assert answer.headers["location"] == at(made, "/admin")
        for browser in (guest, hold(await site.browser(), made)):
            assert (await browser.get(at(made, "/admin"))).status_code == 200

    async def test_is_not_removed_by_whoever_came_in_with_it(
        self, site: Site, guest: Browser
    ) -> None:
        made = await site.made(protected=True)
        await guest.send(at(made, "/passcode"), passcode=ADMIN)
        changed = await guest.send(at(made, "/admin/passcodes/admin"), passcode="plum tree")
        assert changed.headers["location"] == at(made, "/admin")
        settings = await guest.get(at(made, "/admin"))
        assert not addresses(settings, at(made, "/admin/passcodes/admin/remove"))
        assert not addresses(settings, at(made, "/admin/link"))
        for below in ("/admin/passcodes/admin/remove", "/admin/link"):
            assert (await guest.send(at(made, below))).status_code == 403
        creator = hold(await site.browser(), made)
        assert (await creator.get(at(made, "/admin"))).status_code == 200

    async def test_the_private_edit_link_is_issued_anew_and_ends_the_one_before(
        self, site: Site, guest: Browser
    ) -> None:
        made = await site.made()
        hold(guest, made)
        answer = await guest.send(at(made, "/admin/link"))
        assert answer.headers["location"] == at(made, "/ready")
        shown = await guest.follow(answer)
        assert "New private edit link" in text(shown)
        fresh = value(shown, "recovery").rpartition("/")[2]
        assert (await guest.get(at(made, "/admin"))).status_code == 200
        before, after = await site.browser(), await site.browser()
        assert (await hold(before, made).get(at(made, "/admin"))).status_code == 403
        assert (await hold(after, made, fresh).get(at(made, "/admin"))).status_code == 200

    @pytest.mark.parametrize("role", ["view", "admin"])
    @pytest.mark.parametrize("typed", ["abc", "x" * 65])
    async def test_that_is_unfit_is_refused_beside_its_field(
        self, site: Site, guest: Browser, role: str, typed: str
    ) -> None:
        made = await site.made()
        answer = await hold(guest, made).send(at(made, f"/admin/passcodes/{role}"), passcode=typed)
        assert answer.status_code == 422
        assert "6 to 64 characters" in wrong(answer, f"{role}-passcode")

    async def test_that_are_alike_are_refused(self, site: Site, guest: Browser) -> None:
        made = await site.made(protected=True)
        hold(guest, made)
        answer = await guest.send(at(made, "/admin/passcodes/view"), passcode=ADMIN)
        assert "must be different" in wrong(answer, "view-passcode")

    async def test_there_are_two_of(self, site: Site, guest: Browser) -> None:
        made = await site.made()
        for below in ("/admin/passcodes/owner", "/admin/passcodes/owner/remove"):
            answer = await hold(guest, made).send(at(made, below), passcode="fig tree")
            assert answer.status_code == 404

    async def test_and_hashes_are_nowhere_to_be_seen(self, site: Site, guest: Browser) -> None:
        made = await site.made(protected=True)
        answer = await hold(guest, made).get(at(made, "/admin"))
        for secret in (VIEW, ADMIN, "argon2"):
            assert secret not in answer.text
