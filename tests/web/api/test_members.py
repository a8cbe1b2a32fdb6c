from __future__ import annotations

from typing import Any

import pytest

from commonroom.accounts.rules import MOST_MANAGED
from tests.web.api.calling import V1, Client, given, problem

MEMBERS = f"{V1}/me/members"
KIM = {"display_name": "Kim", "avatar_key": "owl", "content_rating_ceiling": "G"}


class TestListMembers:
    async def test_nobody_manages_nobody(self, guest: Client) -> None:
        problem(await guest.get(MEMBERS), 401)

    async def test_a_person_sees_those_they_manage(self, program: Client, admin: Client) -> None:
        made = given(await program.post(MEMBERS, json=KIM), 201)
        assert given(await program.get(MEMBERS)) == {"items": [made], "next_cursor": None}
        assert given(await admin.get(MEMBERS))["items"] == []

    @pytest.mark.parametrize("limit", ["0", "101", "-1", "1e3", "many", "", "9" * 30])
    async def test_a_limit_is_from_1_to_100(self, program: Client, limit: str) -> None:
        refused = problem(await program.get(MEMBERS, params={"limit": limit}), 400)
        assert refused["field"] == "limit"

    @pytest.mark.parametrize("cursor", ["nonsense", "", "☂", "A" * 20_000, "\x00"])
    async def test_a_cursor_is_one_that_was_given(self, program: Client, cursor: str) -> None:
        problem(await program.get(MEMBERS, params={"cursor": cursor}), 400)

    @pytest.mark.parametrize("query", ["%FF=1", "limit=%FF", "limit=1&limit=1", "a&" * 60, "=&="])
    async def test_what_cannot_be_read_is_refused(self, program: Client, query: str) -> None:
        problem(await program.get(f"{MEMBERS}?{query}"), 400)


class TestAddMember:
    async def test_nobody_adds_none(self, guest: Client) -> None:
        problem(await guest.post(MEMBERS, json=KIM), 401)

    async def test_a_person_adds_one(self, program: Client) -> None:
        answer = await program.post(MEMBERS, json=KIM)
        made = given(answer, 201)
        assert made | KIM == made
        seen = await program.get(f"{MEMBERS}/{made['user_id']}")
        assert given(seen) == made
        assert seen.headers["etag"] == answer.headers["etag"]

    async def test_most_need_not_be_said(self, program: Client) -> None:
        made = given(await program.post(MEMBERS, json={"display_name": "Kim"}), 201)
        assert made["content_rating_ceiling"] == "PG"

    async def test_there_is_a_limit(self, program: Client) -> None:
        for _ in range(MOST_MANAGED):
            given(await program.post(MEMBERS, json=KIM), 201)
        problem(await program.post(MEMBERS, json=KIM), 403)

    @pytest.mark.parametrize(
        "change, status, field",
        [
            ({"content_rating_ceiling": "NC-17"}, 422, "content_rating_ceiling"),
            ({"display_name": "\u200b"}, 422, "display_name"),
            ({"avatar_key": ["owl"]}, 400, "avatar_key"),
            ({"parent_user_id": "x"}, 400, "parent_user_id"),
        ],
    )
    async def test_what_cannot_be_taken_is_named(
        self, program: Client, change: dict[str, Any], status: int, field: str
    ) -> None:
        answer = await program.post(MEMBERS, json=KIM | change)
        assert problem(answer, status)["field"] == field


class TestGetMember:
    async def test_nobody_sees_none(self, guest: Client) -> None:
        problem(await guest.get(f"{MEMBERS}/x"), 401)

    async def test_those_of_others_are_not_there(self, program: Client, admin: Client) -> None:
        made = given(await program.post(MEMBERS, json=KIM), 201)
        problem(await admin.get(f"{MEMBERS}/{made['user_id']}"), 404)

    async def test_one_that_is_known_is_not_sent_again(self, program: Client) -> None:
        answer = await program.post(MEMBERS, json=KIM)
        known = {"If-None-Match": answer.headers["etag"]}
        member = f"{MEMBERS}/{answer.json()['user_id']}"
        assert (await program.get(member, headers=known)).status_code == 304


class TestChangeMember:
    async def test_nobody_changes_none(self, guest: Client) -> None:
        problem(await guest.patch(f"{MEMBERS}/x", json={}), 401)

    async def test_what_is_given_changes_and_the_rest_stays(self, program: Client) -> None:
        made = given(await program.post(MEMBERS, json=KIM), 201)
        member = f"{MEMBERS}/{made['user_id']}"
        changed = given(await program.patch(member, json={"content_rating_ceiling": "PG-13"}))
        assert changed["content_rating_ceiling"] == "PG-13"
        assert changed["display_name"] == "Kim"

    async def test_whoever_saw_it_otherwise_changes_nothing(self, program: Client) -> None:
        answer = await program.post(MEMBERS, json=KIM)
        member = f"{MEMBERS}/{answer.json()['user_id']}"
        seen = {"If-Match": answer.headers["etag"]}
        given(await program.patch(member, json={"display_name": "Kimberley"}, headers=seen))
        problem(await program.patch(member, json={"display_name": "K"}, headers=seen), 412)

    async def test_those_of_others_are_not_there(self, program: Client, admin: Client) -> None:
        made = given(await program.post(MEMBERS, json=KIM), 201)
        problem(await admin.patch(f"{MEMBERS}/{made['user_id']}", json={"display_name": "X"}), 404)


class TestRemoveMember:
    async def test_nobody_removes_none(self, guest: Client) -> None:
        problem(await guest.delete(f"{MEMBERS}/x"), 401)

    async def test_a_person_removes_one_once(self, program: Client) -> None:
        made = given(await program.post(MEMBERS, json=KIM), 201)
        member = f"{MEMBERS}/{made['user_id']}"
        given(await program.delete(member), 204)
        problem(await program.delete(member), 404)
        problem(await program.get(member), 404)

    async def test_those_of_others_are_not_there(self, program: Client, admin: Client) -> None:
        made = given(await program.post(MEMBERS, json=KIM), 201)
        problem(await admin.delete(f"{MEMBERS}/{made['user_id']}"), 404)
