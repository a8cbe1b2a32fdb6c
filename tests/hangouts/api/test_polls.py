"""Finding a time and a place, by programs."""

from __future__ import annotations

from typing import Any

import pytest

from tests.accounts.api.calling import given, problem
from tests.hangouts.api.plans import SOON, Plans

LATER = {**SOON, "start_time": "2033-05-02T19:00:00+02:00"}
DAYS = {"subject": "TIME", "options": [{"time": SOON}, {"time": LATER}]}


async def polled(here: Plans, **more: Any) -> tuple[str, str, dict[str, Any]]:
    """The address of a hangout, that of a poll on it, and the poll."""
    one = await here.address()
    poll = given(await here.ann.post(f"{one}/polls", json={**DAYS, **more}), 201)
    return one, f"{one}/polls/{poll['poll_id']}", poll


def ids(poll: dict[str, Any]) -> list[str]:
    return [one["option_id"] for one in poll["options"]]


async def test_a_group_votes_and_the_winner_becomes_the_time(here: Plans) -> None:
    one, poll, made = await polled(here)
    first, second = ids(made)
    assert (made["is_open"], made["title"], made["ballot_count"]) == (True, None, 0)
    votes = {first: "NO", second: "YES"}
    after = given(await here.ben.put(f"{poll}/ballot", json={"votes": votes}))
    assert [(it["yes"], it["maybe"], it["no"]) for it in after["options"]] == [(0, 0, 1), (1, 0, 0)]
    given(await here.ann.put(f"{poll}/ballot", json={"votes": {second: "MAYBE"}}))
    (shown,) = given(await here.ann.get(one))["polls"]
    assert {it["name"]: it["votes"] for it in shown["ballots"]} == {
        "Ann": {second: "MAYBE"},
        "Ben": votes,
    }
    assert [it["is_leading"] for it in shown["options"]] == [False, True]
    closed = given(await here.ben.post(f"{poll}/close", json={}))
    assert (closed["outcome"], closed["winner_option_id"]) == ("DECIDED", second)
    hangout = given(await here.ann.get(one))
    assert hangout["time"]["start_time"] == LATER["start_time"]
    assert hangout["polls"][0]["is_open"] is False
    problem(await here.ben.put(f"{poll}/ballot", json={"votes": votes}), 409)


async def test_a_tie_is_409_and_says_between_which(here: Plans) -> None:
    one, poll, made = await polled(here)
    tied = problem(await here.ann.post(f"{poll}/close", json={}), 409)
    assert tied["tied_option_ids"] == ids(made)
    chosen = {"option_id": ids(made)[0]}
    assert given(await here.ann.post(f"{poll}/close", json=chosen))["outcome"] == "DECIDED"
    assert given(await here.ann.get(one))["time"]["start_time"] == SOON["start_time"]


async def test_a_second_poll_about_the_time_is_409_and_names_the_first(here: Plans) -> None:
    one, _, made = await polled(here)
    refused = problem(await here.ben.post(f"{one}/polls", json=DAYS), 409)
    assert refused["poll_id"] == made["poll_id"]


async def test_a_time_set_by_hand_closes_the_poll(here: Plans) -> None:
    one, _, _ = await polled(here)
    changed = given(await here.ben.patch(one, json={"version": 1, "time": SOON}))
    assert changed["polls"][0]["outcome"] == "OVERRULED"


async def test_options_are_added_and_removed(here: Plans) -> None:
    one = await here.address()
    new = {"subject": "PLACE", "options": [{"place": {"name": "The pub"}}]}
    made = given(await here.ann.post(f"{one}/polls", json=new), 201)
    poll = f"{one}/polls/{made['poll_id']}"
    more = {"place": {"name": "The park", "address": "North gate"}}
    after = given(await here.ben.post(f"{poll}/options", json=more), 201)
    assert after["options"][1]["place"]["address"] == "North gate"
    again = problem(await here.ann.post(f"{poll}/options", json=more), 409)
    assert "already" in again["detail"]
    removed = await here.ben.delete(f"{poll}/options/{ids(after)[1]}")
    assert removed.status_code == 204
    given(await here.ann.patch(poll, json={"others_add_options": False}))
    problem(await here.ben.post(f"{poll}/options", json=more), 403)
    assert (await here.ann.delete(poll)).status_code == 204
    assert given(await here.ann.get(one))["polls"] == []


async def test_a_deadline_is_set_moved_and_cleared(here: Plans) -> None:
    _, poll, made = await polled(here)
    assert made["deadline"] is None
    wrong = problem(await here.ann.patch(poll, json={"deadline": "2020-01-01T00:00:00Z"}), 422)
    assert wrong["field"] == "deadline"
    assert given(await here.ann.patch(poll, json={"deadline": None}))["deadline"] is None


@pytest.mark.parametrize(
    "wrong, field",
    [
        ({"subject": "OTHER", "options": [{"label": "A"}]}, "title"),
        ({"subject": "OTHER", "title": "?", "options": [{"label": " "}]}, "label"),
        ({"subject": "TIME", "options": []}, "options"),
        ({"subject": "TIME", "options": [{"label": "Friday"}]}, "time"),
    ],
)
async def test_what_is_wrong_is_named(here: Plans, wrong: dict[str, Any], field: str) -> None:
    one = await here.address()
    assert problem(await here.ann.post(f"{one}/polls", json=wrong), 422)["field"] == field


async def test_votes_on_what_is_not_there_are_422(here: Plans) -> None:
    _, poll, _ = await polled(here)
    for votes in ({}, {"none": "YES"}):
        refused = problem(await here.ann.put(f"{poll}/ballot", json={"votes": votes}), 422)
        assert refused["field"] == "votes"
    problem(await here.ann.put(f"{poll}/ballot", json={"votes": {"x": "PERHAPS"}}), 422)
    problem(await here.ann.delete(f"{poll}/ballot"), 404)


class TestBringList:
    async def test_things_are_claimed_in_parts(self, here: Plans) -> None:
        one = await here.address()
        made = given(
            await here.ann.post(f"{one}/bring-list", json={"name": "Bread", "needed": 2}), 201
        )
        bread = f"{one}/bring-list/{made['bring_item_id']}"
        assert given(await here.ben.put(f"{bread}/claim", json={}))["claimed"] == 1
        refused = problem(await here.ann.put(f"{bread}/claim", json={"number": 2}), 409)
        assert (refused["left"], refused["detail"]) == (1, "Only 1 more needed.")
        (shown,) = given(await here.ann.get(one))["bring_list"]
        assert [(it["name"], it["number"]) for it in shown["claims"]] == [("Ben", 1)]
        too_few = problem(await here.ann.patch(bread, json={"needed": 0}), 422)
        assert too_few["field"] == "needed"
        given(await here.ben.patch(bread, json={"note": "Wholemeal", "needed": 1}))
        assert (await here.ben.delete(f"{bread}/claim")).status_code == 204
        assert (await here.ann.delete(bread)).status_code == 204
        assert given(await here.ann.get(one))["bring_list"] == []

    async def test_a_hangout_is_304_until_somebody_votes_or_claims(self, here: Plans) -> None:
        one = await here.address()
        item = given(await here.ann.post(f"{one}/bring-list", json={"name": "Bread"}), 201)
        tag = (await here.ann.get(one)).headers["etag"]
        again = await here.ann.get(one, headers={"If-None-Match": tag})
        assert again.status_code == 304
        given(await here.ann.put(f"{one}/bring-list/{item['bring_item_id']}/claim", json={}))
        assert (await here.ann.get(one)).headers["etag"] != tag
