"""From an idea to a plan, by programs."""

from __future__ import annotations

from typing import Any

import pytest

from tests.accounts.api.calling import V1, Client, given, problem
from tests.hangouts.api.plans import SOON, Plans


class TestGroups:
    async def test_who_is_in_a_group_sees_it_and_others_do_not(self, here: Plans) -> None:
        group = given(await here.ben.get(here.group))
        assert (group["group_name"], group["member_count"]) == ("Friends", 2)
        problem(await here.eve.get(here.group), 404)
        (mine,) = given(await here.ben.get(f"{V1}/groups"))["items"]
        assert (mine["group_name"], mine["role"]) == ("Friends", "MEMBER")
        assert given(await here.eve.get(f"{V1}/groups"))["items"] == []

    async def test_an_unchanged_group_is_304(self, here: Plans) -> None:
        tag = (await here.ann.get(here.group)).headers["etag"]
        again = await here.ann.get(here.group, headers={"If-None-Match": tag})
        assert again.status_code == 304

    async def test_a_wrong_code_is_404(self, here: Plans) -> None:
        problem(await here.eve.post(f"{V1}/groups/join", json={"code": "abcd-efgh"}), 404)

    async def test_what_is_wrong_is_named(self, here: Plans) -> None:
        wrong = problem(await here.ann.post(f"{V1}/groups", json={"group_name": " "}), 422)
        assert wrong["field"] == "group_name"


class TestHangouts:
    async def test_a_floated_one_has_its_maker_interested(self, here: Plans) -> None:
        made = await here.hangout()
        assert made["my_status"] == "INTERESTED"
        assert (made["made_by"], made["time"], made["version"]) == ("Ann", None, 1)
        assert made["may_manage"]
        (answer,) = made["answers"]
        assert (answer["name"], answer["is_guest"]) == ("Ann", False)

    async def test_one_that_is_locked_in_is_on(self, here: Plans) -> None:
        made = await here.hangout(is_on=True, time=SOON, place={"name": "The pub"}, place_limit=8)
        assert (made["momentum"], made["going_count"]) == ("CONFIRMED", 1)
        assert made["end_timestamp"] - made["start_timestamp"] == 7200
        assert made["time"] == {**SOON, "end_time": None, "period": None, "period_start": None}

    async def test_a_part_of_a_day_is_a_time(self, here: Plans) -> None:
        evening = {"period": "evening", "period_start": "2033-05-01T18:00:00+02:00"}
        made = await here.hangout(time=evening)
        assert made["end_timestamp"] - made["start_timestamp"] == 4 * 3600

    @pytest.mark.parametrize(
        "wrong, field",
        [
            ({"title": ""}, "title"),
            ({"time": {"start_time": "2033-05-01T19:00:00"}}, "time.start_time"),
            ({"place": {"name": ""}}, "place.name"),
            ({"link": "ftp://x"}, "link"),
            ({"picture": "mona-lisa"}, "picture"),
            ({"place_limit": 0}, "place_limit"),
            ({"group_ids": ["none"]}, "group_ids"),
        ],
    )
    async def test_what_is_wrong_is_named(
        self, here: Plans, wrong: dict[str, Any], field: str
    ) -> None:
        new = {"title": "Karaoke?", **wrong}
        assert problem(await here.ann.post(f"{V1}/hangouts", json=new), 422)["field"] == field

    async def test_unknown_fields_are_refused(self, here: Plans) -> None:
        problem(await here.ann.post(f"{V1}/hangouts", json={"title": "X", "color": "red"}), 400)

    async def test_a_change_names_its_version_and_changes_what_it_names(self, here: Plans) -> None:
        one = await here.address(description="Sing!", time=SOON)
        change = {"version": 1, "title": "Opera?", "time": None}
        changed = given(await here.ben.patch(one, json=change))
        assert (changed["title"], changed["description"]) == ("Opera?", "Sing!")
        assert (changed["start_timestamp"], changed["version"]) == (None, 2)
        stale = problem(await here.ann.patch(one, json={"version": 1, "title": "Mine"}), 409)
        assert stale["version"] == 2

    async def test_a_stranger_finds_nothing(self, here: Plans) -> None:
        one = await here.address()
        problem(await here.eve.get(one), 404)
        problem(await here.eve.patch(one, json={"version": 1, "title": "Mine"}), 404)
        problem(await here.eve.put(f"{one}/rsvp", json={"status": "GOING"}), 404)

    async def test_an_unchanged_one_is_304_and_an_answer_changes_it(self, here: Plans) -> None:
        one = await here.address()
        tag = (await here.ben.get(one)).headers["etag"]
        assert (await here.ben.get(one, headers={"If-None-Match": tag})).status_code == 304
        given(await here.ann.put(f"{one}/rsvp", json={"status": "GOING"}))
        assert (await here.ben.get(one, headers={"If-None-Match": tag})).status_code == 200

    async def test_it_is_cancelled_brought_back_confirmed_and_deleted(self, here: Plans) -> None:
        one = await here.address()
        assert given(await here.ann.post(f"{one}/cancel"))["cancelled_at"] is not None
        problem(await here.ann.post(f"{one}/cancel"), 409)
        assert given(await here.ann.post(f"{one}/bring-back"))["cancelled_at"] is None
        assert given(await here.ben.post(f"{one}/confirm"))["momentum"] == "CONFIRMED"
        problem(await here.ben.post(f"{one}/unconfirm"), 403)
        assert given(await here.ann.post(f"{one}/unconfirm"))["momentum"] != "CONFIRMED"
        problem(await here.ben.delete(one), 403)
        given(await here.ann.delete(one), 204)
        problem(await here.ann.get(one), 404)

    async def test_somebody_is_invited_and_uninvited(self, here: Plans) -> None:
        one = await here.address()
        invited = given(
            await here.ann.post(f"{one}/invitations", json={"email": "eve@example.org"})
        )
        (eve,) = invited["invited"]
        assert eve["name"] == "Eve"
        assert not given(await here.eve.get(one))["may_edit"]
        given(await here.ann.delete(f"{one}/invitations/{eve['user_id']}"), 204)
        problem(await here.eve.get(one), 404)
        wrong = await here.ann.post(f"{one}/invitations", json={"email": "nobody@example.org"})
        assert problem(wrong, 422)["field"] == "email"


