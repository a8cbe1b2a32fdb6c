"""Profiles, curators, collaborators, followers and comments by HTTP."""

from __future__ import annotations

from commonroom.store import Store
from tests.accounts.api.calling import V1, given, problem
from tests.watchlists.api.curating import ALIEN, LISTS, MATRIX, Curating, caught_up, titles


class TestProfiles:
    async def test_one_is_made_when_it_is_first_needed(self, here: Curating) -> None:
        problem(await here.ben.get(f"{LISTS}/profile"), 404)
        changed = await here.ben.patch(f"{LISTS}/profile", json={"bio": "Films."})
        assert given(changed)["username"] == "ben"
        seen = await here.ben.get(f"{LISTS}/profile")
        assert seen.headers["ETag"] == changed.headers["ETag"]
        stale = {"If-Match": '"other"'}
        problem(await here.ben.patch(f"{LISTS}/profile", json={"bio": ""}, headers=stale), 412)

    async def test_has_a_picture_that_others_see(self, here: Curating) -> None:
        picture = "https://pictures.example/ann.jpg"
        mine = f"{LISTS}/profile"
        assert given(await here.ann.patch(mine, json={"avatar_url": picture}))["avatar_url"]
        seen = given(await here.guest.get(f"{LISTS}/curators/ann"))
        assert seen["avatar_url"] == picture
        unsafe = {"avatar_url": "https://"}
        assert problem(await here.ann.patch(mine, json=unsafe), 422)["field"] == "avatar_url"
        assert given(await here.ann.patch(mine, json={"avatar_url": None}))["avatar_url"] is None

    async def test_a_username_is_taken_whatever_its_case(self, here: Curating) -> None:
        taken = problem(await here.ben.patch(f"{LISTS}/profile", json={"username": "ANN"}), 409)
        assert taken["field"] == "username"

    async def test_a_curator_has_a_public_one_without_an_address(self, here: Curating) -> None:
        seen = await here.guest.get(f"{LISTS}/curators/ANN")
        assert given(seen)["username"] == "ann"
        assert "@" not in seen.text
        problem(await here.guest.get(f"{LISTS}/curators/ben"), 404)


class TestCurators:
    async def test_an_administrator_decides(self, here: Curating) -> None:
        applied = given(
            await here.ben.post(f"{LISTS}/application", json={"motivation": "Me too."}), 201
        )
        assert applied["curator_status"] == "pending"
        problem(await here.ben.get(f"{V1}/admin/curators"), 403)
        (one,) = given(await here.root.get(f"{V1}/admin/curators"))["items"]
        assert one["motivation"] == "Me too."
        his = f"{V1}/admin/curators/{one['user_id']}"
        problem(await here.root.post(f"{his}/decline", json={"reason": ""}), 422)
        declined = given(await here.root.post(f"{his}/decline", json={"reason": "Not yet."}))
        assert declined["curator_moves"][-1]["reason"] == "Not yet."
        problem(await here.root.post(f"{his}/approve"), 409)
        problem(await here.ben.post(f"{his}/approve"), 403)

    async def test_a_suspended_ones_lists_leave_discovery_and_come_back(
        self, here: Curating, store: Store
    ) -> None:
        address = await here.list(MATRIX)
        (ann,) = given(await here.root.get(f"{V1}/admin/curators", params={"status": "approved"}))[
            "items"
        ]
        hers = f"{V1}/admin/curators/{ann['user_id']}"
        given(await here.root.post(f"{hers}/suspend", json={"reason": "Spam."}))
        await caught_up(store)
        assert titles(given(await here.guest.get(LISTS))) == []
        problem(await here.guest.get(f"{LISTS}/curators/ann"), 404)
        problem(await here.ann.post(LISTS, json={"title": "More", "is_public": True}), 403)
        for path in (address, f"{address}/comments", f"{address}/export.json"):
            problem(await here.guest.get(path), 404)
        page = address.replace(LISTS, "/lists")
        for path in (page, f"{page}/feed.atom", f"{page}/preview.png"):
            assert (await here.guest.get(path)).status_code == 404, path
        wanted = {"items": [{"content_type": "MOVIE", "content_id": ALIEN}]}
        problem(await here.ann.post(f"{address}/items", json=wanted), 403)
        assert (await here.ann.get(address)).is_success, "it is still theirs"
        given(await here.root.post(f"{hers}/reinstate"))
        await caught_up(store)
        assert titles(given(await here.guest.get(LISTS))) == ["Space"]


