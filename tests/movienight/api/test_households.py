from __future__ import annotations

import pytest

from commonroom.accounts.tables import user_by_id
from tests.accounts.api.calling import V1, Calling, Client, given, problem
from tests.movienight.api.family import TASTES, Family


class TestCreateHousehold:
    async def test_nobody_creates_none(self, guest: Client) -> None:
        problem(await guest.post(f"{V1}/households", json={"name": "Home"}), 401)

    async def test_whoever_creates_it_is_its_creator(self, stranger: Client) -> None:
        new = {"name": " Our  home ", "streaming_services": ["netflix", "netflix"]}
        made = given(await stranger.post(f"{V1}/households", json=new), 201)
        me = given(await stranger.get(f"{V1}/me"))
        assert made["name"] == "Our home"
        assert made["streaming_services"] == ["netflix"]
        assert (made["created_by"], made["member_count"]) == (me["user_id"], 1)
        assert me["household_id"] == made["group_id"]

    async def test_a_second_one_is_a_conflict(self, family: Family) -> None:
        problem(await family.ben.post(f"{V1}/households", json={"name": "Mine"}), 409)

    @pytest.mark.parametrize(
        "body, status",
        [
            ({}, 400),
            ({"name": 7}, 400),
            ({"name": "Home", "more": 1}, 400),
            ({"name": ""}, 422),
            ({"name": "x" * 41}, 422),
            ({"name": "Home", "streaming_services": ["Netflix"]}, 422),
        ],
    )
    async def test_malformed_bodies_are_never_treated_as_defaults(
        self, stranger: Client, body: object, status: int
    ) -> None:
        problem(await stranger.post(f"{V1}/households", json=body), status)
        assert given(await stranger.get(f"{V1}/me"))["household_id"] is None


class TestAHousehold:
    async def test_is_shown_to_its_members(self, family: Family) -> None:
        seen = await family.ben.get(family.home)
        assert given(seen)["member_count"] == 3
        again = await family.ben.get(family.home, headers={"If-None-Match": seen.headers["etag"]})
        assert again.status_code == 304

    async def test_is_not_there_for_anybody_else(self, family: Family, stranger: Client) -> None:
        for path in ("", "/members", "/preferences", "/rounds", "/watched", "/wishes"):
            problem(await stranger.get(family.home + path), 404)

    async def test_is_changed_as_it_was_seen(self, family: Family) -> None:
        seen = await family.ann.get(family.home)
        tag = {"If-Match": seen.headers["etag"]}
        changed = await family.ann.patch(family.home, json={"name": "Nest"}, headers=tag)
        assert given(changed)["name"] == "Nest"
        late = await family.ben.patch(family.home, json={"name": "Lair"}, headers=tag)
        problem(late, 412)

    async def test_is_left_and_handed_on(self, family: Family) -> None:
        given(await family.ann.post(f"{family.home}/leave"), 204)
        assert given(await family.ben.get(family.home))["created_by"] == family.ben_id
        members = given(await family.ben.get(f"{family.home}/members"))["items"]
        assert [one["user_id"] for one in members] == [family.ben_id]
        problem(await family.ann.get(family.home), 404)

    async def test_is_deleted_by_its_creator_who_types_its_name(self, family: Family) -> None:
        problem(await family.ann.delete(family.home), 422)
        problem(await family.ben.delete(family.home, params={"name": "Home"}), 403)
        given(await family.ann.delete(family.home, params={"name": "home"}), 204)
        problem(await family.ben.get(family.home), 404)


class TestMembers:
    async def test_are_listed_the_longest_standing_first(self, family: Family) -> None:
        found = given(await family.ben.get(f"{family.home}/members"))["items"]
        assert [one["display_name"] for one in found] == ["Ann", "Ben", "Kim"]
        assert [one["role"] for one in found] == ["creator", "member", "member"]
        assert found[2]["member_type"] == "managed"
        assert found[2]["content_rating_ceiling"] == "PG"

    async def test_only_parent_and_creator_raise_a_ceiling(self, family: Family) -> None:
        kim = f"{family.home}/members/{family.kim_id}"
        problem(await family.ben.patch(kim, json={"content_rating_ceiling": "R"}), 403)
        raised = await family.ann.patch(kim, json={"content_rating_ceiling": "PG-13"})
        assert given(raised)["content_rating_ceiling"] == "PG-13"

    async def test_a_managed_one_can_be_taken_out_and_brought_back(self, family: Family) -> None:
        kim = f"{family.home}/members/{family.kim_id}"
        given(await family.ann.delete(kim), 204)
        assert given(await family.ann.get(family.home))["member_count"] == 2
        problem(await family.ann.get(family.home, headers=family.for_kim), 403)
        given(await family.ann.put(kim), 204)
        assert given(await family.ann.get(family.home))["member_count"] == 3