class TestAnswers:
    async def test_an_answer_is_counted_and_taken_back(self, here: Plans) -> None:
        one = await here.address(is_on=True)
        done = given(await here.ben.put(f"{one}/rsvp", json={"status": "GOING", "plus_guests": 2}))
        assert (done["going_count"], done["answer"]["plus_guests"]) == (4, 2)
        given(await here.ben.delete(f"{one}/rsvp"), 204)
        problem(await here.ben.delete(f"{one}/rsvp"), 404)
        assert given(await here.ann.get(one))["going_count"] == 1

    async def test_whoever_finds_no_place_waits(self, here: Plans) -> None:
        one = await here.address(is_on=True, place_limit=2)
        done = given(await here.ben.put(f"{one}/rsvp", json={"status": "GOING", "plus_guests": 1}))
        assert done["answer"]["is_waiting"]
        assert given(await here.ben.get(one))["is_waiting"]
        full = await here.ben.put(f"{one}/rsvp", json={"status": "GOING", "plus_guests": 5})
        assert problem(full, 409)["free"] == 1

    async def test_the_maker_answers_for_somebody_by_name(self, here: Plans) -> None:
        one = await here.address(is_on=True)
        jo = {"name": "Uncle Jo", "status": "GOING"}
        made = given(await here.ann.post(f"{one}/guests", json=jo), 201)["answer"]
        assert (made["is_guest"], made["name"]) == (True, "Uncle Jo")
        there = f"{one}/guests/{made['answer_id']}"
        changed = given(await here.ann.put(there, json={**jo, "status": "NOT_GOING"}))
        assert changed["not_going_count"] == 1
        problem(await here.ben.delete(there), 403)
        given(await here.ann.delete(there), 204)
        problem(await here.ann.delete(there), 404)


