from __future__ import annotations

import time

import pytest

from commonroom.accounts.context import Context
from commonroom.accounts.service import invitations, passwords
from commonroom.accounts.service.throttle import RESET_FROM_ADDRESS, SIGN_UP_FROM_ADDRESS
from commonroom.accounts.tables import User
from commonroom.store import Store
from tests.support.first_account import CODE
from tests.web.api.calling import ANOTHER, PASSWORD, V1, Client, api, given, problem
from tests.web.api.calling import Calling as Callers

SETUP = f"{V1}/setup"
SET_UP = {
    "email": "ada@example.org",
    "display_name": "Ada",
    "password": PASSWORD,
    "code": CODE,
}
NEW = {"email": "eve@example.org", "display_name": "Eve", "password": PASSWORD}


class TestSetUp:
    async def test_anybody_becomes_the_first_administrator_and_is_signed_in(
        self, guest: Client
    ) -> None:
        made = given(await guest.post(SETUP, json=SET_UP), 201)
        assert made["is_admin"] is True
        assert given(await guest.get(f"{V1}/me"))["user_id"] == made["user_id"]

    async def test_there_is_only_one_first(self, guest: Client, ada: User) -> None:
        problem(await guest.post(SETUP, json=SET_UP), 409)

    async def test_a_field_that_cannot_be_taken_is_named(self, guest: Client) -> None:
        short = SET_UP | {"password": "short"}
        refused = problem(await guest.post(SETUP, json=short), 422)
        assert refused["field"] == "password"
        nowhere = SET_UP | {"email": "no"}
        refused = problem(await guest.post(SETUP, json=nowhere), 422)
        assert refused["field"] == "email"


class TestSignUp:
    async def test_anybody_with_an_invitation_gets_an_account_and_is_signed_in(
        self, guest: Client, store: Store, ada: User
    ) -> None:
        secret = await invitations.invite(Context(store, ada, time.time()))
        made = given(await guest.post(f"{V1}/accounts", json=NEW | {"invitation": secret}), 201)
        assert made["is_admin"] is False
        assert given(await guest.get(f"{V1}/me"))["user_id"] == made["user_id"]

    async def test_without_an_invitation_nobody_does(self, guest: Client, ada: User) -> None:
        problem(await guest.post(f"{V1}/accounts", json=NEW), 403)

    async def test_an_invitation_is_used_up(self, guest: Client, store: Store, ada: User) -> None:
        secret = await invitations.invite(Context(store, ada, time.time()))
        given(await guest.post(f"{V1}/accounts", json=NEW | {"invitation": secret}), 201)
        again = NEW | {"invitation": secret, "email": "other@example.org"}
        problem(await guest.post(f"{V1}/accounts", json=again), 410)

    async def test_where_everybody_may_no_invitation_is_needed(
        self, calling: Callers, store: Store, ada: User
    ) -> None:
        calling.app = api(store, sign_up="open")
        guest = await calling.guest()
        given(await guest.post(f"{V1}/accounts", json=NEW | {"invitation": None}), 201)

    async def test_an_address_has_one_account(
        self, calling: Callers, store: Store, ada: User
    ) -> None:
        calling.app = api(store, sign_up="open")
        taken = NEW | {"email": "ADA@example.org"}
        problem(await (await calling.guest()).post(f"{V1}/accounts", json=taken), 409)

    async def test_where_nobody_may_nobody_does(
        self, calling: Callers, store: Store, ada: User
    ) -> None:
        calling.app = api(store, sign_up="closed")
        secret = await invitations.invite(Context(store, ada, time.time()))
        guest = await calling.guest()
        problem(await guest.post(f"{V1}/accounts", json=NEW | {"invitation": secret}), 403)

    async def test_too_many_tries_have_to_wait(self, guest: Client, ada: User) -> None:
        for _ in range(SIGN_UP_FROM_ADDRESS.tries):
            problem(await guest.post(f"{V1}/accounts", json=NEW), 403)
        refused = await guest.post(f"{V1}/accounts", json=NEW)
        problem(refused, 429)
        assert int(refused.headers["retry-after"]) > 0


