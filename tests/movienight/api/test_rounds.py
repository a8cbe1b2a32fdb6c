from __future__ import annotations

from typing import Any

import pytest

from commonroom.store import counting
from tests.accounts.api.calling import V1, Client, given, problem
from tests.movienight.api.family import TASTES, Family


class TestCreateRound:
    async def test_nobody_creates_none(self, family: Family, guest: Client) -> None:
        problem(await guest.post(f"{family.home}/rounds", json={}), 401)

    async def test_everybody_attends_unless_somebody_says_who(self, family: Family) -> None:
        made = await family.round(voting=False)
        assert made["status"] == "draft"
        assert set(made["attendees"]) == {family.ann_id, family.ben_id, family.kim_id}
        assert 5 <= len(made["films"]) <= 8
        assert all(film["reasons"] for film in made["films"])
        assert made["may"] == ["abandon", "attendees", "shuffle", "start"]

    async def test_the_ceiling_of_a_child_without_preferences_holds(self, family: Family) -> None:
        made = await family.round(voting=False)
        assert {film["content_rating"] for film in made["films"]} <= {"G", "PG"}

    async def test_a_second_open_round_names_the_first(self, family: Family) -> None:
        made = await family.round(voting=False)
        refused = problem(await family.ben.post(f"{family.home}/rounds", json={}), 409)
        assert refused["active_round_id"] == made["round_id"]

    async def test_missing_tastes_are_named(self, calling: Any, family: Family) -> None:
        alone = {"attendees": [family.ben_id, family.kim_id]}
        refused = problem(await family.ben.post(f"{family.home}/rounds", json=alone), 422)
        assert refused["missing"] == [family.kim_id]
        assert "Kim" in refused["detail"]

    @pytest.mark.parametrize(
        "body, status",
        [({"attendees": []}, 422), ({"attendees": "all"}, 400), ([], 400), ({"who": 1}, 400)],
    )
    async def test_malformed_bodies_are_never_treated_as_defaults(
        self, family: Family, body: object, status: int
    ) -> None:
        problem(await family.ann.post(f"{family.home}/rounds", json=body), status)
        assert given(await family.ann.get(family.home))["open_round_id"] is None

    async def test_only_members_attend(self, family: Family) -> None:
        body = {"attendees": [family.ann_id, "somebody-else"]}
        problem(await family.ann.post(f"{family.home}/rounds", json=body), 422)


class TestAnEvening:
    async def test_goes_from_the_shortlist_to_how_it_was(self, family: Family) -> None:
        ann, ben = family.ann, family.ben
        made = await family.round(voting=False)
        here = f"{family.home}/rounds/{made['round_id']}"
        shuffled = given(await ann.post(f"{here}/shuffle"))
        before = {film["tmdb_movie_id"] for film in made["films"]}
        assert not before & {film["tmdb_movie_id"] for film in shuffled["films"]}
        problem(await ben.post(f"{here}/start"), 403)
        round_ = given(await ann.post(f"{here}/start"))
        one, two, *_ = [film["tmdb_movie_id"] for film in round_["films"]]
        up = {"vote": "up"}
        given(await ann.put(f"{here}/votes/{one}", json=up), 204)
        given(await ann.put(f"{here}/votes/{one}", json=up, headers=family.for_kim), 204)
        given(await ben.put(f"{here}/votes/{one}", json={"vote": "down"}), 204)
        given(await ben.put(f"{here}/votes/{two}", json=up), 204)
        seen = given(await ben.get(here))
        films = {film["tmdb_movie_id"]: film for film in seen["films"]}
        assert seen["progress"] == {"voted": 3, "attendees": 3}
        assert films[one]["votes"] == {family.ben_id: "down"}, "his own: the others’ are secret"
        assert (films[one]["up"], films[one]["down"], seen["waiting_for"]) == (2, 1, [])
        live = given(await ben.get(f"{family.home}/films/{one}"))["live_votes"]
        assert (live["votes"], live["up"], live["down"]) == ({family.ben_id: "down"}, 2, 1)
        assert (films[one]["rank"], films[one]["tied"]) == (1, True)
        assert (films[two]["rank"], films[two]["tied"]) == (1, True)
        problem(await ben.post(f"{here}/pick", json={"tmdb_movie_id": one}), 403)
        picked = given(await ann.post(f"{here}/pick", json={"tmdb_movie_id": one}))
        assert (picked["status"], picked["pick"]["tmdb_movie_id"]) == ("selected", one)
        assert picked["films"][0]["votes"], "from the pick on, everybody sees who voted how"
        problem(await ann.post(f"{here}/pick", json={"tmdb_movie_id": two}), 409)
        watched = given(await ben.post(f"{here}/watched"))
        assert watched["pick"]["watched"] is True
        for client, headers in ((ann, {}), (ann, family.for_kim), (ben, {})):
            given(
                await client.put(f"{here}/rating", json={"rating": "loved"}, headers=headers), 204
            )
        ended = given(await ben.get(here))
        assert ended["status"] == "rated"
        past = given(await ben.get(f"{family.home}/rounds"))["items"]
        assert past[0]["ratings"] == {"loved": 3, "liked": 0, "did_not_like": 0}
        story = given(await ben.get(f"{family.home}/films/{one}"))
        assert story["watched"]["round_id"] == made["round_id"]
        assert story["past_votes"][0]["votes"][family.ben_id] == "down"
        (seen_film,) = given(await ben.get(f"{family.home}/watched"))["items"]
        assert (seen_film["tmdb_movie_id"], seen_film["round_id"]) == (one, made["round_id"])
        assert seen_film["ratings"] == {"loved": 3, "liked": 0, "did_not_like": 0}
        given(await ben.delete(f"{family.home}/watched/{one}"), 204)
        assert given(await ben.get(here))["status"] == "selected"
        assert given(await ben.get(f"{family.home}/watched"))["items"] == []
        given(await ben.put(f"{family.home}/watched/{one}"), 204)
        assert given(await ben.get(here))["status"] == "rated", "the same deed as in the round"

    async def test_a_pick_is_taken_back(self, family: Family) -> None:
        round_ = await family.round()
        here = f"{family.home}/rounds/{round_['round_id']}"
        film = {"tmdb_movie_id": round_["films"][0]["tmdb_movie_id"]}
        refused = problem(await family.ann.post(f"{here}/pick", json=film), 409)
        assert set(refused["missing"]) == {family.ann_id, family.ben_id, family.kim_id}
        given(
            await family.ann.post(f"{here}/pick", json=film | {"even_if_votes_are_missing": True})
        )
        again = given(await family.ann.post(f"{here}/reopen"))
        assert (again["status"], again["pick"]) == ("voting", None)