class TestActingAs:
    async def test_a_parent_acts_for_a_child(self, family: Family) -> None:
        tastes = {**TASTES, "max_content_rating": "PG"}
        kim = f"{family.home}/members/{family.kim_id}/preferences"
        kept = given(await family.ann.put(kim, json=tastes, headers=family.for_kim))
        assert kept["user_id"] == family.kim_id

    async def test_nobody_acts_for_anothers_child(self, family: Family) -> None:
        problem(await family.ben.get(family.home, headers=family.for_kim), 403)

    async def test_nobody_acts_for_an_independent_member(self, family: Family) -> None:
        header = {"X-Acting-As-Member": family.ben_id}
        problem(await family.ann.get(family.home, headers=header), 403)


class TestInvites:
    async def test_a_guest_sees_name_and_size_and_nothing_else(
        self, family: Family, guest: Client
    ) -> None:
        invite = given(await family.ann.post(f"{family.home}/invites"), 201)
        seen = given(await guest.get(f"{V1}/invites/{invite['invite_token']}"))
        assert seen == {"name": "Home", "size": 3, "full": False}
        assert invite["path"] == f"/join/{invite['invite_token']}"

    async def test_only_the_creator_makes_and_lists_them(self, family: Family) -> None:
        problem(await family.ben.post(f"{family.home}/invites"), 403)
        problem(await family.ben.get(f"{family.home}/invites"), 403)
        assert len(given(await family.ann.get(f"{family.home}/invites"))["items"]) == 1

    async def test_the_list_shows_no_secret_and_is_not_for_a_token_that_only_reads(
        self, family: Family, calling: Calling, stranger: Client
    ) -> None:
        made = given(await family.ann.post(f"{family.home}/invites"), 201)
        given(await stranger.post(f"{V1}/invites/{made['invite_token']}/join"), 201)
        answer = await family.ann.get(f"{family.home}/invites")
        (listed, _) = given(answer)["items"]
        assert listed == {
            "invite_id": made["invite_id"],
            "created_by": family.ann_id,
            "status": "pending",
            "uses": 1,
            "created_at": made["created_at"],
            "expires_at": made["expires_at"],
            "ended_at": None,
        }
        assert made["invite_token"] not in answer.text
        ann = await calling.store.get(user_by_id(user_id=family.ann_id))
        assert ann is not None
        reader = await calling.program(ann, "read")
        problem(await reader.get(f"{family.home}/invites"), 403)
        problem(await reader.get("/movie-night/household/invites"), 403)

    async def test_an_unknown_one_is_404_and_a_revoked_one_410(
        self, family: Family, stranger: Client
    ) -> None:
        invite = given(await family.ann.post(f"{family.home}/invites"), 201)
        join = f"{V1}/invites/{invite['invite_token']}/join"
        given(await family.ann.delete(f"{family.home}/invites/{invite['invite_id']}"), 204)
        (listed, _) = given(await family.ann.get(f"{family.home}/invites"))["items"]
        assert (listed["invite_id"], listed["status"]) == (invite["invite_id"], "revoked")
        assert listed["ended_at"] >= listed["created_at"]
        problem(await stranger.post(join), 410)
        problem(await stranger.get(f"{V1}/invites/{invite['invite_token']}"), 410)
        problem(await stranger.post(f"{V1}/invites/nonsense/join"), 404)

    async def test_whoever_is_in_a_household_cannot_join_another(self, family: Family) -> None:
        invite = given(await family.ann.post(f"{family.home}/invites"), 201)
        problem(await family.ben.post(f"{V1}/invites/{invite['invite_token']}/join"), 409)


class TestPreferences:
    async def test_are_listed_for_those_who_have_said(self, family: Family) -> None:
        found = given(await family.ben.get(f"{family.home}/preferences"))["items"]
        assert {one["user_id"] for one in found} == {family.ann_id, family.ben_id}

    async def test_are_ones_own_to_set(self, family: Family) -> None:
        problem(await family.ben.put(self.of(family, family.ann_id), json=TASTES), 403)
        problem(await family.ben.put(self.of(family, family.kim_id), json=TASTES), 403)

    @pytest.mark.parametrize(
        "change, status",
        [
            ({"genre_likes": ["35"]}, 422),
            ({"genre_likes": ["35", "1"]}, 422),
            ({"genre_dislikes": ["35"]}, 422),
            ({"max_content_rating": "NC-17"}, 422),
            ({"genre_likes": None}, 400),
        ],
    )
    async def test_are_refused_where_they_do_not_fit(
        self, family: Family, change: dict[str, object], status: int
    ) -> None:
        body = TASTES | change
        problem(await family.ben.put(self.of(family, family.ben_id), json=body), status)

    @staticmethod
    def of(family: Family, member_id: str) -> str:
        return f"{family.home}/members/{member_id}/preferences"
