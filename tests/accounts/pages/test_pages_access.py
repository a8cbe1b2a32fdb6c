"""Who sees which page, what a page may hold, and what is said when something is wrong."""

from __future__ import annotations

import re

import pytest

from tests.support.pages import ADA, Browser, House, text, value

OWN = (
    "/me",
    "/me/security",
    "/me/tokens",
    "/me/members",
    "/me/data",
    "/me/data/download",
)
OPEN = ("/", "/forgot", "/act-as")
ADMIN = ("/admin/people", "/admin/invitations")


class TestCallers:
    @pytest.mark.parametrize("path", [*OWN, *ADMIN, "/act-as"])
    async def test_a_guest_is_asked_to_sign_in_and_comes_back(
        self, guest: Browser, path: str
    ) -> None:
        answer = await guest.get(path)
        assert (answer.status_code, answer.headers["location"]) == (303, f"/sign-in?next={path}")

    @pytest.mark.parametrize("path", [*OWN, *OPEN])
    async def test_an_ordinary_person_sees_their_own(self, ben: Browser, path: str) -> None:
        assert (await ben.get(path)).status_code == 200

    @pytest.mark.parametrize("path", ADMIN)
    async def test_an_ordinary_person_administers_nothing(self, ben: Browser, path: str) -> None:
        answer = await ben.get(path)
        assert answer.status_code == 403
        assert "Only an administrator can do this." in text(answer)

    @pytest.mark.parametrize("path", [*OWN, *OPEN, *ADMIN])
    async def test_an_administrator_sees_all(self, ada: Browser, path: str) -> None:
        assert (await ada.get(path)).status_code == 200

    @pytest.mark.parametrize("path", [*OWN, *ADMIN])
    async def test_whoever_acts_for_another_sees_neither(self, ada: Browser, path: str) -> None:
        await ada.send("/me/members", display_name="Mia")
        page = await ada.get("/me/members")
        member_id = page.text.partition('name="member_id" value="')[2].partition('"')[0]
        await ada.send("/act-as", member_id=member_id)
        assert (await ada.get(path)).status_code == 403
        assert (await ada.get("/")).status_code == 200

    @pytest.mark.parametrize("path", OWN)
    async def test_a_program_has_no_pages(self, house: House, ada: Browser, path: str) -> None:
        made = await ada.send("/me/tokens", name="script", read="true", write="true", days="0")
        program = await house.browser()
        program.client.headers["authorization"] = f"Bearer {value(made, 'secret')}"
        assert (await program.get(path)).status_code == 403

    async def test_a_form_from_another_site_does_nothing(self, ada: Browser) -> None:
        for headers in ({"sec-fetch-site": "cross-site"}, {"origin": "https://evil.example"}):
            answer = await ada.client.post("/me", data={"display_name": "Eve"}, headers=headers)
            assert answer.status_code == 403
            assert "came from another site" in text(answer)
        assert value(await ada.get("/me"), "display_name") == "Ada"


class TestEscaping:
    async def test_a_name_is_text_wherever_it_is_shown(self, house: House, ada: Browser) -> None:
        name = '<img src=x onerror="x">&amp;'
        await ada.send("/me", display_name=name)
        await ada.send("/me/members", display_name=name)
        await ada.send("/me/tokens", name=name, read="true", days="0")
        await ada.send("/admin/invitations", note=name, uses="1")
        person = f"/admin/people/{(await house.person(ADA['email'])).user_id}"
        shown = 0
        for path in ("/", *OWN[:-1], *ADMIN, "/act-as", person):
            answer = await ada.get(path)
            assert "<img src=x" not in answer.text
            assert "&amp;amp;" in answer.text, f"{path} shows it as it was typed"
            shown += 1
        assert shown == 10

    async def test_what_is_typed_stays_within_its_field(self, guest: Browser) -> None:
        typed = '"><script>x</script>'
        answer = await guest.send("/sign-in", email=typed, password="x", next=typed)
        assert "<script>x" not in answer.text
        assert value(answer, "email") == typed

    async def test_a_percent_sign_is_only_a_sign(self, ada: Browser) -> None:
        await ada.send("/me", display_name="100 %(name)s %d")
        assert "Hello, 100 %(name)s %d" in text(await ada.get("/"))


