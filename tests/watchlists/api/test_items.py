"""Titles on a list by HTTP."""

from __future__ import annotations

from tests.accounts.api.calling import given, problem
from tests.watchlists.api.curating import ALIEN, JAWS, MATRIX, Curating, titles


def film(content_id: str) -> dict[str, str]:
    return {"content_type": "MOVIE", "content_id": content_id}


async def test_adding_twice_is_a_conflict_that_names_the_title(here: Curating) -> None:
    address = await here.list(MATRIX)
    items = f"{address}/items"
    refused = problem(await here.ann.post(items, json={"items": [film(MATRIX)]}), 409)
    assert (refused["content_type"], refused["content_id"]) == ("MOVIE", MATRIX)
    refused = problem(await here.ann.post(items, json={"items": [film(ALIEN), film(ALIEN)]}), 422)
    assert refused["field"] == "items"
    problem(await here.ann.post(items, json={"items": []}), 422)
    problem(await here.ann.post(items, json={"items": [film("999999999")]}), 404)
    assert titles(given(await here.ann.get(address))) == ["The Matrix"]


async def test_a_request_that_is_sent_again_adds_once(here: Curating) -> None:
    address = await here.list()
    for _ in range(2):
        sent = await here.ann.post(
            f"{address}/items", json={"items": [film(MATRIX)]}, headers={"Idempotency-Key": "one"}
        )
        assert titles(given(sent, 201)) == ["The Matrix"]
    assert given(await here.ann.get(address))["watchlist"]["item_count"] == 1


async def test_items_are_noted_moved_and_removed(here: Curating) -> None:
    address = await here.list(MATRIX, ALIEN, JAWS)
    one = f"{address}/items/films/{ALIEN}"
    noted = given(await here.ann.patch(one, json={"note": "In space."}))
    assert noted["curator_note"] == "In space."
    moved = given(await here.ann.put(f"{one}/position", json={"place": 1}))
    assert titles(moved) == ["Alien", "The Matrix", "Jaws"]
    moved = given(await here.ann.put(f"{one}/position", json={"after": film(JAWS)}))
    assert titles(moved) == ["The Matrix", "Jaws", "Alien"]
    moved = given(await here.ann.put(f"{one}/position", json={"before": film(JAWS)}))
    assert titles(moved) == ["The Matrix", "Alien", "Jaws"]
    problem(await here.ann.put(f"{one}/position", json={}), 422)
    given(await here.ann.delete(one), 204)
    problem(await here.ann.delete(one), 404)
    problem(await here.ann.delete(f"{address}/items/books/1"), 404)
    assert titles(given(await here.ann.get(address))) == ["The Matrix", "Jaws"]
