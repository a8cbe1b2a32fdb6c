"""Coming in: the front door, the first administrator, signing in and out."""

from __future__ import annotations

import pytest

from commonroom.accounts.service.throttle import SIGN_IN
from tests.support.first_account import CODE
from tests.support.pages import ADA, PASSWORD, Browser, House, said, text, value, wrong


class TestFrontDoor:
    async def test_a_house_that_nobody_set_up_leads_to_its_setting_up(self, house: House) -> None:
        browser = await house.browser()
        for path in ("/", "/sign-in", "/sign-up"):
            answer = await browser.get(path)
            assert (answer.status_code, answer.headers["location"]) == (303, "/setup")

    async def test_a_guest_is_welcomed_and_can_sign_in_at_once(self, guest: Browser) -> None:
        answer = await guest.get("/")
        assert answer.status_code == 200
        assert "Come on in" in text(answer)
        assert 'action="/sign-in"' in answer.text
        assert all(
            room in text(answer)
            for room in ("Movie night", "Library", "Shareables", "Watchlists", "Hangouts")
        )

    async def test_whoever_is_signed_in_is_at_home_with_next_steps(
        self, ada: Browser, ben: Browser
    ) -> None:
        page = text(await ada.get("/"))
        assert "Hello, Ada" in page
        assert "Invite someone" in page
        assert "Invite someone" not in text(await ben.get("/")), "Ben cannot"

    async def test_home_greets_by_the_time_of_day_where_one_lives(self, ada: Browser) -> None:
        await ada.send("/me", display_name="Ada", time_zone="Asia/Tokyo")
        page = text(await ada.get("/"))
        assert any(hello in page for hello in ("Good", "Still up"))
        assert "Say where you live" not in page


class TestSettingUp:
    async def test_the_first_one_is_an_administrator_and_signed_in(self, house: House) -> None:
        browser = await house.browser()
        assert (await browser.get("/setup")).status_code == 200
        home = await browser.follow(await browser.set_up(**ADA))
        assert said(home).startswith("Welcome")
        assert "Administration" in text(home)
        assert (await house.person(ADA["email"])).is_admin

    @pytest.mark.parametrize(
        "field,typed",
        [
            ("email", "ada"),
            ("display_name", " "),
            ("password", "short"),
            ("password", "password12"),
        ],
    )
    async def test_what_does_not_fit_is_said_beside_its_field(
        self, house: House, field: str, typed: str
    ) -> None:
        browser = await house.browser()
        answer = await browser.set_up(**ADA | {field: typed})
        assert answer.status_code == 422
        assert wrong(answer, field)
        kept = {"email", "display_name"} - {field}
        assert all(value(answer, name) == ADA[name] for name in kept)
        assert PASSWORD not in answer.text

    async def test_the_zone_of_the_device_is_theirs(self, house: House) -> None:
        browser = await house.browser()
        await browser.send("/setup", **ADA, code=CODE, time_zone="Pacific/Auckland")
        assert (await house.person(ADA["email"])).time_zone == "Pacific/Auckland"

    async def test_it_is_gone_once_somebody_came_first(self, ada: Browser, guest: Browser) -> None:
        assert (await guest.get("/setup")).headers["location"] == "/"
        answer = await guest.send("/setup", **ADA | {"email": "eve@example.org"})
        assert (answer.status_code, answer.headers["location"]) == (303, "/sign-in")


