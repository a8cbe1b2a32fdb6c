from __future__ import annotations

from typing import Any

import pytest

from commonroom.accounts.tables import User
from tests.web.api.calling import V1, Calling, Client, given, problem

SESSIONS, TOKENS = f"{V1}/me/sessions", f"{V1}/me/tokens"
BACKUP: dict[str, Any] = {"name": "backup", "scopes": ["read"], "days": 30}


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


class TestListTokens:
    async def test_nobody_has_none(self, guest: Client) -> None:
        problem(await guest.get(TOKENS), 401)

    async def test_a_person_sees_their_own_without_secrets(
        self, program: Client, admin: Client
    ) -> None:
        (seen,) = given(await program.get(TOKENS))["items"]
        assert seen["name"] == "a program"
        assert seen["scopes"] == ["read", "write"]
        assert "secret" not in seen
        assert given(await admin.get(TOKENS))["items"] == []


class TestMakeToken:
    async def test_nobody_and_no_program_does(self, guest: Client, program: Client) -> None:
        problem(await guest.post(TOKENS, json=BACKUP), 401)
        problem(await program.post(TOKENS, json=BACKUP), 403)

    async def test_its_secret_is_shown_once_and_works(
        self, browser: Client, calling: Calling
    ) -> None:
        answer = await browser.post(TOKENS, json=BACKUP)
        made = given(answer, 201)
        assert answer.headers["cache-control"] == "no-store"
        assert made["expires_at"] is not None
        bearer = {"Authorization": f"Bearer {made['secret']}"}
        guest = await calling.guest()
        assert given(await guest.get(f"{V1}/me", headers=bearer))["display_name"] == "Ben"
        assert made["secret"] not in (await browser.get(TOKENS)).text

    @pytest.mark.parametrize(
        "change, status, field",
        [
            ({"scopes": []}, 422, "scopes"),
            ({"scopes": ["read", "fly"]}, 422, "scopes"),
            ({"scopes": ["admin"]}, 422, "scopes"),
            ({"scopes": "read"}, 400, "scopes"),
            ({"name": " "}, 422, "name"),
            ({"days": 0}, 422, "days"),
            ({"days": 10**30}, 422, "days"),
            ({"days": 1.5}, 400, "days"),
        ],
    )
    async def test_what_cannot_be_taken_is_named(
        self, browser: Client, change: dict[str, Any], status: int, field: str
    ) -> None:
        answer = await browser.post(TOKENS, json=BACKUP | change)
        assert problem(answer, status)["field"] == field


class TestRevokeToken:
    async def test_nobody_revokes_none(self, guest: Client) -> None:
        problem(await guest.delete(f"{TOKENS}/{'0' * 64}"), 401)

    async def test_a_program_may_end_its_own(self, program: Client) -> None:
        (token,) = given(await program.get(TOKENS))["items"]
        given(await program.delete(f"{TOKENS}/{token['digest']}"), 204)
        problem(await program.get(TOKENS), 401)

    async def test_somebody_elses_is_not_there(self, program: Client, admin: Client) -> None:
        (token,) = given(await program.get(TOKENS))["items"]
        problem(await admin.delete(f"{TOKENS}/{token['digest']}"), 404)
        problem(await admin.delete(f"{TOKENS}/nonsense"), 404)
