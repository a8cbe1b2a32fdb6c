from __future__ import annotations

import time
from typing import Any

import pytest

from commonroom.accounts.context import Context
from commonroom.accounts.rules import MAX_MANAGED
from commonroom.accounts.service import profiles
from commonroom.accounts.tables import User, user_by_id
from commonroom.store import Store
from tests.accounts.api.calling import V1, Calling, Client, given, problem

ME = f"{V1}/me"
MEMBERS = f"{V1}/me/members"
KIM = {"display_name": "Kim", "avatar_key": "owl", "content_rating_ceiling": "G"}


class TestGetMe:
    async def test_nobody_is_nobody(self, guest: Client) -> None:
        answer = await guest.get(ME)
        problem(answer, 401)
        assert answer.headers["www-authenticate"] == "Bearer"

    async def test_a_browser_and_a_program_see_their_person_and_no_secrets(
        self, browser: Client, program: Client, ben: User
    ) -> None:
        seen = given(await browser.get(ME))
        assert seen["user_id"] == ben.user_id
        assert seen["email"] == ben.email
        assert seen["acting_as"] is None
        assert not {"hash", "password", "epoch", "device_token"} & seen.keys()
        assert given(await program.get(ME)) == seen

    async def test_whoever_has_it_is_told_that_nothing_has_changed(self, browser: Client) -> None:
        tag = (await browser.get(ME)).headers["etag"]
        for names in (tag, f"W/{tag}", f'"other", {tag}', "*"):
            answer = await browser.get(ME, headers={"If-None-Match": names})
            assert answer.status_code == 304
            assert answer.content == b""
        given(await browser.get(ME, headers={"If-None-Match": '"other"'}))

    async def test_acting_for_a_member_says_so(
        self, browser: Client, program: Client, store: Store, ben: User
    ) -> None:
        kim = await profiles.add_managed(Context(store, ben, time.time()), display_name="Kim")
        acting = {"X-Acting-As-Member": kim.user_id}
        for caller in (browser, program):
            seen = given(await caller.get(ME, headers=acting))
            assert seen["user_id"] == ben.user_id
            assert seen["acting_as"]["user_id"] == kim.user_id
        problem(await browser.get(ME, headers={"X-Acting-As-Member": ben.user_id}), 403)

    async def test_a_token_that_is_not_known_is_refused(self, guest: Client) -> None:
        problem(await guest.get(ME, headers={"Authorization": "Bearer cr_nonsense"}), 401)
        problem(await guest.get(ME, headers={"Authorization": "Basic YTpi"}), 401)


class TestChangeMe:
    async def test_nobody_changes_nothing(self, guest: Client) -> None:
        problem(await guest.patch(ME, json={"display_name": "X"}), 401)

    async def test_what_is_given_changes_and_the_rest_stays(self, program: Client) -> None:
        before = given(await program.get(ME))
        change = {"time_zone": "Europe/Paris", "notification_prefs": {"new_round": False}}
        after = given(await program.patch(ME, json=change))
        assert after["time_zone"] == "Europe/Paris"
        prefs = {"vote_nudge": True, "pick_announce": True, "new_round": False}
        assert prefs.items() <= after["notification_prefs"].items()
        same = ("display_name", "email", "avatar_key", "language")
        assert all(before[name] == after[name] for name in same)

    async def test_null_clears_what_need_not_be_said(self, browser: Client) -> None:
        given(await browser.patch(ME, json={"time_zone": "Europe/Paris", "language": "en"}))
        after = given(await browser.patch(ME, json={"time_zone": None}))
        assert after["time_zone"] is None
        assert after["language"] == "en"

    @pytest.mark.parametrize(
        "change, status, field",
        [
            ({"display_name": None}, 400, "display_name"),
            ({"display_name": 5}, 400, "display_name"),
            ({"is_admin": True}, 400, "is_admin"),
            ({"notification_prefs": {"new_round": "yes"}}, 400, "notification_prefs.new_round"),
            ({"notification_prefs": {"spam": True}}, 400, "notification_prefs.spam"),
            ({"display_name": "x" * 31}, 422, "display_name"),
            ({"display_name": "x" * 1000}, 422, "display_name"),
            ({"display_name": "\u0000\u200b"}, 422, "display_name"),
            ({"avatar_key": "dragon"}, 422, "avatar_key"),
            ({"language": "tlh"}, 422, "language"),
            ({"time_zone": "Moon/Sea"}, 422, "time_zone"),
        ],
    )
    async def test_what_cannot_be_taken_is_named(
        self, browser: Client, change: dict[str, Any], status: int, field: str
    ) -> None:
        assert problem(await browser.patch(ME, json=change), status)["field"] == field

    async def test_whoever_saw_it_otherwise_changes_nothing(self, browser: Client) -> None:
        tag = (await browser.get(ME)).headers["etag"]
        answer = await browser.patch(ME, json={"display_name": "B"}, headers={"If-Match": tag})
        given(answer)
        refused = await browser.patch(ME, json={"display_name": "C"}, headers={"If-Match": tag})
        problem(refused, 412)
        weak = {"If-Match": "W/" + answer.headers["etag"]}
        problem(await browser.patch(ME, json={"display_name": "C"}, headers=weak), 412)
        given(await browser.patch(ME, json={"display_name": "C"}, headers={"If-Match": "*"}))

    async def test_a_change_in_the_very_moment_is_not_overwritten(
        self, browser: Client, store: Store, ben: User, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        tag = (await browser.get(ME)).headers["etag"]
        really = profiles.change_profile

        async def meanwhile(*arguments: Any, **named: Any) -> User:
            later = Context(store, ben, time.time() + 1)
            await really(later, display_name="Benjamin")
            return await really(*arguments, **named)

        monkeypatch.setattr(profiles, "change_profile", meanwhile)
        change = {"display_name": "B"}
        problem(await browser.patch(ME, json=change, headers={"If-Match": tag}), 412)
        stored = await store.get(user_by_id(user_id=ben.user_id))
        assert stored is not None
        assert stored.display_name == "Benjamin"

    async def test_a_token_that_only_reads_changes_nothing(
        self, calling: Calling, ben: User
    ) -> None:
        reader = await calling.program(ben, "read")
        given(await reader.get(ME))
        problem(await reader.patch(ME, json={"display_name": "B"}), 403)


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
        for _ in range(MAX_MANAGED):
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
