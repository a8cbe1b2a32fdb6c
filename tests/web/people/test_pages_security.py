"""Address, password, sessions and tokens."""

from __future__ import annotations

import re

import pytest

from commonroom.accounts.service.throttle import PASSWORD_AGAIN
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

HERE = "/me/security"


class TestAddress:
    async def test_it_can_be_changed(self, house: House, ada: Browser) -> None:
        sent = {"email": "countess@example.org", "password": PASSWORD}
        page = await ada.follow(await ada.send(f"{HERE}/address", **sent))
        assert said(page) == "E-mail address changed."
        assert value(page, "email") == "countess@example.org"
        assert (await house.person("countess@example.org")).display_name == "Ada"

    @pytest.mark.parametrize("typed,status", [("nonsense", 422), (BEN["email"], 409)])
    async def test_one_that_cannot_be_used_is_shown_again(
        self, ada: Browser, ben: Browser, typed: str, status: int
    ) -> None:
        answer = await ada.send(f"{HERE}/address", email=typed, password=PASSWORD)
        assert answer.status_code == status
        assert wrong(answer, "email")
        assert value(answer, "email") == typed
        assert PASSWORD not in answer.text

    async def test_it_takes_the_password_which_cannot_be_guessed(
        self, house: House, ada: Browser
    ) -> None:
        sent = {"email": "countess@example.org", "password": "not my password"}
        for _ in range(PASSWORD_AGAIN.tries):
            answer = await ada.send(f"{HERE}/address", **sent)
            assert answer.status_code == 422
            assert wrong(answer, "address-password") == "Wrong password."
        assert (await ada.send(f"{HERE}/address", **sent)).status_code == 429
        assert (await house.person(ADA["email"])).display_name == "Ada"

    async def test_where_no_mail_is_sent_nothing_is_said_of_confirming(self, ada: Browser) -> None:
        for path in (HERE, "/me"):
            assert "confirm" not in text(await ada.get(path)).casefold()
        for letter in ("letter", "keep"):
            await ada.send(f"{HERE}/address/{letter}")
        answer = await ada.send(f"{HERE}/address/letter")
        assert answer.status_code == 422


class TestPassword:
    async def test_a_new_one_keeps_this_browser_and_ends_the_others(
        self, house: House, ada: Browser
    ) -> None:
        elsewhere = await _another(house)
        before = ada.client.cookies["session"]
        answer = await ada.send(
            f"{HERE}/password", old_password=PASSWORD, password="another fine password"
        )
        assert ada.client.cookies["session"] != before
        assert said(await ada.follow(answer)).startswith("Password changed.")
        assert (await elsewhere.get(HERE)).status_code == 303

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
        answer = await ada.send(f"{HERE}/password", old_password=old, password=new)
        assert answer.status_code == 422
        assert wrong(answer, field)
        assert "value=" not in tag(answer, "old_password") + tag(answer, "password")

    async def test_too_many_tries_have_to_wait(self, ada: Browser) -> None:
        sent = {"old_password": "not my password", "password": "another fine password"}
        for _ in range(PASSWORD_AGAIN.tries):
            await ada.send(f"{HERE}/password", **sent)
        assert (await ada.send(f"{HERE}/password", **sent)).status_code == 429


class TestSessions:
    async def test_they_are_listed_in_words_with_this_one_marked(
        self, house: House, ada: Browser
    ) -> None:
        other = await house.browser()
        phone = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Safari/604.1"
        other.client.headers["user-agent"] = phone
        await other.send("/sign-in", email=ADA["email"], password=PASSWORD)
        page = text(await ada.get(HERE))
        assert "Safari on iPhone" in page
        assert "Firefox on Windows this browser" in page
        assert page.count("Last seen just now") == 2

    async def test_one_can_be_ended(self, house: House, ada: Browser) -> None:
        other = await _another(house)
        (end,) = addresses(await ada.get(HERE), f"{HERE}/sessions/")[:1]
        assert said(await ada.follow(await ada.send(end))) == "That browser is signed out."
        assert (await other.get(HERE)).status_code == 303
        assert (await ada.send(end)).status_code == 404, "it is gone already"

    async def test_all_others_can_be_ended_at_once(self, house: House, ada: Browser) -> None:
        other = await _another(house)
        page = await ada.follow(await ada.send(f"{HERE}/sessions/end-others"))
        assert said(page).startswith("You are signed out everywhere else")
        assert (await other.get(HERE)).status_code == 303
        assert text(page).count("Last seen") == 1

    async def test_nobody_ends_those_of_others(self, ada: Browser, ben: Browser) -> None:
        digest = re.findall(r"sessions/([0-9a-f]{64})/end", (await ben.get(HERE)).text)
        assert not digest, "there is only this one"
        for made_up in ("0" * 64, "nonsense"):
            assert (await ben.send(f"{HERE}/sessions/{made_up}/end")).status_code == 404


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
        await ada.send(f"{HERE}/sessions/end-others")
        assert "script read revoked" in text(await ada.get("/me/tokens"))


async def _another(house: House) -> Browser:
    """Ada, in another browser."""
    browser = await house.browser()
    await browser.send("/sign-in", email=ADA["email"], password=PASSWORD)
    assert (await browser.get(HERE)).status_code == 200
    return browser
