from __future__ import annotations

from tests.accounts.api.calling import Client, given, problem
from tests.library.api.shelving import Shelving, all_pages


class TestCreateCollection:
    async def test_nobody_creates_none(self, here: Shelving, guest: Client) -> None:
        problem(await guest.post(f"{here.home}/collections", json={"name": "Foo"}), 401)

    async def test_is_empty(self, here: Shelving) -> None:
        new = {"name": " Foo ", "description": "All of them"}
        answer = await here.ann.post(f"{here.home}/collections", json=new)
        made = given(answer, 201)
        assert (made["name"], made["description"], made["item_count"]) == ("Foo", "All of them", 0)
        one = f"{here.home}/collections/{made['collection_id']}"
        for client in (here.ann, here.ben):
            assert given(await client.get(one)) == made
        problem(await here.eve.get(one), 404)

    async def test_with_a_name_that_is_taken_names_whose_it_is(self, here: Shelving) -> None:
        taken = await here.collection("Étoiles")
        refused = await here.ann.post(f"{here.home}/collections", json={"name": "ETOILES"})
        assert problem(refused, 409)["collection_id"] == taken

    async def test_without_a_name_names_the_field(self, here: Shelving) -> None:
        refused = await here.ann.post(f"{here.home}/collections", json={"name": "x" * 101})
        assert problem(refused, 422)["field"] == "name"

    async def test_is_the_owners(self, here: Shelving) -> None:
        for client in (here.ben, here.eve):
            problem(await client.post(f"{here.home}/collections", json={"name": "Foo"}), 404)


class TestCollections:
    async def test_are_listed_for_whoever_may_look(self, here: Shelving) -> None:
        made = {await here.collection(name) for name in ("Foo", "Bar")}
        for client in (here.ann, here.ben):
            found = given(await client.get(f"{here.home}/collections"))["items"]
            assert {one["collection_id"] for one in found} == made
        problem(await here.eve.get(f"{here.home}/collections"), 404)

    async def test_are_changed_as_they_were_seen(self, here: Shelving) -> None:
        one = f"{here.home}/collections/{await here.collection()}"
        tag = {"If-Match": (await here.ann.get(one)).headers["etag"]}
        changed = await here.ann.patch(one, json={"name": "Bar"}, headers=tag)
        assert given(changed)["name"] == "Bar"
        problem(await here.ann.patch(one, json={"name": "Baz"}, headers=tag), 412)
        described = given(await here.ann.patch(one, json={"description": "Some"}))
        assert (described["name"], described["description"]) == ("Bar", "Some")
        assert given(await here.ann.patch(one, json={"description": None}))["description"] is None
        for client in (here.ben, here.eve):
            problem(await client.patch(one, json={"name": "Mine"}), 404)

    async def test_cannot_take_anothers_name(self, here: Shelving) -> None:
        foo, bar = await here.collection("Foo"), await here.collection("Bar")
        refused = await here.ann.patch(f"{here.home}/collections/{bar}", json={"name": "foo"})
        assert problem(refused, 409)["collection_id"] == foo

    async def test_have_members_in_order_page_by_page(self, here: Shelving) -> None:
        foo = await here.collection()
        for title, order in (("Last", 9), ("First", 1), ("Middle", 5)):
            await here.add(title, collection_id=foo, order=order)
        inside = f"{here.home}/collections/{foo}/items"
        for client in (here.ann, here.ben):
            found = await all_pages(client, inside, limit=2)
            assert [one["title"] for one in found] == ["First", "Middle", "Last"]
        problem(await here.eve.get(inside), 404)
        problem(await here.ann.get(f"{here.home}/collections/NOTHING/items"), 404)

    async def test_are_deleted_and_their_items_stay(self, here: Shelving) -> None:
        foo = await here.collection()
        book = await here.book("T", collection_id=foo)
        one = f"{here.home}/collections/{foo}"
        for client in (here.ben, here.eve):
            problem(await client.delete(one), 404)
        given(await here.ann.delete(one), 204)
        problem(await here.ann.get(one), 404)
        assert given(await here.ann.get(book))["title"] == "T"