class TestGuests:
    @pytest.fixture
    async def one(self, here: Plans) -> str:
        return await here.address("Birthday", is_on=True, time=SOON)

    @pytest.fixture
    async def link(self, here: Plans, one: str) -> str:
        opened = given(await here.ann.put(f"{one}/guest-link", json={"is_open": True}))
        token = opened["path"].removeprefix("/h/")
        return f"{V1}/guest-links/{token}"

    async def test_a_guest_sees_answers_and_changes_it(
        self, here: Plans, one: str, guest: Client, link: str
    ) -> None:
        seen = given(await guest.get(link))
        assert (seen["title"], seen["going"]) == ("Birthday", ["Ann"])
        jo = {"name": "Jo", "status": "GOING", "plus_guests": 1}
        code = given(await guest.post(f"{link}/rsvps", json=jo), 201)["change_code"]
        held = {"X-Answer-Code": code}
        mine = given(await guest.get(f"{link}/rsvps/mine", headers=held))
        assert (mine["name"], mine["change_code"]) == ("Jo", None)
        jo["status"] = "NOT_GOING"
        given(await guest.put(f"{link}/rsvps/mine", json=jo, headers=held))
        assert given(await here.ann.get(one))["not_going_count"] == 1
        given(await guest.delete(f"{link}/rsvps/mine", headers=held), 204)
        problem(await guest.get(f"{link}/rsvps/mine", headers=held), 404)
        problem(await guest.get(f"{link}/rsvps/mine"), 400)

    async def test_who_has_the_hangout_is_told_to_answer_as_themselves(
        self, here: Plans, one: str, link: str
    ) -> None:
        going = {"name": "Me", "status": "GOING"}
        for client in (here.ann, here.ben):
            told = problem(await client.post(f"{link}/rsvps", json=going), 409)
            assert told["hangout_id"] == one.rpartition("/")[2]
        assert given(await here.ann.get(one))["going_count"] == 1

    async def test_who_comes_is_hidden_where_the_maker_wants_that(
        self, here: Plans, one: str, guest: Client, link: str
    ) -> None:
        hidden = {"is_open": True, "shows_people": False}
        given(await here.ben.put(f"{one}/rsvp", json={"status": "GOING"}))
        given(await here.ann.put(f"{one}/guest-link", json=hidden))
        answer = await guest.get(link)
        assert (given(answer)["going"], given(answer)["invited_by"]) == (None, "Ann")
        assert "Ben" not in answer.text

    async def test_a_closed_link_is_404(
        self, here: Plans, one: str, guest: Client, link: str
    ) -> None:
        given(await here.ann.put(f"{one}/guest-link", json={"is_open": False}))
        problem(await guest.get(link), 404)
        problem(await guest.post(f"{link}/rsvps", json={"name": "Jo", "status": "GOING"}), 404)

    async def test_members_see_no_link(self, here: Plans, one: str, link: str) -> None:
        assert link
        assert given(await here.ben.get(one))["guest_link"] is None
        assert given(await here.ann.get(one))["guest_link"]["is_open"]


