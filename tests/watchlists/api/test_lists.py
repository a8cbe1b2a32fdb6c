"""Lists by HTTP: made, read, changed, copied, deleted."""

from __future__ import annotations

from commonroom.store import Store, counting
from tests.accounts.api.calling import given, problem
from tests.watchlists.api.curating import ALIEN, LISTS, MATRIX, Curating, titles


async def test_a_curators_list_is_read_by_anyone(here: Curating) -> None:
    made = given(
        await here.ann.post(
            LISTS, json={"title": "Space", "tags": ["#SciFi"], "is_numbered": True}
        ),
        201,
    )
    assert (made["curator_name"], made["is_public"], made["tags"]) == ("ann", True, ["SciFi"])
    address = f"{LISTS}/{made['watchlist_id']}"
    wanted = [
        {"content_type": "MOVIE", "content_id": MATRIX, "note": "Red pill."},
        {"content_type": "MOVIE", "content_id": ALIEN},
    ]
    added = given(await here.ann.post(f"{address}/items", json={"items": wanted}), 201)
    assert titles(added) == ["The Matrix", "Alien"]
    with counting() as count:
        seen = given(await here.guest.get(address))
    assert count.requests == 1
    assert titles(seen) == ["The Matrix", "Alien"]
    assert seen["items"][0]["curator_note"] == "Red pill."
    assert (seen["watchlist"]["item_count"], seen["is_owner"], seen["may_edit"]) == (
        2,
        False,
        False,
    )
    assert "curator_id" not in seen["watchlist"]
    assert given(await here.ann.get(address))["is_owner"]


async def test_a_private_list_is_there_for_its_owner_alone(here: Curating) -> None:
    mine = await here.list(MATRIX, by=here.ben)
    assert not given(await here.ben.get(mine))["watchlist"]["is_public"]
    for other in (here.guest, here.ann, here.root):
        problem(await other.get(mine), 404)
    problem(await here.ben.post(LISTS, json={"title": "Mine", "is_public": True}), 403)
    problem(await here.ben.patch(mine, json={"is_public": True}), 403)


async def test_a_list_is_changed_by_whoever_has_seen_it_as_it_is(here: Curating) -> None:
    address = await here.list(MATRIX)
    tag = (await here.ann.get(address)).headers["ETag"]
    changed = await here.ann.patch(address, json={"title": "Stars"}, headers={"If-Match": tag})
    assert given(changed)["title"] == "Stars"
    problem(await here.ann.patch(address, json={"title": "x"}, headers={"If-Match": tag}), 412)
    assert changed.headers["ETag"] == (await here.ann.get(address)).headers["ETag"]
    again = await here.guest.get(address, headers={"If-None-Match": "*"})
    assert again.status_code == 304


async def test_the_tag_changes_with_everything_that_is_shown(here: Curating) -> None:
    address = await here.list(MATRIX, ALIEN)
    seen = set()
    for doing in (
        here.ann.get(address),
        here.ann.patch(f"{address}/items/films/{ALIEN}", json={"note": "In space."}),
        here.ann.put(f"{address}/items/films/{ALIEN}/position", json={"place": 1}),
        here.ben.put(f"{LISTS}/saved/{address.rpartition('/')[2]}"),
        here.ben.post(f"{address}/comments", json={"text": "Fine."}),
    ):
        assert (await doing).is_success
        seen.add((await here.guest.get(address)).headers["ETag"])
    assert len(seen) == 5
    assert (await here.ben.get(address)).headers["ETag"] not in seen, "he follows it"


async def test_a_picture_stands_for_a_list_until_it_is_taken_out(here: Curating) -> None:
    address, picture = await here.list(MATRIX), "https://pictures.example/rain.jpg"
    changed = given(await here.ann.patch(address, json={"cover_image_url": picture}))
    assert changed["cover_image_url"] == picture
    seen = given(await here.guest.get(address))["watchlist"]
    assert seen["cover_image_url"] == picture
    unsafe = {"cover_image_url": "http://pictures.example/rain.jpg"}
    refused = problem(await here.ann.patch(address, json=unsafe), 422)
    assert refused["field"] == "cover_image_url"
    problem(await here.ben.patch(address, json={"cover_image_url": picture}), 403)
    changed = given(await here.ann.patch(address, json={"cover_image_url": None}))
    assert changed["cover_image_url"] is None


async def test_a_cover_is_chosen_and_given_up(here: Curating) -> None:
    address = await here.list(MATRIX, ALIEN)
    chosen = {"content_type": "MOVIE", "content_id": ALIEN}
    changed = given(await here.ann.patch(address, json={"cover": chosen}))
    assert changed["cover_title"] == "MOVIE#348"
    assert given(await here.ann.patch(address, json={"cover": None}))["cover_title"] is None
    other = {"content_type": "MOVIE", "content_id": "949"}
    assert problem(await here.ann.patch(address, json={"cover": other}), 422)["field"] == "cover"


async def test_what_does_not_fit_is_refused_with_its_field(here: Curating) -> None:
    assert problem(await here.ann.post(LISTS, json={"title": " "}), 422)["field"] == "title"
    problem(await here.ann.post(LISTS, json={"title": "x", "colour": "red"}), 400)
    problem(await here.ann.post(LISTS, json={"title": "x", "tags": "noir"}), 400)
    many = [str(number) for number in range(21)]
    refused = await here.ann.post(LISTS, json={"title": "x", "tags": many})
    assert problem(refused, 422)["field"] == "tags"


async def test_somebody_elses_list_is_not_changed(here: Curating) -> None:
    address = await here.list(MATRIX)
    for refused in (
        await here.ben.patch(address, json={"title": "Mine"}),
        await here.ben.delete(address),
        await here.ben.post(
            f"{address}/items", json={"items": [{"content_type": "MOVIE", "content_id": ALIEN}]}
        ),
    ):
        problem(refused, 403)
    problem(await here.guest.patch(address, json={"title": "Mine"}), 401)


async def test_a_list_is_deleted(here: Curating) -> None:
    address = await here.list(MATRIX)
    given(await here.ann.delete(address), 204)
    problem(await here.ann.get(address), 404)
    assert given(await here.ann.get(f"{LISTS}/mine"))["items"] == []


async def test_anyone_copies_what_they_may_read(here: Curating, store: Store) -> None:
    assert store is not None
    address = await here.list(MATRIX, ALIEN)
    copy = given(await here.ben.post(f"{address}/copy"), 201)
    assert (copy["curator_name"], copy["item_count"], copy["is_public"]) == ("ben", 2, False)
    assert [one["title"] for one in given(await here.ben.get(f"{LISTS}/mine"))["items"]] == [
        "Space"
    ]