class TestPolicy:
    @pytest.mark.parametrize("path", ["/", *OWN[:-1], *ADMIN, "/act-as", "/nowhere"])
    async def test_no_page_needs_what_the_policy_forbids(self, ada: Browser, path: str) -> None:
        page = (await ada.get(path)).text
        assert not re.search(r"<style|\sstyle=|\son[a-z]+=|javascript:", page)
        assert all(
            re.match(r'<script src="/static/[^"]+" defer></script>', one)
            for one in re.findall(r"<script.*?</script>", page, re.DOTALL)
        )
        assert not re.search(r'(?:src|href|action)="(?:https?:)?//', page)

    async def test_every_page_has_its_landmarks_a_title_and_a_language(self, ada: Browser) -> None:
        page = (await ada.get("/me")).text
        assert '<html lang="en"' in page
        assert "<title>Profile · Commonroom</title>" in page
        assert 'href="#main"' in page
        assert page.count("<main") == page.count("<h1") == 1

    async def test_no_page_is_kept_by_anything_on_the_way(self, ada: Browser) -> None:
        answer = await ada.get("/me")
        assert answer.headers["cache-control"] == "private, no-cache"


class TestProblems:
    async def test_what_is_not_there_says_so_and_leads_home(self, guest: Browser) -> None:
        answer = await guest.get("/cellar")
        assert answer.status_code == 404
        page = text(answer)
        assert "Nothing was changed." in page
        assert "Check the address for typos" in page
        assert 'href="/"' in answer.text

    async def test_a_program_gets_a_document_instead(self, guest: Browser) -> None:
        answer = await guest.get("/cellar", headers={"accept": "application/json"})
        assert answer.headers["content-type"].startswith("application/problem+json")

    async def test_a_form_sent_after_the_session_ended_says_to_sign_in(self, ada: Browser) -> None:
        ada.client.cookies.clear()
        answer = await ada.send("/me", display_name="Ada")
        assert answer.status_code == 401
        assert "Sign in, then try again." in text(answer)

    async def test_what_a_cookie_says_is_no_text(self, guest: Browser) -> None:
        guest.client.cookies.set("said", "<b>hello</b>")
        assert "hello" not in text(await guest.get("/"))


class TestTheme:
    @pytest.mark.parametrize("theme", ["light", "dark"])
    async def test_light_or_dark_is_remembered_by_a_form(self, guest: Browser, theme: str) -> None:
        assert "data-theme" not in (await guest.get("/")).text
        answer = await guest.send("/theme", theme=theme)
        cookie = answer.headers["set-cookie"].lower()
        assert all(part in cookie for part in ("httponly", "samesite=lax", "path=/", "max-age="))
        assert f'<html lang="en" data-theme="{theme}">' in (await guest.follow(answer)).text

    async def test_it_can_be_left_to_the_device_again(self, guest: Browser) -> None:
        await guest.send("/theme", theme="dark")
        await guest.send("/theme", theme="auto")
        assert "data-theme" not in (await guest.get("/")).text

    @pytest.mark.parametrize(
        "referer,leads_to",
        [
            ("http://house.example/forgot", "/forgot"),
            ("http://house.example/sign-up?invitation=x", "/sign-up?invitation=x"),
            ("http://evil.example/forgot", "/"),
            ("http://house.example//evil.example", "/"),
            ("http://[", "/"),
            ("", "/"),
        ],
    )
    async def test_it_leads_back_to_the_page_it_was_chosen_on(
        self, guest: Browser, referer: str, leads_to: str
    ) -> None:
        answer = await guest.client.post(
            "/theme", data={"theme": "dark"}, headers={"referer": referer}
        )
        assert answer.headers["location"] == leads_to

    async def test_another_colour_is_not_understood(self, guest: Browser) -> None:
        assert (await guest.send("/theme", theme="pink")).status_code == 400
        guest.client.cookies.set("theme", "pink")
        assert "data-theme" not in (await guest.get("/")).text