class TestLists:
    async def test_a_feed_has_its_sections_and_is_304_until_something_changes(
        self, here: Plans
    ) -> None:
        one = await here.address("Planned", time=SOON)
        await here.hangout("Idea")
        answer = await here.ben.get(f"{here.group}/feed")
        feed = given(answer)
        assert [one["title"] for one in feed["upcoming"]] == ["Planned"]
        assert [one["title"] for one in feed["floating"]] == ["Idea"]
        held = {"If-None-Match": answer.headers["etag"]}
        assert (await here.ben.get(f"{here.group}/feed", headers=held)).status_code == 304
        given(await here.ann.put(f"{one}/rsvp", json={"status": "GOING"}))
        assert (await here.ben.get(f"{here.group}/feed", headers=held)).status_code == 200
        problem(await here.eve.get(f"{here.group}/feed"), 404)

    async def test_a_timeline_goes_both_ways(self, here: Plans) -> None:
        for number in range(1, 6):
            time = {"start_time": f"2020-01-0{number}T10:00:00+00:00"}
            await here.hangout(f"{number}", time=time)
        for path in (f"{here.group}/timeline", f"{V1}/hangouts/timeline"):
            last = given(await here.ann.get(path, params={"limit": 2}))
            assert [one["title"] for one in last["items"]] == ["4", "5"]
            older = {"limit": 2, "before": last["earlier_cursor"]}
            before = given(await here.ann.get(path, params=older))
            assert [one["title"] for one in before["items"]] == ["2", "3"]
            newer = {"limit": 2, "after": before["later_cursor"]}
            assert given(await here.ann.get(path, params=newer))["items"] == last["items"]
            both = {**older, "after": before["later_cursor"]}
            problem(await here.ann.get(path, params=both), 400)
            problem(await here.ann.get(path, params={"before": "nonsense"}), 400)

    async def test_my_list_and_my_month(self, here: Plans) -> None:
        await here.hangout("Planned", time=SOON)
        for client, titles in ((here.ben, ["Planned"]), (here.eve, [])):
            feed = given(await client.get(f"{V1}/hangouts/upcoming"))
            assert [one["title"] for one in feed["upcoming"]] == titles
            wanted = {"month": "2033-05", "time_zone": "Europe/Paris"}
            month = given(await client.get(f"{V1}/hangouts/month", params=wanted))
            assert [one["title"] for one in month["items"]] == titles
        asked = {"month": "2033-05"}
        assert len(given(await here.ben.get(f"{here.group}/month", params=asked))["items"]) == 1
        for month in ("2033-13", "May", "1999-01"):
            answer = await here.ben.get(f"{V1}/hangouts/month", params={"month": month})
            assert problem(answer, 422)["field"] == "month"

    async def test_floating_ones_go_on(self, here: Plans) -> None:
        for number in range(51):
            await here.hangout(f"{number}")
        for path in (f"{here.group}", f"{V1}/hangouts"):
            first = "feed" if path == here.group else "upcoming"
            feed = given(await here.ann.get(f"{path}/{first}"))
            if feed["floating_cursor"] is None:
                assert len(feed["floating"]) == 51
                continue
            asked = {"cursor": feed["floating_cursor"]}
            rest = given(await here.ann.get(f"{path}/floating", params=asked))
            titles = [one["title"] for one in (*feed["floating"], *rest["items"])]
            assert sorted(titles, key=int) == [f"{number}" for number in range(51)]


async def test_what_repeats_is_made_changed_and_ended_by_programs(here: Plans) -> None:
    program = here.ann
    new = {
        "title": "Games",
        "group_ids": [here.group_id],
        "time": {"start_time": "2033-05-01T19:00:00+02:00", "time_zone": "Europe/Berlin"},
        "repetition": {"frequency": "WEEKLY", "times": 4},
    }
    made = given(await program.post(f"{V1}/hangouts", json=new), 201)
    assert made["repetition"] == {"frequency": "WEEKLY", "until": None, "times": 4}
    assert made["occurrence"] == "2033-05-01"
    one = f"{V1}/hangouts/{made['hangout_id']}"
    changed = {"version": 1, "title": "Chess", "scope": "following"}
    assert given(await program.patch(one, json=changed))["title"] == "Chess"
    problem(await program.patch(one, json={**changed, "version": 2, "title": "Go"}), 409)
    assert len(given(await program.get(f"{one}/dates"))["items"]) == 1
    wrong = {"frequency": "WEEKLY", "times": 4, "until": "2033-06-01"}
    assert problem(await program.post(f"{V1}/hangouts", json={**new, "repetition": wrong}), 422)
    floating = {"title": "Later", "repetition": {"frequency": "DAILY"}}
    problem(await program.post(f"{V1}/hangouts", json=floating), 422)