class TestSigningIn:
    async def test_the_cookie_is_for_this_site_alone_and_not_for_scripts(
        self, guest: Browser
    ) -> None:
        answer = await guest.send("/sign-in", email=ADA["email"], password=PASSWORD)
        assert (answer.status_code, answer.headers["location"]) == (303, "/")
        cookie = _set_cookie(answer.headers.get_list("set-cookie"), "session")
        assert {"httponly", "samesite=lax", "path=/"} <= cookie
        assert "secure" not in cookie, "this is http, where a browser would drop it"
        assert not any(part.startswith("domain") for part in cookie)

    async def test_over_https_the_cookie_is_bound_to_the_host(
        self, house: House, ada: Browser
    ) -> None:
        browser = await house.browser(https=True)
        answer = await browser.send("/sign-in", email=ADA["email"], password=PASSWORD)
        cookie = _set_cookie(answer.headers.get_list("set-cookie"), "__Host-session")
        assert {"secure", "httponly", "samesite=lax", "path=/"} <= cookie
        assert (await browser.get("/me")).status_code == 200

    async def test_the_session_from_before_ends(self, house: House, guest: Browser) -> None:
        await guest.send("/sign-in", email=ADA["email"], password=PASSWORD)
        before = guest.client.cookies["session"]
        await guest.send("/sign-in", email=ADA["email"], password=PASSWORD)
        assert guest.client.cookies["session"] != before
        other = await house.browser()
        other.client.cookies.set("session", before)
        assert (await other.get("/me")).status_code == 303

    @pytest.mark.parametrize("email", [ADA["email"], "nobody@example.org", "no address"])
    async def test_what_is_wrong_is_not_told_and_the_password_not_kept(
        self, guest: Browser, email: str
    ) -> None:
        answer = await guest.send("/sign-in", email=email, password="not my password")
        assert answer.status_code == 401
        assert "Wrong e-mail or password." in text(answer)
        assert value(answer, "email") == email
        assert "not my password" not in answer.text
        assert "session" not in guest.client.cookies

    async def test_too_many_tries_have_to_wait(self, guest: Browser) -> None:
        for _ in range(SIGN_IN.from_network.tries):
            await guest.send("/sign-in", email=ADA["email"], password="not my password")
        answer = await guest.send("/sign-in", email=ADA["email"], password=PASSWORD)
        assert answer.status_code == 429
        assert int(answer.headers["retry-after"]) > 0
        assert "Too many attempts" in text(answer)
        assert value(answer, "email") == ADA["email"]

    async def test_a_browser_that_was_here_before_gets_in_while_strangers_guess(
        self, house: House, ada: Browser, guest: Browser
    ) -> None:
        await ada.send("/sign-out")
        for _ in range(3 * SIGN_IN.from_network.tries):
            await guest.send("/sign-in", email=ADA["email"], password="not my password")
        for browser, status in ((guest, 429), (ada, 303)):
            answer = await browser.send("/sign-in", email=ADA["email"], password=PASSWORD)
            assert answer.status_code == status

    async def test_what_a_browser_shows_of_earlier_visits_is_sealed_and_for_this_site_alone(
        self, house: House, ada: Browser
    ) -> None:
        browser = await house.browser(https=True)
        answer = await browser.send("/sign-in", email=ADA["email"], password=PASSWORD)
        (cookie,) = [one for one in answer.headers.get_list("set-cookie") if "-device=" in one]
        assert cookie.startswith("__Host-device=")
        assert {"HttpOnly", "Path=/", "SameSite=lax", "Secure"} <= set(cookie.split("; "))
        assert (await house.person(ADA["email"])).user_id not in cookie

    @pytest.mark.parametrize("cookie", ["nonsense", "", "A" * 5000])
    async def test_a_cookie_that_is_none_of_ours_counts_for_nothing(
        self, house: House, ada: Browser, guest: Browser, cookie: str
    ) -> None:
        for _ in range(SIGN_IN.from_network.tries):
            await guest.send("/sign-in", email=ADA["email"], password="not my password")
        guest.client.cookies.set("device", cookie)
        answer = await guest.send("/sign-in", email=ADA["email"], password=PASSWORD)
        assert answer.status_code == 429

    async def test_whoever_is_signed_in_needs_no_form(self, ada: Browser) -> None:
        assert (await ada.get("/sign-in?next=/me")).headers["location"] == "/me"

    async def test_a_page_that_needs_signing_in_is_reached_after_it(self, guest: Browser) -> None:
        form = await guest.follow(await guest.get("/me/data"))
        assert 'name="next" value="/me/data"' in form.text
        answer = await guest.send(
            "/sign-in", email=ADA["email"], password=PASSWORD, next="/me/data"
        )
        assert answer.headers["location"] == "/me/data"

    @pytest.mark.parametrize(
        "elsewhere",
        [
            "https://evil.example/",
            "//evil.example/",
            "/\\evil.example/",
            "\\\\evil.example",
            "/\t/evil.example",
            "/%0d%0aset-cookie:a=b\r\nx: y",
            "javascript:alert(1)",
            "evil.example",
            " //evil.example",
            "",
        ],
    )
    async def test_it_never_leads_to_another_site(self, guest: Browser, elsewhere: str) -> None:
        answer = await guest.send("/sign-in", email=ADA["email"], password=PASSWORD, next=elsewhere)
        assert (answer.status_code, answer.headers["location"]) == (303, "/")


class TestSigningOut:
    async def test_it_ends_the_session_and_forgets_the_cookies(
        self, house: House, ada: Browser
    ) -> None:
        secret = ada.client.cookies["session"]
        answer = await ada.send("/sign-out")
        assert "session" not in ada.client.cookies
        assert "acting_as" not in ada.client.cookies
        assert said(await ada.follow(answer)) == "You are signed out."
        ada.client.cookies.set("session", secret)
        assert (await ada.get("/me")).status_code == 303

    async def test_a_guest_is_simply_sent_home(self, guest: Browser) -> None:
        assert (await guest.send("/sign-out")).headers["location"] == "/"

    async def test_it_cannot_be_done_by_a_link(self, ada: Browser) -> None:
        assert (await ada.get("/sign-out")).status_code == 405


def _set_cookie(headers: list[str], name: str) -> set[str]:
    (cookie,) = (one for one in headers if one.startswith(f"{name}="))
    return {part.strip().lower() for part in cookie.split(";")[1:]}
