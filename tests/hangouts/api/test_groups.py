"""Groups by programs: changed, looked after, joined with a code."""

from __future__ import annotations

from typing import Any

from tests.accounts.api.calling import V1, Calling, Client, given, problem
from tests.hangouts.api.plans import Plans


async def id_of(client: Client) -> str:
    """The id of whoever has a program."""
    return str(given(await client.get(f"{V1}/me"))["user_id"])


async def new_code(here: Plans, **more: Any) -> str:
    """A code that Ann made."""
    made = given(await here.ann.post(f"{here.group}/codes", json=more), 201)
    return str(made["code"])


class TestAGroup:
    async def test_is_changed_by_a_member_who_saw_its_latest_version(self, here: Plans) -> None:
        change = {"version": 1, "group_name": "Climbers", "picture": "hike", "colour": "teal"}
        changed = given(await here.ben.patch(here.group, json=change))
        assert (changed["group_name"], changed["picture"], changed["version"]) == (
            "Climbers",
            "hike",
            2,
        )
        stale = problem(await here.ann.patch(here.group, json={"version": 1, "colour": None}), 409)
        assert stale["version"] == 2
        cleared = given(await here.ann.patch(here.group, json={"version": 2, "colour": None}))
        assert (cleared["colour"], cleared["picture"]) == (None, "hike")

    async def test_is_made_public_by_an_admin_alone(self, here: Plans) -> None:
        change = {"version": 1, "is_public": True}
        problem(await here.ben.patch(here.group, json=change), 403)
        assert given(await here.ann.patch(here.group, json=change))["is_public"]

    async def test_is_deleted_for_everybody(self, here: Plans) -> None:
        assert (await here.ann.delete(here.group)).status_code == 204
        problem(await here.ben.get(here.group), 404)


class TestMembers:
    async def test_are_promoted_and_removed(self, here: Plans) -> None:
        ben = f"{here.group}/members/{await id_of(here.ben)}"
        assert given(await here.ann.patch(ben, json={"role": "ADMIN"}))["role"] == "ADMIN"
        listed = given(await here.ben.get(f"{here.group}/members"))["items"]
        assert [(one["user_name"], one["role"]) for one in listed] == [
            ("Ann", "ADMIN"),
            ("Ben", "ADMIN"),
        ]
        assert (await here.ann.delete(ben)).status_code == 204
        problem(await here.ben.get(here.group), 404)

    async def test_leave_and_whoever_is_left_becomes_admin(self, here: Plans) -> None:
        assert (
            await here.ann.delete(f"{here.group}/members/{await id_of(here.ann)}")
        ).status_code == 204
        (left,) = given(await here.ben.get(f"{here.group}/members"))["items"]
        assert (left["user_name"], left["role"]) == ("Ben", "ADMIN")


class TestCodes:
    async def test_show_a_guest_only_that_a_group_is_private(
        self, here: Plans, calling: Calling
    ) -> None:
        guest, code = await calling.guest(), await new_code(here)
        shown = given(await guest.get(f"{V1}/group-codes/{code}"))
        assert shown == {
            "is_public": False,
            "group_name": None,
            "member_count": None,
            "is_full": False,
        }
        given(await here.ann.patch(here.group, json={"version": 1, "is_public": True}))
        shown = given(await guest.get(f"{V1}/group-codes/{code.upper()}"))
        assert (shown["group_name"], shown["member_count"]) == ("Friends", 2)

    async def test_let_somebody_in_and_a_second_time_is_200_too(self, here: Plans) -> None:
        code = await new_code(here, expires_at="2033-01-01T00:00:00Z")
        for _ in range(2):
            joined = given(await here.eve.post(f"{V1}/groups/join", json={"code": code}))
            assert joined["group_id"] == here.group_id

    async def test_are_listed_and_ended(self, here: Plans, calling: Calling) -> None:
        code = await new_code(here, single_use=True)
        listed = given(await here.ben.get(f"{here.group}/codes"))["items"]
        assert {one["code"]: one["single_use"] for one in listed}[code]
        problem(await here.ben.delete(f"{here.group}/codes/{code}"), 403)
        assert (await here.ann.delete(f"{here.group}/codes/{code}")).status_code == 204
        problem(await (await calling.guest()).get(f"{V1}/group-codes/{code}"), 404)

    async def test_that_are_spent_are_gone(self, here: Plans, calling: Calling) -> None:
        code = await new_code(here, single_use=True)
        given(await here.eve.post(f"{V1}/groups/join", json={"code": code}))
        problem(await (await calling.guest()).get(f"{V1}/group-codes/{code}"), 410)
