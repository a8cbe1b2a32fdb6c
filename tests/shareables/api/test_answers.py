"""Ticks, answers and votes by HTTP, as anybody leaves them on a page."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

import pytest

from commonroom.accounts.service.throttle import Limit
from commonroom.accounts.tables import DoneBefore, user_by_id
from commonroom.http.idempotency import GUEST_ROOM
from commonroom.rate_limits import RateLimiter
from commonroom.shareables.service import answers
from commonroom.shareables.service.passcodes import CODES
from tests.accounts.api.calling import V1, Calling, Client, given, problem
from tests.shareables.api.sharing import PAGES, code, held, shared
from tests.shareables.furniture import everything_of

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
        for _ in range(CODES.from_network.tries):
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
        (seen,) = listed["items"]
        assert seen.pop("origin")["from_network"] == 1
        assert seen == GOING, "an admin sees names in any case, and never a code"

    async def test_are_listed_in_parts_of_any_length(self, guest: Client) -> None:
        here = await _event(guest)
        for _ in range(3):
            given(await guest.post(f"{here}/rsvps", json=GOING), 201)
        first = given(await guest.get(f"{here}/rsvps?limit=2"))
        rest = given(await guest.get(f"{here}/rsvps?limit=2&cursor={first['next_cursor']}"))
        assert [len(one["items"]) for one in (first, rest)] == [2, 1]

    async def test_end_with_the_deadline(self, guest: Client) -> None:
        here = await _event(guest, rsvp_deadline="2001-01-01T00:00:00Z", confirm_past=True)
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
        origins = [one.pop("origin") for one in listed]
        assert listed == [{"name": name, "answers": answers} for name in ("Anna", "zoe", None)]
        assert {one["from_network"] for one in origins} == {3}
        assert len({one["network"] for one in origins}) == 1, "all from one address"
        first = given(await guest.get(f"{here}?limit=2", headers=held(made)))
        rest = await guest.get(f"{here}?limit=2&cursor={first['next_cursor']}", headers=held(made))
        assert [len(one["items"]) for one in (first, given(rest))] == [2, 1]

    async def test_come_from_one_address_only_so_often(
        self, guest: Client, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(answers, "ANSWERS_FROM_ADDRESS", Limit("few", 2, 3600))
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


class TestAnAccountsAnswer:
    async def test_has_no_code_and_is_theirs_on_every_device(
        self, calling: Calling, guest: Client, ann: Client
    ) -> None:
        here = await _event(guest)
        given_ = given(await ann.post(f"{here}/rsvps", json=GOING), 201)
        assert (given_["code"], given_["receipt"]) == (None, None)
        problem(await ann.post(f"{here}/rsvps", json=GOING), 409)
        person = (await ann.get(f"{V1}/me")).json()["user_id"]
        user = await calling.store.get(user_by_id(user_id=person))
        assert user is not None
        other = await calling.browser(user)
        mine = f"{here}/rsvps/mine"
        assert given(await other.get(mine))["name"] == "Kim"
        given(await other.put(mine, json=GOING | {"response": "maybe"}))
        assert given(await ann.get(mine))["response"] == "maybe"
        given(await ann.delete(mine), 204)
        problem(await other.get(mine), 404)
        problem(await guest.get(mine), 400)

    async def test_shows_results_that_take_a_vote(self, guest: Client, ann: Client) -> None:
        made = await shared(guest, "poll", results_visibility="afterSubmit")
        here = f"{V1}/shareables/{made['page']['short_id']}"
        problem(await ann.get(f"{here}/results"), 403)
        given(await ann.post(f"{here}/votes", json=_vote(made, _options(made)[0])), 201)
        given(await ann.get(f"{here}/results"))
        assert given(await ann.get(here))["results"] is not None


class TestRemoving:
    @pytest.mark.parametrize("kind, below", [("event", "rsvps"), ("poll", "votes")])
    async def test_is_for_an_admin_and_changes_the_counts(
        self, guest: Client, kind: str, below: str
    ) -> None:
        made = await shared(guest, kind)
        here = f"{V1}/shareables/{made['page']['short_id']}"
        answer = GOING if kind == "event" else _vote(made, _options(made)[0])
        given(await guest.post(f"{here}/{below}", json=answer), 201)
        listed = given(await guest.get(f"{here}/{below}", headers=held(made)))["items"]
        answer_id = listed[0]["origin"]["answer_id"]
        one = f"{here}/{below}/{answer_id}"
        problem(await guest.delete(one), 403)
        given(await guest.delete(one, headers=held(made)), 204)
        problem(await guest.delete(one, headers=held(made)), 404)
        page = given(await guest.get(here, headers=held(made)))
        counts = page["counts"] if kind == "event" else page["results"]["options"].values()
        assert not any(counts.values() if kind == "event" else [one["votes"] for one in counts])
        assert page["network_count"] == 0

    async def test_ids_are_told_to_admins_alone(self, guest: Client) -> None:
        here = await _event(guest)
        given(await guest.post(f"{here}/rsvps", json=GOING), 201)
        assert given(await guest.get(f"{here}/rsvps"))["items"][0]["origin"] is None
        assert given(await guest.get(here))["network_count"] is None


class TestIdempotency:
    async def test_a_guests_answer_is_given_once_and_told_again(self, guest: Client) -> None:
        here = await _event(guest)
        headers = {"Idempotency-Key": str(uuid4())}
        first, again = [
            await guest.post(f"{here}/rsvps", json=GOING, headers=headers) for _ in range(2)
        ]
        assert given(first, 201) == given(again, 201), "with its code, to whoever has the key"
        assert again.headers["idempotency-replayed"] == "true"
        assert given(await guest.get(here))["counts"]["going"] == 1
        problem(await guest.post(f"{here}/rsvps", json=GOING | {"name": "X"}, headers=headers), 422)

    async def test_a_guests_page_is_made_once(self, guest: Client) -> None:
        headers = {"Idempotency-Key": str(uuid4())}
        made = [
            given(
                await guest.post(f"{V1}/shareables/polls", json=PAGES["poll"], headers=headers), 201
            )
            for _ in range(2)
        ]
        assert made[0] == made[1]

    @pytest.mark.parametrize("key", ["1", "my answer", "a" * 40])
    async def test_a_guests_key_must_be_one_that_nobody_guesses(
        self, guest: Client, key: str
    ) -> None:
        here = await _event(guest)
        headers = {"Idempotency-Key": key}
        problem(await guest.post(f"{here}/rsvps", json=GOING, headers=headers), 400)

    async def test_a_refused_guest_may_ask_again_and_takes_no_room(
        self, calling: Calling, guest: Client
    ) -> None:
        here = await _event(guest)
        headers = {"Idempotency-Key": str(uuid4())}
        unfit = GOING | {"guest_count": 21}
        problem(await guest.post(f"{here}/rsvps", json=unfit, headers=headers), 422)
        assert not await everything_of(calling.store.engine, DoneBefore)
        given(await guest.post(f"{here}/rsvps", json=GOING, headers=headers), 201)

    async def test_guests_answers_take_so_much_room_together_and_are_still_given_once(
        self, calling: Calling, guest: Client
    ) -> None:
        here = await _event(guest)
        headers = {"Idempotency-Key": str(uuid4())}
        room = calling.app.state["guest_answers"] = RateLimiter(GUEST_ROOM)
        assert room.take("all", GUEST_ROOM.burst) == 0
        given(await guest.post(f"{here}/rsvps", json=GOING, headers=headers), 201)
        problem(await guest.post(f"{here}/rsvps", json=GOING, headers=headers), 409)
        assert given(await guest.get(here))["counts"]["going"] == 1
        (kept,) = await everything_of(calling.store.engine, DoneBefore)
        assert kept.body == b""

    async def test_the_database_alone_does_not_tell_a_guests_code(
        self, calling: Calling, guest: Client
    ) -> None:
        here = await _event(guest)
        key = str(uuid4())
        sent = await guest.post(f"{here}/rsvps", json=GOING, headers={"Idempotency-Key": key})
        (kept,) = await everything_of(calling.store.engine, DoneBefore)
        stored = str(kept.to_item())
        assert given(sent, 201)["code"] not in stored
        assert key not in stored


class TestTags:
    async def test_a_page_that_has_not_changed_is_not_sent_again(self, guest: Client) -> None:
        here = await _event(guest)
        tag = (await guest.get(here)).headers["etag"]
        assert (await guest.get(here, headers={"If-None-Match": tag})).status_code == 304
        given(await guest.post(f"{here}/rsvps", json=GOING), 201)
        changed = await guest.get(here, headers={"If-None-Match": tag})
        assert (changed.status_code, changed.headers["etag"] == tag) == (200, False)

    async def test_a_page_that_was_seen_otherwise_is_neither_edited_nor_deleted(
        self, guest: Client
    ) -> None:
        made = await shared(guest, "event")
        here, edit = f"{V1}/shareables/{made['page']['short_id']}", PAGES["event"]
        seen = await guest.get(here, headers=held(made))
        match = held(made) | {"If-Match": seen.headers["etag"]}
        saved = await guest.put(
            f"{here}/event", json=edit | {"name": "Feast", "version": 1}, headers=match
        )
        assert given(saved)["name"] == "Feast"
        late = edit | {"version": 2}
        problem(await guest.put(f"{here}/event", json=late, headers=match), 412)
        problem(await guest.delete(here, headers=match), 412)
        match["If-Match"] = saved.headers["etag"]
        given(await guest.delete(here, headers=match), 204)

    async def test_an_answer_that_was_changed_elsewhere_is_not_overwritten(
        self, guest: Client
    ) -> None:
        here = await _event(guest)
        answer = given(await guest.post(f"{here}/rsvps", json=GOING), 201)
        mine, shown = f"{here}/rsvps/mine", code(answer["code"])
        tag = (await guest.get(mine, headers=shown)).headers["etag"]
        match = shown | {"If-Match": tag}
        assert (await guest.get(mine, headers=shown | {"If-None-Match": tag})).status_code == 304
        given(await guest.put(mine, json=GOING | {"name": "Kimmy"}, headers=match))
        problem(await guest.put(mine, json=GOING | {"name": "Kim"}, headers=match), 412)
        assert given(await guest.get(mine, headers=shown))["name"] == "Kimmy"


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
