"""Ticks, answers and votes by HTTP, as anybody leaves them on a page."""

from __future__ import annotations

from typing import Any

import pytest

from commonroom.accounts.service.throttle import Limit
from commonroom.shareables.service import tries
from commonroom.shareables.service.tries import CODES_FROM_ADDRESS
from tests.shareables.api.sharing import code, held, shared
from tests.web.api.calling import V1, Client, given, problem

GOING = {"name": "Kim", "response": "going", "guest_count": 2}


class TestTicks:
    async def test_are_everyones(self, guest: Client) -> None:
        made = await shared(guest, "checklist")
        here = f"{V1}/shareables/{made['page']['short_id']}"
        milk, bread = (one["checklist_item_id"] for one in made["page"]["items"])
        for item in (milk, bread):
            given(await guest.put(f"{here}/ticks/{item}", json={"by": "Kim"}), 204)
        given(await guest.delete(f"{here}/ticks/{bread}"), 204)
        ticks = given(await guest.get(here))["ticks"]
        assert {item: one["by"] for item, one in ticks.items()} == {milk: "Kim"}
        problem(await guest.put(f"{here}/ticks/nothing", json={}), 404)

    async def test_are_all_taken_away_by_an_admin(self, guest: Client) -> None:
        made = await shared(guest, "checklist")
        here = f"{V1}/shareables/{made['page']['short_id']}"
        for item in made["page"]["items"]:
            given(await guest.put(f"{here}/ticks/{item['checklist_item_id']}", json={}), 204)
        problem(await guest.delete(f"{here}/ticks"), 403)
        given(await guest.delete(f"{here}/ticks", headers=held(made)), 204)
        assert given(await guest.get(here))["ticks"] == {}

    async def test_stay_on_each_device_where_the_creator_chose_so(self, guest: Client) -> None:
        made = await shared(guest, "checklist", ticks_shared=False)
        item = made["page"]["items"][0]["checklist_item_id"]
        here = f"{V1}/shareables/{made['page']['short_id']}/ticks/{item}"
        problem(await guest.put(here, json={}), 409)
        problem(await guest.delete(here.rpartition("/")[0], headers=held(made)), 409)


class TestRsvps:
    async def test_are_given_changed_and_withdrawn_with_their_code(self, guest: Client) -> None:
        here = await _event(guest)
        answer = given(await guest.post(f"{here}/rsvps", json=GOING), 201)
        mine = f"{here}/rsvps/mine"
        assert given(await guest.get(here))["counts"]["guests"] == 2
        for shown in (answer["code"].upper(), answer["receipt"]):
            assert given(await guest.get(mine, headers=code(shown)))["name"] == "Kim"
        maybe = {"name": "Kim", "response": "maybe"}
        changed = await guest.put(mine, json=maybe, headers=code(answer["code"]))
        assert given(changed)["response"] == "maybe"
        given(await guest.delete(mine, headers=code(answer["receipt"])), 204)
        problem(await guest.get(mine, headers=code(answer["receipt"])), 404)
        assert given(await guest.get(here))["counts"]["maybe"] == 0

    async def test_need_their_code(self, guest: Client) -> None:
        here = await _event(guest)
        refused = problem(await guest.get(f"{here}/rsvps/mine"), 400)
        assert refused["field"] == "X-Answer-Code"

    async def test_wrong_codes_are_taken_only_so_often(self, guest: Client) -> None:
        mine = f"{await _event(guest)}/rsvps/mine"
        for _ in range(CODES_FROM_ADDRESS.tries):
            problem(await guest.get(mine, headers=code("aaaabbbb")), 404)
        problem(await guest.get(mine, headers=code("aaaabbbb")), 429)

    async def test_a_code_of_one_page_is_none_of_another(self, guest: Client) -> None:
        one, other = await _event(guest), await _event(guest)
        answer = given(await guest.post(f"{one}/rsvps", json=GOING), 201)
        for shown in (answer["code"], answer["receipt"]):
            problem(await guest.delete(f"{other}/rsvps/mine", headers=code(shown)), 404)

    @pytest.mark.parametrize(
        "visibility, names, counts",
        [("everyone", 200, True), ("countsOnly", 403, True), ("admin", 403, False)],
    )
    async def test_are_seen_as_the_creator_chose(
        self, guest: Client, visibility: str, names: int, counts: bool
    ) -> None:
        made = await shared(guest, "event", rsvp_visibility=visibility)
        here = f"{V1}/shareables/{made['page']['short_id']}"
        given(await guest.post(f"{here}/rsvps", json=GOING), 201)
        assert (given(await guest.get(here))["counts"] is not None) == counts
        assert (await guest.get(f"{here}/rsvps")).status_code == names
        listed = given(await guest.get(f"{here}/rsvps", headers=held(made)))
        assert listed["items"] == [GOING], "an admin sees names in any case, and never a code"

    async def test_are_listed_in_parts_of_any_length(self, guest: Client) -> None:
        here = await _event(guest)
        for _ in range(3):
            given(await guest.post(f"{here}/rsvps", json=GOING), 201)
        first = given(await guest.get(f"{here}/rsvps?limit=2"))
        rest = given(await guest.get(f"{here}/rsvps?limit=2&cursor={first['next_cursor']}"))
        assert [len(one["items"]) for one in (first, rest)] == [2, 1]

    async def test_end_with_the_deadline(self, guest: Client) -> None:
        here = await _event(guest, rsvp_deadline="2001-01-01T00:00:00Z")
        problem(await guest.post(f"{here}/rsvps", json=GOING), 409)


