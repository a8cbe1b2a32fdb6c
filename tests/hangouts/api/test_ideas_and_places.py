"""Ideas and places by programs."""

from __future__ import annotations

from tests.accounts.api.calling import V1, given, problem
from tests.hangouts.api.plans import Plans

OWN = f"{V1}/hangouts/places"


class TestPlaces:
    async def test_of_a_group_are_kept_changed_and_taken_by_a_hangout(self, here: Plans) -> None:
        kept = given(await here.ann.post(f"{here.group}/places", json={"name": "Pub"}), 201)
        place = f"{here.group}/places/{kept['place_id']}"
        changed = given(await here.ben.patch(place, json={"address": "1 High Street"}))
        assert (changed["name"], changed["address"]) == ("Pub", "1 High Street")
        made = await here.hangout(place={"name": "x", "place_id": kept["place_id"]})
        assert made["place"]["address"] == "1 High Street"
        assert (await here.ben.delete(place)).status_code == 204
        (left,) = given(await here.ann.get(f"{here.group}/places"))["items"]
        assert left["archived_at"] is not None
        wrong = problem(
            await here.ann.post(
                f"{V1}/hangouts",
                json={
                    "title": "A",
                    "group_ids": [here.group_id],
                    "place": {"name": "x", "place_id": kept["place_id"]},
                },
            ),
            422,
        )
        assert wrong["field"] == "place.place_id"

    async def test_of_ones_own_have_one_home(self, here: Plans) -> None:
        ids = []
        for name in ("Flat", "House"):
            new = {"name": name, "is_home": True}
            ids.append(given(await here.ann.post(OWN, json=new), 201)["place_id"])
        listed = given(await here.ann.get(OWN))["items"]
        assert [(one["name"], one["is_home"]) for one in listed] == [
            ("House", True),
            ("Flat", False),
        ]
        moved = given(await here.ann.patch(f"{OWN}/{ids[0]}", json={"is_home": True}))
        assert moved["is_home"]
        assert (await here.ann.delete(f"{OWN}/{ids[0]}")).status_code == 204
        (left,) = given(await here.ann.get(OWN))["items"]
        assert not left["is_home"]
        problem(await here.ben.patch(f"{OWN}/{ids[1]}", json={"name": "Mine"}), 404)


class TestIdeas:
    async def test_are_liked_and_become_hangouts(self, here: Plans) -> None:
        lists = f"{here.group}/idea-lists"
        new = {"name": "Trails", "category": "trail"}
        made = given(await here.ann.post(lists, json=new), 201)
        ideas = f"{lists}/{made['list_id']}/ideas"
        peak = given(await here.ann.post(ideas, json={"name": "Peak", "note": "Early"}), 201)
        assert peak["is_interested"]
        one = f"{ideas}/{peak['idea_id']}"
        liked = given(await here.ben.put(f"{one}/interest"))
        assert len(liked["interested_user_ids"]) == 2
        assert (await here.ben.delete(f"{one}/interest")).status_code == 204
        changed = given(await here.ben.patch(one, json={"url": "https://peak.example"}))
        assert (changed["note"], changed["url"]) == ("Early", "https://peak.example")
        hangout = given(await here.ben.post(f"{one}/hangout"), 201)
        assert (hangout["title"], hangout["description"]) == ("Peak", "Early")
        (listed,) = given(await here.ann.get(lists))["items"]
        assert listed["ideas"][0]["hangout_id"] == hangout["hangout_id"]
        problem(await here.ben.delete(one), 403)
        assert (await here.ann.delete(one)).status_code == 204

    async def test_wait_in_lists_that_are_changed_and_deleted(self, here: Plans) -> None:
        lists = f"{here.group}/idea-lists"
        made = given(await here.ann.post(lists, json={"name": "Bars"}), 201)
        one = f"{lists}/{made['list_id']}"
        change = {"category": "bar", "note": "Quiet ones"}
        assert (await here.ben.patch(one, json=change)).status_code == 204
        (listed,) = given(await here.ben.get(lists))["items"]
        assert (listed["category"], listed["note"]) == ("bar", "Quiet ones")
        problem(await here.ben.delete(one), 403)
        assert (await here.ann.delete(one)).status_code == 204
        problem(await here.ann.post(f"{one}/ideas", json={"name": "X"}), 404)
