"""Coming in: the front door, signing in and out, the security page and the browsers on it."""

from __future__ import annotations

import re

import pytest

from commonroom.accounts.pages.sessions import browser_name, is_handheld
from commonroom.accounts.service.throttle import PASSWORD_AGAIN, SIGN_IN
from tests.support.first_account import CODE
from tests.support.pages import (
    ADA,
    BEN,
    PASSWORD,
    Browser,
    House,
    addresses,
    said,
    tag,
    text,
    value,
    wrong,
)


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

    async def test_whoever_is_signed_in_is_at_home_with_first_steps(
        self, house: House, ada: Browser
    ) -> None:
        page = text(await ada.get("/"))
        assert "Hello, Ada" in page
        assert "Invite someone" in page
        ben = await house.member(ada)
        assert "Set your time zone" in text(await ben.get("/"))
        assert "Invite someone" not in text(await ben.get("/")), "Ben cannot"
        assert "Invite someone" not in text(await ada.get("/")), "Ada has"

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


LINUX = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 "
CHROME = "AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140 Safari/537.36"


@pytest.mark.parametrize(
    "agent,words",
    [
        (f"{LINUX}Firefox/140.0", "Firefox on Linux"),
        (f"Mozilla/5.0 (Windows NT 10.0) {CHROME} Edg/140", "Edge on Windows"),
        (f"Mozilla/5.0 (Linux; Android 16) {CHROME}", "Chrome on Android"),
        ("Mozilla/5.0 (iPad; CPU OS 18_0 like Mac OS X) Safari/604.1", "Safari on iPad"),
        ("Mozilla/5.0 (Macintosh; Intel Mac OS X 15) Safari/605.1", "Safari on Mac"),
        ("curl/8.0", "Unknown browser"),
        ("", "Unknown browser"),
        ("Something on Linux", "Linux"),
    ],
)
def test_a_browser_has_a_name_that_people_know(agent: str, words: str) -> None:
    assert browser_name(agent) == words


def test_a_phone_looks_like_one() -> None:
    assert is_handheld("Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X)")
    assert not is_handheld("Mozilla/5.0 (Macintosh; Intel Mac OS X 15)")


SECURITY = "/me/security"


class TestAddress:
    async def test_it_can_be_changed(self, house: House, ada: Browser) -> None:
        sent = {"email": "countess@example.org", "password": PASSWORD}
        page = await ada.follow(await ada.send(f"{SECURITY}/address", **sent))
        assert said(page) == "E-mail address changed."
        assert value(page, "email") == "countess@example.org"
        assert (await house.person("countess@example.org")).display_name == "Ada"

    @pytest.mark.parametrize("typed,status", [("nonsense", 422), (BEN["email"], 409)])
    async def test_one_that_cannot_be_used_is_shown_again(
        self, ada: Browser, ben: Browser, typed: str, status: int
    ) -> None:
        answer = await ada.send(f"{SECURITY}/address", email=typed, password=PASSWORD)
        assert answer.status_code == status
        assert wrong(answer, "email")
        assert value(answer, "email") == typed
        assert PASSWORD not in answer.text

    async def test_it_takes_the_password_which_cannot_be_guessed(
        self, house: House, ada: Browser
    ) -> None:
        sent = {"email": "countess@example.org", "password": "not my password"}
        for _ in range(PASSWORD_AGAIN.tries):
            answer = await ada.send(f"{SECURITY}/address", **sent)
            assert answer.status_code == 422
            assert wrong(answer, "address-password") == "Wrong password."
        assert (await ada.send(f"{SECURITY}/address", **sent)).status_code == 429
        assert (await house.person(ADA["email"])).display_name == "Ada"

    async def test_where_no_mail_is_sent_nothing_is_said_of_confirming(self, ada: Browser) -> None:
        for path in (SECURITY, "/me"):
            assert "confirm" not in text(await ada.get(path)).casefold()
        for letter in ("letter", "keep"):
            await ada.send(f"{SECURITY}/address/{letter}")
        answer = await ada.send(f"{SECURITY}/address/letter")
        assert answer.status_code == 422


class TestPassword:
    async def test_a_new_one_keeps_this_browser_and_ends_the_others(
        self, house: House, ada: Browser
    ) -> None:
        elsewhere = await _another(house)
        before = ada.client.cookies["session"]
        answer = await ada.send(
            f"{SECURITY}/password", old_password=PASSWORD, password="another fine password"
        )
        assert ada.client.cookies["session"] != before
        assert said(await ada.follow(answer)).startswith("Password changed.")
        assert (await elsewhere.get(SECURITY)).status_code == 303

    @pytest.mark.parametrize(
        "old,new,field",
        [
            ("not my password", "another fine password", "old_password"),
            (PASSWORD, "short", "password"),
        ],
    )
    async def test_what_does_not_fit_is_said_and_no_password_kept(
        self, ada: Browser, old: str, new: str, field: str
    ) -> None:
        answer = await ada.send(f"{SECURITY}/password", old_password=old, password=new)
        assert answer.status_code == 422
        assert wrong(answer, field)
        assert "value=" not in tag(answer, "old_password") + tag(answer, "password")

    async def test_too_many_tries_have_to_wait(self, ada: Browser) -> None:
        sent = {"old_password": "not my password", "password": "another fine password"}
        for _ in range(PASSWORD_AGAIN.tries):
            await ada.send(f"{SECURITY}/password", **sent)
        assert (await ada.send(f"{SECURITY}/password", **sent)).status_code == 429


