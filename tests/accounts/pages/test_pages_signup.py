"""Signing up, and choosing a new password with a link."""

from __future__ import annotations

from pathlib import Path

import pytest

from commonroom.accounts.service.throttle import (
    RESET_FROM_ADDRESS,
    SIGN_UP_FROM_ADDRESS,
    SIGN_UP_TAKEN_BY_INVITATION,
    SIGN_UP_TAKEN_FROM_ADDRESS,
)
from tests.support.pages import (
    ADA,
    BEN,
    PASSWORD,
    Browser,
    House,
    house_in,
    invited,
    said,
    text,
    value,
    wrong,
)


class TestFindingOutWhoIsHere:
    """Where no mail is sent, somebody who signs up must be told that they have an account."""

    async def test_by_signing_up_is_possible_only_a_few_times(
        self, house: House, ada: Browser
    ) -> None:
        house.set(sign_up="open")
        stranger = await house.browser(address="203.0.113.7")
        for _ in range(SIGN_UP_TAKEN_FROM_ADDRESS.tries):
            answer = await stranger.send("/sign-up", **BEN | {"email": ADA["email"]})
            assert answer.status_code == 409
            assert wrong(answer, "email").startswith("We could not create this account.")
        answer = await stranger.send("/sign-up", **BEN | {"email": ADA["email"]})
        assert answer.status_code == 429
        assert int(answer.headers["retry-after"]) > 0
        elsewhere = await house.browser(address="203.0.113.8")
        assert (await elsewhere.send("/sign-up", **BEN)).status_code == 303

    async def test_with_one_invitation_is_counted_wherever_it_is_used(
        self, house: House, ada: Browser
    ) -> None:
        sent = BEN | {"email": ADA["email"], "invitation": await invited(ada)}
        for number in range(SIGN_UP_TAKEN_BY_INVITATION.tries + 1):
            browser = await house.browser(address=f"203.0.113.{number}")
            answer = await browser.send("/sign-up", **sent)
        assert answer.status_code == 429

    async def test_is_not_what_a_mistake_in_the_form_counts_as(
        self, house: House, ada: Browser, guest: Browser
    ) -> None:
        house.set(sign_up="open")
        for _ in range(SIGN_UP_TAKEN_FROM_ADDRESS.tries + 1):
            answer = await guest.send("/sign-up", **BEN | {"password": "short"})
            assert answer.status_code == 422
        assert (await guest.send("/sign-up", **BEN)).status_code == 303