class TestWhoTakesPart:
    async def test_comes_late_and_goes_with_their_votes(self, family: Family) -> None:
        ann, ben = family.ann, family.ben
        given(await ann.put(f"{family.home}/members/{family.kim_id}/preferences", json=TASTES))
        body = {"attendees": [family.ann_id, family.kim_id]}
        made = given(await ann.post(f"{family.home}/rounds", json=body), 201)
        here = f"{family.home}/rounds/{made['round_id']}"
        round_ = given(await ann.post(f"{here}/start"))
        film = round_["films"][0]["tmdb_movie_id"]
        given(await ben.put(f"{here}/attendees/{family.ben_id}"), 204)
        given(await ben.put(f"{here}/votes/{film}", json={"vote": "up"}), 204)
        assert given(await ben.get(here))["progress"] == {"voted": 1, "attendees": 3}
        problem(await ben.delete(f"{here}/attendees/{family.ann_id}"), 403)
        given(await ann.delete(f"{here}/attendees/{family.ben_id}"), 204)
        assert given(await ben.get(here))["progress"] == {"voted": 0, "attendees": 2}

    async def test_a_round_is_abandoned_at_any_time(self, family: Family) -> None:
        round_ = await family.round()
        here = f"{family.home}/rounds/{round_['round_id']}"
        problem(await family.ben.post(f"{here}/abandon"), 403)
        ended = given(await family.ann.post(f"{here}/abandon"))
        assert (ended["status"], ended["abandoned_by"]) == ("expired", family.ann_id)
        assert given(await family.ann.get(family.home))["open_round_id"] is None


