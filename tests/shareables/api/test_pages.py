"""Making, opening, editing and ending pages by HTTP, as anybody can."""

from __future__ import annotations

from typing import Any

import pytest

from commonroom.shareables.service.passcodes import PASSCODES
from commonroom.store import counting
from tests.accounts.api.calling import V1, Client, given, problem
from tests.shareables.api.sharing import PAGES, held, shared
from tests.shareables.furniture import YEAR


class TestMaking:
    @pytest.mark.parametrize("kind", PAGES)
    async def test_anybody_makes_a_page_and_gets_its_pass_once(
        self, guest: Client, kind: str
    ) -> None:
        made = await shared(guest, kind)
        page = made["page"]
        assert (page["kind"], page["role"], page["version"]) == (kind, "admin", 1)
        assert made["recovery_path"] == f"{page['path']}/recover/{made['pass']}"
        seen = given(await guest.get(f"{V1}/shareables/{page['short_id']}"))
        assert (seen["name"], seen["role"], seen["passcodes"]) == (page["name"], "view", None)

    async def test_a_page_of_an_account_opens_to_it_without_a_pass(self, ann: Client) -> None:
        made = await shared(ann, "poll", view_passcode="for viewers")
        seen = given(await ann.get(f"{V1}/shareables/{made['page']['short_id']}"))
        assert (seen["role"], seen["passcodes"]) == ("admin", ["view"])

    async def test_a_page_of_an_account_is_not_a_childs_it_acts_for(self, ann: Client) -> None:
        made = await shared(ann, "poll", view_passcode="for viewers")
        child = given(await ann.post(f"{V1}/me/members", json={"display_name": "Kim"}), 201)
        acting = {"X-Acting-As-Member": child["user_id"]}
        here = f"{V1}/shareables/{made['page']['short_id']}"
        problem(await ann.get(here, headers=acting), 403)

    @pytest.mark.parametrize(
        "change, status",
        [
            ({"name": ""}, 422),
            ({"name": None}, 400),
            ({"more": 1}, 400),
            ({"items": []}, 422),
            ({"expires_after": 2}, 422),
            ({"view_passcode": "abc"}, 422),
            ({"view_passcode": "the same", "admin_passcode": "the same"}, 422),
        ],
    )
    async def test_what_cannot_be_made_is_refused(
        self, guest: Client, change: dict[str, Any], status: int
    ) -> None:
        body = PAGES["checklist"] | change
        problem(await guest.post(f"{V1}/shareables/checklists", json=body), status)

    async def test_a_clone_is_a_page_of_its_own(self, guest: Client) -> None:
        made = await shared(guest, "checklist", view_passcode="for viewers")
        here = f"{V1}/shareables/{made['page']['short_id']}"
        problem(await guest.post(f"{here}/clone", json={}), 403)
        clone = given(await guest.post(f"{here}/clone", json={}, headers=held(made)), 201)
        assert clone["page"]["short_id"] != made["page"]["short_id"]
        assert clone["page"]["items"] == made["page"]["items"]
        problem(await guest.get(f"{V1}/shareables/{clone['page']['short_id']}"), 403)

    async def test_a_clone_of_what_is_over_needs_new_dates(self, guest: Client) -> None:
        past = {"start_time": "2001-01-01T18:00:00Z", "rsvp_deadline": "2000-12-31T18:00:00Z"}
        refused = problem(
            await guest.post(f"{V1}/shareables/events", json=PAGES["event"] | past), 422
        )
        assert refused["field"] == "start_time"
        made = await shared(guest, "event", **past, confirm_past=True)
        here = f"{V1}/shareables/{made['page']['short_id']}/clone"
        refused = problem(await guest.post(here, json={}, headers=held(made)), 422)
        assert refused["field"] == "start_time"
        again = {"start_time": f"{YEAR}-01-01T18:00:00.000Z"}
        clone = given(await guest.post(here, json=again, headers=held(made)), 201)["page"]
        assert clone["start_time"] == again["start_time"]
        assert (clone["end_time"], clone["rsvp_deadline"]) == (None, None)
        refused = problem(await guest.post(here, json=past, headers=held(made)), 422)
        assert refused["title"] == "This is in the past"

    async def test_a_clone_of_a_poll_that_closed_needs_a_new_close_or_none(
        self, guest: Client
    ) -> None:
        made = await shared(guest, "poll", closes_at="2001-01-01T18:00:00Z", confirm_past=True)
        here = f"{V1}/shareables/{made['page']['short_id']}/clone"
        refused = problem(await guest.post(here, json={}, headers=held(made)), 422)
        assert refused["field"] == "closes_at"
        clone = given(await guest.post(here, json={"closes_at": None}, headers=held(made)), 201)
        assert clone["page"]["closes_at"] is None

    async def test_an_event_lives_until_a_week_after_its_end_however_far_ahead(
        self, guest: Client
    ) -> None:
        ends = {"end_time": f"{YEAR}-12-02T02:00:00Z"}
        made = await shared(guest, "event", expires_after=1, **ends)
        assert made["page"]["expires_at"] == f"{YEAR}-12-09T02:00:00.000Z"
        here = f"{V1}/shareables/{made['page']['short_id']}"
        later = PAGES["event"] | {"start_time": f"{YEAR}-12-20T18:00:00Z", "version": 1}
        moved = given(await guest.put(f"{here}/event", json=later, headers=held(made)))
        assert moved["expires_at"] == f"{YEAR}-12-27T18:00:00.000Z"
        sooner = PAGES["event"] | {"version": 2}
        moved = given(await guest.put(f"{here}/event", json=sooner, headers=held(made)))
        assert moved["expires_at"] == f"{YEAR}-12-27T18:00:00.000Z", "never shorter"

    async def test_an_event_without_an_account_ends_within_two_years(self, guest: Client) -> None:
        made = await shared(guest, "event")
        here = f"{V1}/shareables/{made['page']['short_id']}"
        events = f"{V1}/shareables/events"
        for far in ({"end_time": f"{YEAR + 2}-01-05T18:00:00Z"}, {"end_time": "2999-01-01T00:00Z"}):
            refused = problem(await guest.post(events, json=PAGES["event"] | far), 422)
            assert refused["field"] == "end_time"
            edited = PAGES["event"] | far | {"version": 1}
            refused = problem(
                await guest.put(f"{here}/event", json=edited, headers=held(made)), 422
            )
            assert refused["field"] == "end_time"
            refused = problem(await guest.post(f"{here}/clone", json=far, headers=held(made)), 422)
            assert refused["field"] == "end_time"

    async def test_no_date_is_more_than_ten_years_ahead_or_a_hundred_back(
        self, guest: Client
    ) -> None:
        for kind, field in (
            ("event", "start_time"),
            ("event", "rsvp_deadline"),
            ("poll", "closes_at"),
        ):
            for far in (f"{YEAR + 11}-01-01T18:00:00Z", "1900-01-01T18:00:00Z"):
                body = PAGES[kind] | {field: far, "confirm_past": True}
                refused = problem(await guest.post(f"{V1}/shareables/{kind}s", json=body), 422)
                assert refused["field"] == field