class TestCollaborators:
    async def test_come_by_a_link_and_go(self, here: Curating) -> None:
        address = await here.list(MATRIX, is_public=False)
        link = given(await here.ann.put(f"{address}/links/join"))
        assert link["path"].endswith(f"/join/{link['key']}")
        key = {"key": link["key"]}
        invited = given(await here.ben.post(f"{address}/invitation", json=key))
        assert invited["title"] == "Space"
        given(await here.ben.post(f"{address}/collaborators", json=key), 201)
        wanted = {"items": [{"content_type": "MOVIE", "content_id": ALIEN}]}
        given(await here.ben.post(f"{address}/items", json=wanted), 201)
        assert titles(given(await here.ben.get(f"{LISTS}/shared"))) == ["Space"]
        seen = given(await here.ann.get(address))
        assert [one["username"] for one in seen["collaborators"]] == ["ben"]
        given(await here.ann.delete(f"{address}/collaborators/ben"), 204)
        problem(await here.ben.get(address), 404)
        given(await here.ann.delete(f"{address}/links/join"), 204)
        problem(await here.ben.post(f"{address}/collaborators", json=key), 404)

    async def test_leave_by_themselves(self, here: Curating) -> None:
        address = await here.list(MATRIX)
        key = {"key": given(await here.ann.put(f"{address}/links/join"))["key"]}
        given(await here.ben.post(f"{address}/collaborators", json=key), 201)
        left = f"{LISTS}/shared/{address.rpartition('/')[2]}"
        given(await here.ben.delete(left), 204)
        problem(await here.ben.delete(left), 404)

    async def test_a_view_link_opens_a_private_list_until_it_is_revoked(
        self, here: Curating
    ) -> None:
        address = await here.list(MATRIX, is_public=False)
        key = {"key": given(await here.ann.put(f"{address}/links/view"))["key"]}
        assert titles(given(await here.guest.get(address, params=key))) == ["The Matrix"]
        given(await here.guest.get(f"{address}/comments", params=key))
        given(await here.ben.post(f"{address}/copy", json=key), 201)
        given(await here.ann.delete(f"{address}/links/view"), 204)
        problem(await here.guest.get(address, params=key), 404)
        problem(await here.ann.put(f"{address}/links/other"), 404)


class TestFollowers:
    async def test_save_a_list_see_what_is_new_and_let_it_go(self, here: Curating) -> None:
        address = await here.list(MATRIX)
        saved = f"{LISTS}/saved/{address.rpartition('/')[2]}"
        for _ in range(2):
            given(await here.ben.put(saved), 204)
        wanted = {"items": [{"content_type": "MOVIE", "content_id": ALIEN}]}
        given(await here.ann.post(f"{address}/items", json=wanted), 201)
        (one,) = given(await here.ben.get(f"{LISTS}/saved"))["items"]
        assert (one["new_count"], one["watchlist"]["save_count"]) == (1, 1)
        given(await here.ben.put(f"{saved}/visit"), 204)
        assert given(await here.ben.get(address))["new_count"] == 0
        given(await here.ann.delete(address), 204)
        (one,) = given(await here.ben.get(f"{LISTS}/saved"))["items"]
        assert (one["title"], one["watchlist"]) == ("Space", None)
        given(await here.ben.delete(saved), 204)
        assert given(await here.ben.get(f"{LISTS}/saved"))["items"] == []
        problem(await here.ben.put(f"{saved}/visit"), 404)

    async def test_follow_a_curator(self, here: Curating) -> None:
        given(await here.ben.put(f"{LISTS}/following/Ann"), 204)
        (one,) = given(await here.ben.get(f"{LISTS}/following"))["items"]
        assert (one["username"], one["follower_count"]) == ("ann", 1)
        given(await here.ben.delete(f"{LISTS}/following/ann"), 204)
        assert given(await here.ben.get(f"{LISTS}/following"))["items"] == []
        problem(await here.ben.put(f"{LISTS}/following/nobody"), 404)


class TestComments:
    async def test_are_said_read_and_deleted(self, here: Curating) -> None:
        comments = f"{await here.list(MATRIX)}/comments"
        said = given(await here.ben.post(comments, json={"text": "Fine."}), 201)
        assert (said["author"]["username"], said["may_delete"]) == ("ben", True)
        (seen,) = given(await here.guest.get(comments))["items"]
        assert (seen["text"], seen["may_delete"]) == ("Fine.", False)
        problem(await here.guest.post(comments, json={"text": "Fine."}), 401)
        given(await here.root.delete(f"{comments}/{said['comment_id']}"), 204)
        problem(await here.ben.delete(f"{comments}/{said['comment_id']}"), 404)