class TestSignIn:
    async def test_whoever_knows_the_password_gets_a_cookie(self, guest: Client, ben: User) -> None:
        answer = await guest.post(f"{V1}/session", json={"email": ben.email, "password": PASSWORD})
        assert given(answer, 201)["user_id"] == ben.user_id
        cookie = answer.headers.get_list("set-cookie")[0]
        assert cookie.startswith("session=")
        assert {"HttpOnly", "Path=/", "SameSite=lax"} <= set(cookie.split("; "))
        assert given(await guest.get(f"{V1}/me"))["user_id"] == ben.user_id

    @pytest.mark.parametrize(
        "email, password", [("ben@example.org", ANOTHER), ("nobody@example.org", PASSWORD)]
    )
    async def test_who_does_not_is_not_told_what_was_wrong(
        self, guest: Client, ben: User, email: str, password: str
    ) -> None:
        answer = await guest.post(f"{V1}/session", json={"email": email, "password": password})
        refused = problem(answer, 401)
        assert refused["detail"] == "Wrong e-mail or password."
        assert "set-cookie" not in answer.headers

    async def test_the_session_before_ends(self, browser: Client, ben: User) -> None:
        old = browser.cookies["session"]
        body = {"email": ben.email, "password": PASSWORD}
        given(await browser.post(f"{V1}/session", json=body), 201)
        assert browser.cookies["session"] != old
        sessions = given(await browser.get(f"{V1}/me/sessions"))["items"]
        assert [one["current"] for one in sessions] == [True]

    async def test_another_site_cannot_sign_a_browser_in(self, guest: Client, ben: User) -> None:
        body = {"email": ben.email, "password": PASSWORD}
        foreign = {"Sec-Fetch-Site": "cross-site"}
        problem(await guest.post(f"{V1}/session", json=body, headers=foreign), 403)
        odd = {"Origin": "http://["}
        problem(await guest.post(f"{V1}/session", json=body, headers=odd), 403)


class TestSignOut:
    async def test_whoever_is_not_signed_in_is_not_afterwards(self, guest: Client) -> None:
        given(await guest.delete(f"{V1}/session"), 204)

    async def test_the_session_ends(self, browser: Client, calling: Callers) -> None:
        cookie = f"session={browser.cookies['session']}"
        given(await browser.delete(f"{V1}/session"), 204)
        assert "session" not in browser.cookies
        other = await calling.guest()
        problem(await other.get(f"{V1}/me", headers={"Cookie": cookie}), 401)


class TestChooseNewPassword:
    async def test_anybody_with_the_link_does_once(
        self, guest: Client, store: Store, ben: User
    ) -> None:
        secret = await passwords.make_reset_link(store, time.time(), ben)
        address = f"{V1}/resets/{secret}"
        given(await guest.post(address, json={"password": ANOTHER}), 204)
        problem(await guest.post(address, json={"password": ANOTHER}), 410)
        body = {"email": ben.email, "password": ANOTHER}
        given(await guest.post(f"{V1}/session", json=body), 201)

    async def test_a_poor_password_leaves_the_link_good(
        self, guest: Client, store: Store, ben: User
    ) -> None:
        secret = await passwords.make_reset_link(store, time.time(), ben)
        address = f"{V1}/resets/{secret}"
        assert problem(await guest.post(address, json={"password": "1234567890"}), 422)["field"]
        given(await guest.post(address, json={"password": ANOTHER}), 204)

    async def test_guessing_has_to_wait(self, guest: Client) -> None:
        for number in range(RESET_FROM_ADDRESS.tries):
            wrong = f"{V1}/resets/guess-{number}"
            problem(await guest.post(wrong, json={"password": ANOTHER}), 410)
        problem(await guest.post(f"{V1}/resets/guess", json={"password": ANOTHER}), 429)