class TestOpening:
    async def test_any_spelling_of_the_id_will_do(self, guest: Client) -> None:
        short_id = (await shared(guest, "event"))["page"]["short_id"]
        for typed in (short_id.lower(), short_id.replace("-", ""), short_id.replace("-", " ")):
            assert given(await guest.get(f"{V1}/shareables/{typed}"))["short_id"] == short_id
        problem(await guest.get(f"{V1}/shareables/nothing"), 404)

    async def test_a_poll_with_its_results_is_one_request(self, guest: Client) -> None:
        made = await shared(guest, "poll")
        with counting() as counted:
            seen = given(await guest.get(f"{V1}/shareables/{made['page']['short_id']}"))
        assert counted.requests == 1
        assert seen["results"]["vote_count"] == 0


class TestPasscodes:
    async def test_a_right_one_gives_a_pass_and_a_wrong_one_none(self, guest: Client) -> None:
        made = await shared(guest, "event", view_passcode="for viewers", admin_passcode="for us")
        here = f"{V1}/shareables/{made['page']['short_id']}"
        problem(await guest.post(f"{here}/passes", json={"passcode": "something"}), 403)
        for passcode, role in (("for viewers", "view"), ("for us", "admin")):
            got = given(await guest.post(f"{here}/passes", json={"passcode": passcode}), 201)
            assert got["role"] == role
            assert given(await guest.get(here, headers=held(got)))["role"] == role

    async def test_wrong_ones_are_taken_only_so_often(self, guest: Client) -> None:
        made = await shared(guest, "event", view_passcode="for viewers")
        here = f"{V1}/shareables/{made['page']['short_id']}/passes"
        for _ in range(PASSCODES.from_network.tries):
            problem(await guest.post(here, json={"passcode": "something"}), 403)
        late = await guest.post(here, json={"passcode": "for viewers"})
        problem(late, 429)
        assert int(late.headers["retry-after"]) > 0

    async def test_changing_one_ends_what_it_gave_before_and_never_the_creators_pass(
        self, guest: Client
    ) -> None:
        made = await shared(guest, "event", admin_passcode="for us")
        here = f"{V1}/shareables/{made['page']['short_id']}"
        entered = given(await guest.post(f"{here}/passes", json={"passcode": "for us"}), 201)
        changed = given(
            await guest.put(
                f"{here}/passcodes/admin", json={"passcode": "for me"}, headers=held(made)
            )
        )
        problem(await guest.post(f"{here}/clone", json={}, headers=held(entered)), 403)
        removed = given(await guest.delete(f"{here}/passcodes/admin", headers=held(changed)))
        for kept in (made, changed, removed):
            given(await guest.post(f"{here}/clone", json={}, headers=held(kept)), 201)

    async def test_a_co_admin_cannot_take_the_creators_way_in(self, guest: Client) -> None:
        made = await shared(guest, "event", admin_passcode="for us")
        here = f"{V1}/shareables/{made['page']['short_id']}"
        entered = given(await guest.post(f"{here}/passes", json={"passcode": "for us"}), 201)
        problem(await guest.post(f"{here}/recovery", headers=held(entered)), 403)
        problem(await guest.delete(f"{here}/passcodes/admin", headers=held(entered)), 403)
        renewed = given(await guest.post(f"{here}/recovery", headers=held(made)), 201)
        assert renewed["recovery_path"].endswith(renewed["pass"])
        problem(await guest.post(f"{here}/clone", json={}, headers=held(made)), 403)
        for kept in (renewed, entered):
            given(await guest.post(f"{here}/clone", json={}, headers=held(kept)), 201)

    async def test_there_are_two(self, guest: Client) -> None:
        made = await shared(guest, "event")
        here = f"{V1}/shareables/{made['page']['short_id']}/passcodes/third"
        problem(await guest.put(here, json={"passcode": "for us"}, headers=held(made)), 404)


