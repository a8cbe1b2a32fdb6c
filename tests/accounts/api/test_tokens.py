from __future__ import annotations

from typing import Any

import pytest

from tests.accounts.api.calling import V1, Calling, Client, given, problem

SESSIONS, TOKENS = f"{V1}/me/sessions", f"{V1}/me/tokens"
BACKUP: dict[str, Any] = {"name": "backup", "scopes": ["read"], "days": 30}


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