class TestVote:
    async def test_is_seen_by_everybody_where_the_household_has_chosen_so(
        self, family: Family
    ) -> None:
        given(await family.ann.patch(family.home, json={"votes_are_open": True}))
        round_ = await family.round()
        here = f"{family.home}/rounds/{round_['round_id']}"
        film = round_["films"][0]["tmdb_movie_id"]
        given(await family.ben.put(f"{here}/votes/{film}", json={"vote": "up"}), 204)
        seen = given(await family.ann.get(here))
        assert seen["votes_are_open"] is True
        assert seen["films"][0]["votes"] == {family.ben_id: "up"}

    async def test_a_film_that_is_not_in_the_round_is_400(self, family: Family) -> None:
        here = await self.here(family)
        problem(await family.ann.put(f"{here}/votes/1", json={"vote": "up"}), 400)

    @pytest.mark.parametrize("film", ["x", "0", "-1", "1.5", "9" * 20, "%20"])
    async def test_what_is_no_film_is_404(self, family: Family, film: str) -> None:
        here = await self.here(family)
        problem(await family.ann.put(f"{here}/votes/{film}", json={"vote": "up"}), 404)

    @pytest.mark.parametrize(
        "body, status",
        [({}, 400), ({"vote": "maybe"}, 422), ({"vote": None}, 400), ({"vote": "up", "x": 1}, 400)],
    )
    async def test_a_malformed_vote_is_no_vote(
        self, family: Family, body: object, status: int
    ) -> None:
        round_ = await family.round()
        film = round_["films"][0]["tmdb_movie_id"]
        here = f"{family.home}/rounds/{round_['round_id']}"
        problem(await family.ann.put(f"{here}/votes/{film}", json=body), status)
        assert given(await family.ann.get(here))["progress"]["voted"] == 0

    async def test_whoever_does_not_attend_cannot(self, family: Family) -> None:
        body = {"attendees": [family.ann_id, family.kim_id]}
        put = f"{family.home}/members/{family.kim_id}/preferences"
        given(await family.ann.put(put, json=TASTES))
        made = given(await family.ann.post(f"{family.home}/rounds", json=body), 201)
        here = f"{family.home}/rounds/{made['round_id']}"
        given(await family.ann.post(f"{here}/start"))
        film = made["films"][0]["tmdb_movie_id"]
        problem(await family.ben.put(f"{here}/votes/{film}", json={"vote": "up"}), 403)

    async def test_another_households_round_is_not_there(
        self, family: Family, stranger: Client
    ) -> None:
        round_ = await family.round()
        own = given(await stranger.post(f"{V1}/households", json={"name": "Lair"}), 201)
        path = f"{V1}/households/{own['group_id']}/rounds/{round_['round_id']}"
        problem(await stranger.get(path), 404)
        film = round_["films"][0]["tmdb_movie_id"]
        problem(await stranger.put(f"{path}/votes/{film}", json={"vote": "up"}), 404)

    @staticmethod
    async def here(family: Family) -> str:
        return f"{family.home}/rounds/{(await family.round())['round_id']}"


class TestProposals:
    async def test_are_found_by_search_and_withdrawn_by_whoever_made_them(
        self, family: Family
    ) -> None:
        round_ = await family.round()
        here = f"{family.home}/rounds/{round_['round_id']}"
        there = {film["tmdb_movie_id"] for film in round_["films"]}
        found = given(await family.ben.get(f"{V1}/films", params={"title": "toy story"}))["items"]
        film = next(
            one
            for one in found
            if one["certification"] == "G" and one["tmdb_movie_id"] not in there
        )
        number = {"tmdb_movie_id": film["tmdb_movie_id"]}
        given(await family.ben.post(f"{here}/proposals", json=number), 204)
        problem(await family.ben.post(f"{here}/proposals", json=number), 409)
        given(await family.ben.delete(f"{here}/proposals/{film['tmdb_movie_id']}"), 204)
        assert given(await family.ben.get(here))["films"] == round_["films"]


class TestWishes:
    async def test_are_added_listed_and_removed(self, family: Family) -> None:
        number = given(await family.ben.get(f"{V1}/films", params={"title": "paddington"}))[
            "items"
        ][0]["tmdb_movie_id"]
        wishes = f"{family.home}/wishes"
        made = given(await family.ben.post(wishes, json={"tmdb_movie_id": number}), 201)
        assert made["added_by"] == family.ben_id
        problem(await family.ann.post(wishes, json={"tmdb_movie_id": number}), 409)
        problem(await family.ann.delete(f"{wishes}/{number}", headers=family.for_kim), 403)
        assert given(await family.ann.get(wishes))["items"] == [made]
        given(await family.ann.put(f"{family.home}/watched/{number}"), 204)
        assert given(await family.ann.get(wishes))["items"] == []
        problem(await family.ben.post(wishes, json={"tmdb_movie_id": number}), 409)
        given(await family.ann.delete(f"{family.home}/watched/{number}"), 204)

    async def test_a_film_that_nobody_knows_is_404(self, family: Family) -> None:
        body = {"tmdb_movie_id": 999_999_999}
        problem(await family.ben.post(f"{family.home}/wishes", json=body), 404)


class TestChoices:
    async def test_genres_and_services_are_told(self, family: Family) -> None:
        genres = given(await family.ben.get(f"{V1}/genres"))["items"]
        assert {"id": "35", "name": "Comedy"} in genres
        services = given(await family.ben.get(f"{V1}/streaming-services"))["items"]
        assert {"id": "disney_plus", "name": "Disney+"} in services


async def test_a_round_costs_as_many_requests_with_all_votes_as_with_none(family: Family) -> None:
    round_ = await family.round()
    here = f"{family.home}/rounds/{round_['round_id']}"
    with counting() as before:
        given(await family.ann.get(here))
    for film in round_["films"]:
        path = f"{here}/votes/{film['tmdb_movie_id']}"
        for headers in ({}, family.for_kim):
            given(await family.ann.put(path, json={"vote": "up"}, headers=headers), 204)
    with counting() as after:
        given(await family.ann.get(here))
    assert after.reads == before.reads <= 8