class TestEditing:
    @pytest.mark.parametrize("kind", PAGES)
    async def test_a_stale_edit_is_told_what_changed_and_loses_nothing(
        self, guest: Client, kind: str
    ) -> None:
        made = await shared(guest, kind)
        here = f"{V1}/shareables/{made['page']['short_id']}/{kind}"
        mine = PAGES[kind] | {"name": "Mine", "version": 1}
        saved = given(await guest.put(here, json=mine | kept(made), headers=held(made)))
        assert (saved["name"], saved["version"]) == ("Mine", 2)
        yours = PAGES[kind] | {"name": "Yours", "version": 1}
        late = problem(await guest.put(here, json=yours | kept(made), headers=held(made)), 409)
        assert (late["changed"], late["version"]) == (["name"], 2)

    async def test_what_people_chose_is_removed_only_when_confirmed(self, guest: Client) -> None:
        made = await shared(guest, "poll")
        here = f"{V1}/shareables/{made['page']['short_id']}"
        question = made["page"]["questions"][0]
        chosen = question["options"][0]["poll_question_option_id"]
        vote = {"answers": {question["poll_question_id"]: [chosen]}}
        given(await guest.post(f"{here}/votes", json=vote), 201)
        edited = PAGES["poll"] | {"version": 1}
        problem(await guest.put(f"{here}/poll", json=edited, headers=held(made)), 409)
        sure = edited | {"confirm": True}
        saved = given(await guest.put(f"{here}/poll", json=sure, headers=held(made)))
        assert chosen not in saved["results"]["options"]

    async def test_a_page_of_another_kind_is_not_there(self, guest: Client) -> None:
        made = await shared(guest, "poll")
        here = f"{V1}/shareables/{made['page']['short_id']}/event"
        body = PAGES["event"] | {"version": 1}
        problem(await guest.put(here, json=body, headers=held(made)), 404)


