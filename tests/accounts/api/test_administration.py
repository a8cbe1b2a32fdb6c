from __future__ import annotations

from typing import Any

import pytest
from httpx import Response

from commonroom.accounts.tables import User
from tests.accounts.api.calling import (
    ANOTHER,
    PASSWORD,
    V1,
    Calling,
    Client,
    given,
    problem,
    someone,
)

PEOPLE, INVITATIONS = f"{V1}/people", f"{V1}/invitations"


async def asked(client: Client, method: str, path: str, **options: Any) -> Response:
    """One request."""
    return await client.request(method, path, **options)


OPERATIONS: list[tuple[str, str, dict[str, Any]]] = [
    ("GET", PEOPLE, {}),
    ("POST", f"{PEOPLE}/x/reset-link", {}),
    ("PUT", f"{PEOPLE}/x/administrator", {}),
    ("DELETE", f"{PEOPLE}/x/administrator", {}),
    ("PUT", f"{PEOPLE}/x/disabled", {}),
    ("DELETE", f"{PEOPLE}/x/disabled", {}),
    ("GET", INVITATIONS, {}),
    ("POST", INVITATIONS, {"json": {}}),
    ("DELETE", f"{INVITATIONS}/x", {}),
]


NOT_BY_TOKEN = {(method, path) for method, path, _ in OPERATIONS[1:6]}
"""What only a person does, who has given their password a short while ago."""


@pytest.mark.parametrize("method, path, options", OPERATIONS)
class TestEveryOperation:
    async def test_nobody_may(
        self, guest: Client, method: str, path: str, options: dict[str, Any]
    ) -> None:
        problem(await asked(guest, method, path, **options), 401)

    async def test_an_ordinary_person_may_not(
        self, browser: Client, program: Client, method: str, path: str, options: dict[str, Any]
    ) -> None:
        problem(await asked(browser, method, path, **options), 403)
        problem(await asked(program, method, path, **options), 403)

    async def test_a_token_needs_the_scope(
        self, calling: Calling, ada: User, method: str, path: str, options: dict[str, Any]
    ) -> None:
        without = await calling.program(ada, "read", "write")
        problem(await asked(without, method, path, **options), 403)
        with_it = await calling.program(ada, "admin")
        allowed = (403,) if (method, path) in NOT_BY_TOKEN else (200, 201, 404)
        assert (await asked(with_it, method, path, **options)).status_code in allowed


class TestListPeople:
    async def test_everybody_page_by_page(
        self, admin: Client, calling: Calling, ada: User, ben: User
    ) -> None:
        await someone(calling.store, "Eve")
        page = given(await admin.get(PEOPLE, params={"limit": 2}))
        more = given(await admin.get(PEOPLE, params={"cursor": page["next_cursor"]}))
        names = [one["display_name"] for one in page["items"] + more["items"]]
        assert sorted(names) == ["Ada", "Ben", "Eve"]
        assert more["next_cursor"] is None
        assert "$argon2" not in str(page)

    async def test_a_cursor_is_for_its_own_list(self, admin: Client, ben: User) -> None:
        page = given(await admin.get(PEOPLE, params={"limit": 1}))
        elsewhere = await admin.get(INVITATIONS, params={"cursor": page["next_cursor"]})
        problem(elsewhere, 400)


class TestResetLink:
    async def test_its_person_chooses_a_new_password(
        self, admin: Client, guest: Client, ben: User
    ) -> None:
        made = given(await admin.post(f"{PEOPLE}/{ben.user_id}/reset-link"), 201)
        assert made["path"] == f"/reset/{made['secret']}"
        body = {"password": ANOTHER}
        given(await guest.post(f"{V1}/resets/{made['secret']}", json=body), 204)

    @pytest.mark.parametrize("odd", ["nobody", "%00", "☂" * 90, "x" * 5000, "%FF"])
    async def test_there_is_none_for_nobody(self, admin: Client, odd: str) -> None:
        problem(await admin.post(f"{PEOPLE}/{odd}/reset-link"), 404)


class TestAdministrator:
    async def test_a_person_becomes_one_and_ordinary_again(
        self, admin: Client, calling: Calling, ben: User
    ) -> None:
        place = f"{PEOPLE}/{ben.user_id}/administrator"
        for _ in range(2):
            assert given(await admin.put(place))["is_admin"] is True
        given(await (await calling.browser(ben)).get(PEOPLE))
        for _ in range(2):
            assert given(await admin.delete(place))["is_admin"] is False

    async def test_somebody_has_to_be_one(self, admin: Client, ada: User) -> None:
        problem(await admin.delete(f"{PEOPLE}/{ada.user_id}/administrator"), 403)


class TestDisabled:
    async def test_a_person_is_kept_out_at_once_and_let_in_again(
        self, admin: Client, browser: Client, guest: Client, ben: User
    ) -> None:
        place = f"{PEOPLE}/{ben.user_id}/disabled"
        for _ in range(2):
            assert given(await admin.put(place))["disabled_at"] is not None
        problem(await browser.get(f"{V1}/me"), 401)
        body = {"email": ben.email, "password": PASSWORD}
        problem(await guest.post(f"{V1}/session", json=body), 403)
        for _ in range(2):
            assert given(await admin.delete(place))["disabled_at"] is None
        given(await guest.post(f"{V1}/session", json=body), 201)

    async def test_an_administrator_cannot_be_disabled(self, admin: Client, ada: User) -> None:
        problem(await admin.put(f"{PEOPLE}/{ada.user_id}/disabled"), 403)


class TestInvitations:
    async def test_one_is_made_listed_used_and_revoked(
        self, admin: Client, calling: Calling
    ) -> None:
        body = {"note": "Ann and Bob", "uses": 2}
        made = given(await admin.post(INVITATIONS, json=body), 201)
        assert made["path"] == f"/sign-up?invitation={made['secret']}"
        new = {
            "email": "ann@example.org",
            "display_name": "Ann",
            "password": PASSWORD,
            "invitation": made["secret"],
        }
        given(await (await calling.guest()).post(f"{V1}/accounts", json=new), 201)
        (listed,) = given(await admin.get(INVITATIONS))["items"]
        assert listed["uses_left"] == 1
        assert listed["note"] == "Ann and Bob"
        assert "secret" not in listed
        place = f"{INVITATIONS}/{made['digest']}"
        given(await admin.delete(place), 204)
        problem(await admin.delete(place), 404)
        again = new | {"email": "bob@example.org"}
        problem(await (await calling.guest()).post(f"{V1}/accounts", json=again), 410)

    @pytest.mark.parametrize(
        "body, status, field",
        [
            ({"uses": 0}, 422, "uses"),
            ({"uses": 101}, 422, "uses"),
            ({"uses": True}, 400, "uses"),
            ({"note": "x" * 101}, 422, "note"),
        ],
    )
    async def test_what_cannot_be_taken_is_named(
        self, admin: Client, body: dict[str, Any], status: int, field: str
    ) -> None:
        assert problem(await admin.post(INVITATIONS, json=body), status)["field"] == field
