"""Cars, tickets, offers and talk, as any program does it."""

from __future__ import annotations

from typing import Any

from tests.accounts.api.calling import Client, given, problem
from tests.hangouts.api.plans import Plans


async def whole(client: Client, address: str) -> dict[str, Any]:
    """A hangout with everything on it."""
    found: dict[str, Any] = given(await client.get(address))
    return found


async def test_a_car_is_offered_filled_and_taken_away(here: Plans) -> None:
    one = await here.address()
    car = given(await here.ann.post(f"{one}/cars", json={"seats": 3, "note": "At six"}), 201)
    place = f"{one}/cars/{car['car_id']}"
    assert (car["seats"], car["seats_taken"], car["note"]) == (3, 1, "At six")
    need = given(await here.ben.put(f"{one}/ride", json={"note": "From town"}))
    assert (need["car_id"], need["people"]) == (None, 1)
    assert [it["user_name"] for it in (await whole(here.ann, one))["needed_rides"]] == ["Ben"]
    given(await here.ann.post(f"{place}/riders", json={"user_id": need["user_id"]}), 204)
    seen = await whole(here.ben, one)
    assert seen["needed_rides"] == []
    (full,) = seen["cars"]
    assert [it["user_name"] for it in full["riders"]] == ["Ann", "Ben"]
    told = problem(await here.ben.put(f"{place}/seat", json={"plus_guests": 2}), 409)
    assert told["free"] == 1
    given(await here.ben.put(f"{place}/seat", json={"plus_guests": 1}), 204)
    changed = given(await here.ann.put(place, json={"seats": 4}))
    assert (changed["seats"], changed["seats_taken"]) == (4, 3)
    given(await here.ann.delete(f"{place}/riders/{need['user_id']}"), 204)
    given(await here.ann.delete(place), 204)
    given(await here.ben.delete(f"{one}/ride"), 204)
    seen = await whole(here.ann, one)
    assert (seen["cars"], seen["needed_rides"]) == ([], [])


async def test_a_ticket_makes_a_hangout_certain(here: Plans) -> None:
    one = await here.address()
    source = {"link": "https://tickets.example.org", "price": "about 25 €"}
    seen = given(await here.ben.put(f"{one}/tickets", json=source))
    assert (seen["ticket_link"], seen["ticket_price"]) == (source["link"], source["price"])
    bought = {"status": "HAS", "number": 2, "section": "B", "seat": "7", "spare": 1}
    given(await here.ben.put(f"{one}/ticket", json=bought))
    seen = await whole(here.ann, one)
    assert seen["momentum"] == "CONFIRMED"
    (ticket,) = seen["tickets"]
    assert {name: ticket[name] for name in bought} == bought
    given(await here.ben.delete(f"{one}/ticket"), 204)
    assert (await whole(here.ann, one))["tickets"] == []
    wrong = problem(await here.ben.put(f"{one}/ticket", json={"status": "HAS", "spare": 2}), 422)
    assert wrong["field"] == "spare"


async def test_an_offer_has_spots_until_it_is_settled(here: Plans) -> None:
    one = await here.address()
    new = {"title": "A room for 2", "capacity": 2, "deadline": "2033-05-01T12:00:00+02:00"}
    offer = given(await here.ann.post(f"{one}/offers", json=new), 201)
    assert offer["deadline"] == "2033-05-01T10:00:00.000Z"
    place = f"{one}/offers/{offer['offer_id']}"
    given(await here.ben.put(f"{place}/spots", json={"number": 2}))
    told = problem(await here.ann.put(f"{place}/spots", json={}), 409)
    assert told["free"] == 0
    (seen,) = (await whole(here.ann, one))["offers"]
    assert (seen["spots_taken"], [it["number"] for it in seen["spots"]]) == (2, [2])
    given(await here.ben.delete(f"{place}/spots"), 204)
    changed = given(await here.ann.put(place, json={"title": "A flat"}))
    assert (changed["title"], changed["capacity"], changed["spots_taken"]) == ("A flat", None, 0)
    assert given(await here.ann.post(f"{place}/settle"))["done_at"]
    problem(await here.ben.put(f"{place}/spots", json={}), 409)
    assert given(await here.ann.post(f"{place}/reopen"))["done_at"] is None
    given(await here.ann.delete(place), 204)
    assert (await whole(here.ann, one))["offers"] == []


async def test_messages_come_in_pages_the_newest_first(here: Plans) -> None:
    one = await here.address()
    for number in range(3):
        said = given(await here.ben.post(f"{one}/messages", json={"text": str(number)}), 201)
        assert said["user_name"] == "Ben"
    first = given(await here.ann.get(f"{one}/messages", params={"limit": 2}))
    assert len(first["items"]) == 2
    last = given(await here.ann.get(f"{one}/messages", params={"cursor": first["next_cursor"]}))
    everything = [it["text"] for it in first["items"] + last["items"]]
    assert sorted(everything) == ["0", "1", "2"]
    seen = await whole(here.ann, one)
    assert [it["text"] for it in seen["messages"]] == everything
    given(await here.ann.delete(f"{one}/messages/{said['message_id']}"), 204)
    assert (await whole(here.ann, one))["message_count"] == 2
    other = await here.address("Another")
    stolen = {"cursor": first["next_cursor"]}
    problem(await here.ann.get(f"{other}/messages", params=stolen), 400)