class TestSigningUp:
    async def test_an_invitation_lets_one_in(
        self, house: House, ada: Browser, guest: Browser
    ) -> None:
        invitation = await invited(ada)
        form = await guest.get(f"/sign-up?invitation={invitation}")
        assert form.status_code == 200
        assert "You are invited" in text(form)
        home = await guest.follow(await guest.send("/sign-up", **BEN, invitation=invitation))
        assert "Hello, Ben" in text(home)
        assert not (await house.person(BEN["email"])).is_admin

    @pytest.mark.parametrize(
        "zone, kept", [("Europe/Berlin", "Europe/Berlin"), ("", None), ("Middle/Earth", None)]
    )
    async def test_the_zone_of_the_device_is_theirs_from_the_first_page_on(
        self, house: House, ada: Browser, guest: Browser, zone: str, kept: str | None
    ) -> None:
        form = {**BEN, "invitation": await invited(ada), "time_zone": zone}
        assert (await guest.send("/sign-up", **form)).status_code == 303
        assert (await house.person(BEN["email"])).time_zone == kept

    async def test_without_one_it_says_whom_to_ask(self, guest: Browser) -> None:
        answer = await guest.get("/sign-up")
        assert answer.status_code == 403
        assert "Ask someone who is already here" in text(answer)
        assert "<form" not in answer.text.partition("<main")[2].partition("</main")[0]
        assert (await guest.send("/sign-up", **BEN)).status_code == 403

    @pytest.mark.parametrize("invitation", ["made-up", "x" * 200, "%00", "ü"])
    async def test_one_that_was_never_made_no_longer_works(
        self, guest: Browser, invitation: str
    ) -> None:
        answer = await guest.get(f"/sign-up?invitation={invitation}")
        assert answer.status_code == 410
        assert "This link no longer works" in text(answer)

    async def test_one_that_is_used_up_no_longer_works(
        self, ada: Browser, guest: Browser, house: House
    ) -> None:
        invitation = await invited(ada)
        await guest.send("/sign-up", **BEN, invitation=invitation)
        late = await house.browser()
        assert (await late.get(f"/sign-up?invitation={invitation}")).status_code == 410
        again = BEN | {"email": "cleo@example.org"}
        answer = await late.send("/sign-up", **again, invitation=invitation)
        assert answer.status_code == 410

    async def test_what_does_not_fit_keeps_the_invitation_and_all_but_the_password(
        self, ada: Browser, guest: Browser
    ) -> None:
        invitation = await invited(ada)
        answer = await guest.send(
            "/sign-up", **BEN | {"display_name": "x" * 31}, invitation=invitation
        )
        assert answer.status_code == 422
        assert wrong(answer, "display_name") == "Use at most 30 characters."
        assert value(answer, "email") == BEN["email"]
        assert f'name="invitation" value="{invitation}"' in answer.text
        assert BEN["password"] not in answer.text
        assert (await guest.send("/sign-up", **BEN, invitation=invitation)).status_code == 303

    async def test_an_address_that_is_taken_is_said_beside_it_without_saying_so(
        self, ada: Browser, guest: Browser
    ) -> None:
        invitation = await invited(ada)
        answer = await guest.send(
            "/sign-up", **BEN | {"email": ADA["email"]}, invitation=invitation
        )
        assert answer.status_code == 409
        assert wrong(answer, "email").startswith("We could not create this account.")

    async def test_somebody_who_is_in_already_is_at_home(self, ada: Browser) -> None:
        assert (await ada.get("/sign-up?invitation=x")).headers["location"] == "/"

    async def test_it_can_be_open_to_everybody(self, tmp_path: Path) -> None:
        async with house_in(tmp_path, sign_up="open") as house:
            await house.administrator()
            browser = await house.browser()
            assert "Create an account" in text(await browser.get("/"))
            assert (await browser.get("/sign-up")).status_code == 200
            assert (await browser.send("/sign-up", **BEN)).status_code == 303

    async def test_it_can_be_closed(self, tmp_path: Path) -> None:
        async with house_in(tmp_path, sign_up="closed") as house:
            ada = await house.administrator()
            browser = await house.browser()
            assert "Sign-up is closed here" in text(await browser.get("/sign-up"))
            invitation = await invited(ada)
            assert (await browser.get(f"/sign-up?invitation={invitation}")).status_code == 403
            answer = await browser.send("/sign-up", **BEN, invitation=invitation)
            assert answer.status_code == 403
            assert "closed" in text(await ada.get("/admin/invitations"))

    async def test_too_many_tries_have_to_wait(self, guest: Browser) -> None:
        for _ in range(SIGN_UP_FROM_ADDRESS.tries):
            await guest.send("/sign-up", **BEN, invitation="guessed")
        answer = await guest.send("/sign-up", **BEN, invitation="guessed")
        assert answer.status_code == 429
        assert value(answer, "email") == BEN["email"]


class TestForgotten:
    async def test_it_says_who_can_help(self, guest: Browser) -> None:
        answer = await guest.get("/forgot")
        assert answer.status_code == 200
        assert "Ask an administrator" in text(answer)


class TestNewPassword:
    async def test_a_link_sets_a_new_password_once(
        self, house: House, ada: Browser, ben: Browser, guest: Browser
    ) -> None:
        link = await _link(house, ada)
        form = await guest.get(link)
        assert "Hello, Ben" in text(form)
        assert form.headers["cache-control"] == "no-store"
        answer = await guest.send(link, password="a brand new password")
        assert answer.headers["location"] == "/sign-in"
        assert "Your new password is saved" in said(await guest.follow(answer))
        assert (await ben.get("/me")).status_code == 303, "he was signed out everywhere"
        signed_in = await guest.send(
            "/sign-in", email=BEN["email"], password="a brand new password"
        )
        assert signed_in.headers["location"] == "/"
        assert (await guest.get(link)).status_code == 410
        assert (await guest.send(link, password="and another one")).status_code == 410

    async def test_one_that_does_not_fit_can_be_chosen_again(
        self, house: House, ada: Browser, ben: Browser, guest: Browser
    ) -> None:
        link = await _link(house, ada)
        answer = await guest.send(link, password="short")
        assert answer.status_code == 422
        assert wrong(answer, "password") == "Use at least 10 characters for the password."
        assert link.rpartition("/")[2] not in answer.text, "the address has it, the page need not"
        assert (await guest.send(link, password="a brand new password")).status_code == 303

    async def test_a_link_that_was_never_made_says_what_to_do(self, guest: Browser) -> None:
        answer = await guest.get("/reset/made-up")
        assert answer.status_code == 410
        assert "Ask the person who gave you the link for a new one." in text(answer)

    async def test_too_many_tries_have_to_wait(
        self, house: House, ada: Browser, ben: Browser, guest: Browser
    ) -> None:
        link = await _link(house, ada)
        for _ in range(RESET_FROM_ADDRESS.tries):
            await guest.send(link, password="short")
        assert (await guest.send(link, password=PASSWORD)).status_code == 429


async def _link(house: House, ada: Browser) -> str:
    ben = await house.person(BEN["email"])
    answer = await ada.send(f"/admin/people/{ben.user_id}/reset-link")
    return value(answer, "share").removeprefix("http://house.example")