class TestLife:
    async def test_it_is_extended_and_never_shortened(self, guest: Client) -> None:
        made = await shared(guest, "poll")
        here = f"{V1}/shareables/{made['page']['short_id']}/extend"
        same = given(await guest.post(here, json={"days": 1}, headers=held(made)))
        assert same["expires_at"] == made["page"]["expires_at"]
        later = given(await guest.post(here, json={"days": 30}, headers=held(made)))
        assert later["expires_at"] > same["expires_at"]

    async def test_it_is_deleted_at_once(self, guest: Client) -> None:
        made = await shared(guest, "event")
        here = f"{V1}/shareables/{made['page']['short_id']}"
        problem(await guest.delete(here), 403)
        given(await guest.delete(here, headers=held(made)), 204)
        problem(await guest.get(here, headers=held(made)), 404)


class TestMyList:
    async def test_nobody_has_none(self, guest: Client) -> None:
        problem(await guest.get(f"{V1}/shareables"), 401)

    async def test_pages_are_claimed_with_the_creators_pass(
        self, guest: Client, ann: Client
    ) -> None:
        made = await shared(guest, "poll", view_passcode="for viewers")
        here = f"{V1}/shareables/{made['page']['short_id']}"
        problem(await ann.post(f"{here}/claim"), 403)
        given(await ann.post(f"{here}/claim", headers=held(made)), 204)
        (mine,) = given(await ann.get(f"{V1}/shareables"))["items"]
        assert (mine["role"], mine["kind"], mine["path"]) == ("made", "poll", made["page"]["path"])
        assert given(await ann.get(here))["role"] == "admin"

    async def test_pages_are_joined_and_left(self, guest: Client, ann: Client) -> None:
        made = await shared(guest, "poll", view_passcode="for viewers")
        here = f"{V1}/shareables/{made['page']['short_id']}/join"
        problem(await ann.post(here), 403)
        given(await ann.post(here, headers=held(made)), 204)
        (joined,) = given(await ann.get(f"{V1}/shareables"))["items"]
        assert (joined["role"], joined["kind"], joined["name"]) == ("joined", None, None)
        given(await ann.delete(here), 204)
        assert given(await ann.get(f"{V1}/shareables"))["items"] == []

    async def test_comes_in_parts_of_any_length(self, ann: Client) -> None:
        for _ in range(3):
            await shared(ann, "poll")
        first = given(await ann.get(f"{V1}/shareables?limit=2"))
        rest = given(await ann.get(f"{V1}/shareables?limit=2&cursor={first['next_cursor']}"))
        assert [len(one["items"]) for one in (first, rest)] == [2, 1]
        problem(await ann.get(f"{V1}/shareables?limit=101"), 400)


def kept(made: dict[str, Any]) -> dict[str, Any]:
    """The parts of a page with their ids, as an editor sends them back."""
    page = made["page"]
    return {name: page[name] for name in ("items", "questions") if name in page}