class TestSessions:
    async def test_they_are_listed_in_words_with_this_one_marked(
        self, house: House, ada: Browser
    ) -> None:
        other = await house.browser()
        phone = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Safari/604.1"
        other.client.headers["user-agent"] = phone
        await other.send("/sign-in", email=ADA["email"], password=PASSWORD)
        page = text(await ada.get(SECURITY))
        assert "Safari on iPhone" in page
        assert "Firefox on Windows this browser" in page
        assert page.count("Last seen just now") == 2

    async def test_one_can_be_ended(self, house: House, ada: Browser) -> None:
        other = await _another(house)
        (end,) = addresses(await ada.get(SECURITY), f"{SECURITY}/sessions/")[:1]
        assert said(await ada.follow(await ada.send(end))) == "That browser is signed out."
        assert (await other.get(SECURITY)).status_code == 303
        assert (await ada.send(end)).status_code == 404, "it is gone already"

    async def test_all_others_can_be_ended_at_once(self, house: House, ada: Browser) -> None:
        other = await _another(house)
        page = await ada.follow(await ada.send(f"{SECURITY}/sessions/end-others"))
        assert said(page).startswith("You are signed out everywhere else")
        assert (await other.get(SECURITY)).status_code == 303
        assert text(page).count("Last seen") == 1

    async def test_nobody_ends_those_of_others(self, ada: Browser, ben: Browser) -> None:
        digest = re.findall(r"sessions/([0-9a-f]{64})/end", (await ben.get(SECURITY)).text)
        assert not digest, "there is only this one"
        for made_up in ("0" * 64, "nonsense"):
            assert (await ben.send(f"{SECURITY}/sessions/{made_up}/end")).status_code == 404


class TestTokens:
    async def test_the_secret_is_shown_once(self, ada: Browser) -> None:
        assert "No API tokens yet" in text(await ada.get("/me/tokens"))
        made = await ada.send("/me/tokens", name="kitchen tablet", read="true", days="30")
        secret = value(made, "secret")
        assert made.status_code == 200
        assert made.headers["cache-control"] == "no-store"
        assert secret.startswith("cr_")
        listed = await ada.get("/me/tokens")
        assert "kitchen tablet" in text(listed)
        assert "expires" in text(listed)
        assert secret not in listed.text

    async def test_the_token_works_until_it_is_revoked(self, house: House, ada: Browser) -> None:
        made = await ada.send("/me/tokens", name="script", read="true", days="0")
        program = await house.browser()
        program.client.headers["authorization"] = f"Bearer {value(made, 'secret')}"
        assert (await program.get("/")).status_code == 200
        (revoke,) = addresses(await ada.get("/me/tokens"), "/me/tokens/")
        assert said(await ada.follow(await ada.send(revoke))) == "Token revoked."
        assert (await program.get("/")).status_code in (303, 401)
        assert (await ada.send(revoke)).status_code == 404

    @pytest.mark.parametrize(
        "changed,field",
        [({"name": " "}, "name"), ({"read": ""}, "scopes"), ({"days": "-1"}, "days")],
    )
    async def test_what_does_not_fit_is_shown_again(
        self, ada: Browser, changed: dict[str, str], field: str
    ) -> None:
        sent = {"name": "script", "read": "true", "days": "90"} | changed
        answer = await ada.send("/me/tokens", **{name: it for name, it in sent.items() if it})
        assert answer.status_code == 422
        assert tag(answer, f"{field}-wrong")
        if field != "name":
            assert value(answer, "name") == "script"

    async def test_only_an_administrator_can_let_a_program_administer(
        self, ada: Browser, ben: Browser
    ) -> None:
        assert 'name="admin"' in (await ada.get("/me/tokens")).text
        assert 'name="admin"' not in (await ben.get("/me/tokens")).text
        answer = await ben.send("/me/tokens", name="script", admin="true", days="0")
        assert answer.status_code == 422
        assert "Only an administrator" in text(answer)

    async def test_those_that_ended_with_a_password_are_marked(self, ada: Browser) -> None:
        await ada.send("/me/tokens", name="script", read="true", days="0")
        await ada.send(f"{SECURITY}/sessions/end-others")
        assert "script read revoked" in text(await ada.get("/me/tokens"))


async def _another(house: House) -> Browser:
    """Ada, in another browser."""
    browser = await house.browser()
    await browser.send("/sign-in", email=ADA["email"], password=PASSWORD)
    assert (await browser.get(SECURITY)).status_code == 200
    return browser