class TestVotes:
    async def test_are_given_changed_and_withdrawn_with_their_code(self, guest: Client) -> None:
        made = await shared(guest, "poll")
        here = f"{V1}/shareables/{made['page']['short_id']}"
        sea, hills = _options(made)
        cast = given(await guest.post(f"{here}/votes", json=_vote(made, sea)), 201)
        assert (await _votes(guest, here))[sea] == 1
        mine = f"{here}/votes/mine"
        assert given(await guest.get(mine, headers=code(cast["code"])))["answers"] == {
            made["page"]["questions"][0]["poll_question_id"]: [sea]
        }
        given(await guest.put(mine, json=_vote(made, hills), headers=code(cast["receipt"])))
        assert await _votes(guest, here) == {sea: 0, hills: 1}
        given(await guest.delete(mine, headers=code(cast["code"])), 204)
        assert await _votes(guest, here) == {sea: 0, hills: 0}

    async def test_are_held_against_the_questions(self, guest: Client) -> None:
        made = await shared(guest, "poll")
        here = f"{V1}/shareables/{made['page']['short_id']}/votes"
        question = made["page"]["questions"][0]["poll_question_id"]
        for chosen in ((), ("nothing",), _options(made)):
            refused = problem(await guest.post(here, json=_vote(made, *chosen)), 422)
            assert refused["field"] == f"answers.{question}"
        problem(await guest.post(here, json={"answers": {"nothing": []}}), 422)

    async def test_are_listed_to_an_admin_without_their_codes(self, guest: Client) -> None:
        made = await shared(guest, "poll")
        here = f"{V1}/shareables/{made['page']['short_id']}/votes"
        vote = _vote(made, _options(made)[0])
        for name in ("zoe", "Anna", None):
            given(await guest.post(here, json={**vote, "name": name}), 201)
        problem(await guest.get(here), 403)
        listed = given(await guest.get(here, headers=held(made)))["items"]
        answers = {question: list(ids) for question, ids in vote["answers"].items()}
        assert listed == [{"name": name, "answers": answers} for name in ("Anna", "zoe", None)]
        first = given(await guest.get(f"{here}?limit=2", headers=held(made)))
        rest = await guest.get(f"{here}?limit=2&cursor={first['next_cursor']}", headers=held(made))
        assert [len(one["items"]) for one in (first, given(rest))] == [2, 1]

    async def test_come_from_one_address_only_so_often(
        self, guest: Client, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(tries, "ANSWERS_FROM_ADDRESS", Limit("few", 2, 3600))
        made, other = await shared(guest, "poll"), await shared(guest, "poll")
        here = f"{V1}/shareables/{made['page']['short_id']}/votes"
        vote = _vote(made, _options(made)[0])
        for _ in range(2):
            given(await guest.post(here, json=vote), 201)
        problem(await guest.post(here, json=vote), 429)
        there = f"{V1}/shareables/{other['page']['short_id']}/votes"
        given(await guest.post(there, json=_vote(other, _options(other)[0])), 201)

    async def test_end_with_the_close_until_it_is_taken_back(self, guest: Client) -> None:
        made = await shared(guest, "poll")
        here = f"{V1}/shareables/{made['page']['short_id']}"
        vote = _vote(made, _options(made)[0])
        problem(await guest.post(f"{here}/close"), 403)
        assert given(await guest.post(f"{here}/close", headers=held(made)))["is_closed"]
        problem(await guest.post(f"{here}/votes", json=vote), 409)
        assert not given(await guest.post(f"{here}/reopen", headers=held(made)))["is_closed"]
        given(await guest.post(f"{here}/votes", json=vote), 201)


class TestResults:
    async def test_after_a_vote_are_for_whoever_holds_its_code(self, guest: Client) -> None:
        made, here = await self._poll(guest, "afterSubmit")
        cast = given(await guest.post(f"{here}/votes", json=_vote(made, _options(made)[0])), 201)
        problem(await guest.get(f"{here}/results"), 403)
        problem(await guest.get(f"{here}/results", headers=code("aaaabbbb")), 404)
        for shown in (cast["code"], cast["receipt"]):
            results = given(await guest.get(f"{here}/results", headers=code(shown)))
            assert results["options"][_options(made)[0]] == {"votes": 1, "share": 1.0}
            assert given(await guest.get(here, headers=code(shown)))["results"] == results

    async def test_after_the_close_are_for_everybody(self, guest: Client) -> None:
        made, here = await self._poll(guest, "afterClose")
        problem(await guest.get(f"{here}/results"), 403)
        assert given(await guest.get(here))["results"] is None
        given(await guest.post(f"{here}/close", headers=held(made)))
        given(await guest.get(f"{here}/results"))

    async def test_for_the_admin_are_for_nobody_else(self, guest: Client) -> None:
        made, here = await self._poll(guest, "admin")
        given(await guest.post(f"{here}/close", headers=held(made)))
        problem(await guest.get(f"{here}/results"), 403)
        given(await guest.get(f"{here}/results", headers=held(made)))

    @staticmethod
    async def _poll(guest: Client, visibility: str) -> tuple[dict[str, Any], str]:
        made = await shared(guest, "poll", results_visibility=visibility)
        return made, f"{V1}/shareables/{made['page']['short_id']}"


async def _event(guest: Client, **more: Any) -> str:
    made = await shared(guest, "event", **more)
    return f"{V1}/shareables/{made['page']['short_id']}"


def _options(made: dict[str, Any]) -> list[str]:
    options = made["page"]["questions"][0]["options"]
    return [one["poll_question_option_id"] for one in options]


def _vote(made: dict[str, Any], *chosen: str) -> dict[str, Any]:
    return {"answers": {made["page"]["questions"][0]["poll_question_id"]: chosen}}


async def _votes(guest: Client, here: str) -> dict[str, int]:
    results = given(await guest.get(f"{here}/results"))
    return {option: one["votes"] for option, one in results["options"].items()}
