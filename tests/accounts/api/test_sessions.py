from __future__ import annotations

from typing import Any

import pytest

from commonroom.accounts.tables import User
from tests.accounts.api.calling import ANOTHER, PASSWORD, V1, Calling, Client, given, problem

SESSIONS, TOKENS = f"{V1}/me/sessions", f"{V1}/me/tokens"


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

    async def test_the_session_ends(self, browser: Client, calling: Calling) -> None:
        cookie = f"session={browser.cookies['session']}"
        given(await browser.delete(f"{V1}/session"), 204)
        assert "session" not in browser.cookies
        other = await calling.guest()
        problem(await other.get(f"{V1}/me", headers={"Cookie": cookie}), 401)


class TestListSessions:
    async def test_nobody_has_none(self, guest: Client) -> None:
        problem(await guest.get(SESSIONS), 401)

    async def test_a_person_sees_their_own_page_by_page(
        self, calling: Calling, browser: Client, admin: Client, ben: User
    ) -> None:
        for _ in range(4):
            await calling.browser(ben)
        seen: list[dict[str, Any]] = []
        cursor = None
        while True:
            parameters = {"limit": 2} | ({"cursor": cursor} if cursor else {})
            page = given(await browser.get(SESSIONS, params=parameters))
            assert len(page["items"]) <= 2
            seen += page["items"]
            cursor = page["next_cursor"]
            if cursor is None:
                break
        assert len({one["digest"] for one in seen}) == 5
        assert sum(one["current"] for one in seen) == 1
        assert all(one["browser"] == "Firefox" for one in seen)

    async def test_those_that_ended_are_not_listed(
        self, calling: Calling, browser: Client, ben: User
    ) -> None:
        await calling.browser(ben)
        given(await browser.delete(SESSIONS), 204)
        sessions = given(await browser.get(SESSIONS))["items"]
        assert [one["current"] for one in sessions] == [True]


class TestEndSession:
    async def test_nobody_ends_none(self, guest: Client) -> None:
        problem(await guest.delete(f"{SESSIONS}/{'0' * 64}"), 401)

    async def test_a_person_ends_one_of_their_own(
        self, calling: Calling, browser: Client, ben: User
    ) -> None:
        other = await calling.browser(ben)
        (mine,) = [one for one in given(await other.get(SESSIONS))["items"] if one["current"]]
        given(await browser.delete(f"{SESSIONS}/{mine['digest']}"), 204)
        problem(await other.get(SESSIONS), 401)

    async def test_somebody_elses_is_not_there(self, admin: Client, browser: Client) -> None:
        (theirs,) = given(await admin.get(SESSIONS))["items"]
        problem(await browser.delete(f"{SESSIONS}/{theirs['digest']}"), 404)
        given(await admin.get(SESSIONS))

    @pytest.mark.parametrize("odd", ["nonsense", "%00", "%FF", "a" * 5000, "☂", "%ED%A0%80", "%"])
    async def test_what_cannot_be_one_is_not_there(self, browser: Client, odd: str) -> None:
        problem(await browser.delete(f"{SESSIONS}/{odd}"), 404)


class TestEndSessions:
    async def test_nobody_and_no_program_does(self, guest: Client, program: Client) -> None:
        problem(await guest.delete(SESSIONS), 401)
        problem(await program.delete(SESSIONS), 403)

    async def test_everything_else_ends(
        self, calling: Calling, browser: Client, program: Client, ben: User
    ) -> None:
        other = await calling.browser(ben)
        given(await browser.delete(SESSIONS), 204)
        given(await browser.get(SESSIONS))
        problem(await other.get(SESSIONS), 401)
        problem(await program.get(SESSIONS), 401)

    async def test_also_here_where_that_is_wanted(self, browser: Client) -> None:
        given(await browser.delete(SESSIONS, params={"here": "true"}), 204)
        problem(await browser.get(SESSIONS), 401)

    async def test_a_parameter_that_does_not_exist_ends_nothing(self, browser: Client) -> None:
        refused = problem(await browser.delete(SESSIONS, params={"hear": "true"}), 400)
        assert refused["field"] == "hear"
        problem(await browser.delete(f"{SESSIONS}?here=true&here=false"), 400)
