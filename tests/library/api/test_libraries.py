from __future__ import annotations

import pytest

from commonroom.accounts.service.find_account import BY_PERSON, FROM_ADDRESS
from tests.accounts.api.calling import V1, Calling, Client, given, problem, someone
from tests.library.api.shelving import BEN, Shelving, all_pages

ALL = f"{V1}/libraries"


class TestCreateLibrary:
    async def test_nobody_creates_none(self, guest: Client) -> None:
        problem(await guest.post(ALL, json={"library_name": "Home"}), 401)

    async def test_is_empty_and_ones_own(self, here: Shelving) -> None:
        new = {"library_name": "  My   books ", "description": "Upstairs"}
        answer = await here.eve.post(ALL, json=new)
        made = given(answer, 201)
        assert (made["library_name"], made["description"]) == ("My books", "Upstairs")
        assert (made["is_mine"], made["owner_name"]) == (True, "Eve")
        assert (made["total_items"], made["lent_items"], made["shared_with"]) == (0, 0, 0)
        seen = await here.eve.get(f"{ALL}/{made['library_id']}")
        assert given(seen) == made
        assert seen.headers["etag"] == answer.headers["etag"]

    async def test_with_a_key_happens_once(self, here: Shelving) -> None:
        key = {"Idempotency-Key": "first shelf"}
        made = [
            given(await here.eve.post(ALL, json={"library_name": "Home"}, headers=key), 201)
            for _ in range(2)
        ]
        assert made[0] == made[1]
        assert len(given(await here.eve.get(ALL))["items"]) == 1

    @pytest.mark.parametrize(
        "body, status, field",
        [
            ({}, 400, "library_name"),
            ({"library_name": 7}, 400, "library_name"),
            ({"library_name": "Home", "more": 1}, 400, "more"),
            ({"library_name": " "}, 422, "library_name"),
            ({"library_name": "x" * 21}, 422, "library_name"),
            ({"library_name": "x" * 201}, 422, "library_name"),
            ({"library_name": "Home", "description": "x" * 101}, 422, "description"),
        ],
    )
    async def test_that_does_not_fit_names_the_field(
        self, here: Shelving, body: object, status: int, field: str
    ) -> None:
        assert problem(await here.eve.post(ALL, json=body), status)["field"] == field


class TestLibraries:
    async def test_of_ones_own_are_listed_by_name_page_by_page(self, here: Shelving) -> None:
        for name in ("élan", "Attic"):
            await here.library(name)
        found = await all_pages(here.ann, ALL, limit=1)
        assert [one["library_name"] for one in found] == ["Attic", "élan", "Home"]
        assert given(await here.ben.get(ALL))["items"] == []

    async def test_that_others_share_are_listed_apart(self, here: Shelving) -> None:
        (shared,) = given(await here.ben.get(f"{V1}/shared-libraries"))["items"]
        assert (shared["library_name"], shared["shared_from_name"]) == ("Home", "Ann")
        assert shared["library_id"] == here.library_id
        assert given(await here.ann.get(f"{V1}/shared-libraries"))["items"] == []

    async def test_are_shown_to_recipients_without_what_is_the_owners(self, here: Shelving) -> None:
        await here.lent()
        seen = given(await here.ben.get(here.home))
        assert (seen["is_mine"], seen["total_items"], seen["owner_name"]) == (False, 1, "Ann")
        told = [seen[name] for name in ("lent_items", "shared_with", "updated_at", "version")]
        assert told == [None] * 4
        assert given(await here.ann.get(here.home))["lent_items"] == 1

    async def test_are_not_there_for_strangers(self, here: Shelving) -> None:
        refused = problem(await here.eve.get(here.home), 404)
        nowhere = problem(await here.eve.get(f"{ALL}/NOTHING"), 404)
        assert refused == nowhere

    async def test_as_the_caller_has_them_are_not_sent_again(self, here: Shelving) -> None:
        seen = await here.ben.get(here.home)
        again = await here.ben.get(here.home, headers={"If-None-Match": seen.headers["etag"]})
        assert again.status_code == 304


class TestChangeLibrary:
    async def test_leaves_what_is_left_out(self, here: Shelving) -> None:
        changed = given(await here.ann.patch(here.home, json={"library_name": "Hall"}))
        assert (changed["library_name"], changed["description"]) == ("Hall", "In the hall")
        assert given(await here.ann.get(here.home)) == changed
        changed = given(await here.ann.patch(here.home, json={"description": None}))
        assert (changed["library_name"], changed["description"]) == ("Hall", None)

    async def test_reaches_recipients(self, here: Shelving) -> None:
        given(await here.ann.patch(here.home, json={"library_name": "Hall"}))
        (shared,) = given(await here.ben.get(f"{V1}/shared-libraries"))["items"]
        assert shared["library_name"] == "Hall"

    async def test_is_for_whoever_saw_it_as_it_is(self, here: Shelving) -> None:
        tag = {"If-Match": (await here.ann.get(here.home)).headers["etag"]}
        done = await here.ann.patch(here.home, json={"library_name": "Hall"}, headers=tag)
        problem(await here.ann.patch(here.home, json={"library_name": "Den"}, headers=tag), 412)
        tag = {"If-Match": done.headers["etag"]}
        given(await here.ann.patch(here.home, json={"library_name": "Den"}, headers=tag))

    async def test_is_the_owners(self, here: Shelving) -> None:
        for client in (here.ben, here.eve):
            problem(await client.patch(here.home, json={"library_name": "Mine"}), 404)


class TestDeleteLibrary:
    async def test_that_is_shared_or_lent_from_needs_confirming(self, here: Shelving) -> None:
        await here.lent()
        refused = problem(await here.ann.delete(here.home), 409)
        assert (refused["shared_with"], refused["lent_items"]) == (1, 1)
        given(await here.ann.delete(here.home, params={"force": "true"}), 204)
        for client in (here.ann, here.ben):
            problem(await client.get(here.home), 404)

    async def test_that_nobody_else_has_anything_of_goes_at_once(self, here: Shelving) -> None:
        attic = f"{ALL}/{await here.library()}"
        given(await here.ann.delete(attic), 204)
        problem(await here.ann.get(attic), 404)

    async def test_is_the_owners(self, here: Shelving) -> None:
        for client in (here.ben, here.eve):
            problem(await client.delete(here.home, params={"force": "true"}), 404)
        given(await here.ann.get(here.home))


class TestSharing:
    async def test_is_listed_for_the_owner_alone(self, here: Shelving) -> None:
        (share,) = given(await here.ann.get(f"{here.home}/shares"))["items"]
        assert share["email"] == BEN
        for client in (here.ben, here.eve):
            problem(await client.get(f"{here.home}/shares"), 404)

    async def test_ended_by_the_owner_is_over_at_once(self, here: Shelving) -> None:
        (share,) = given(await here.ann.get(f"{here.home}/shares"))["items"]
        ended = f"{here.home}/shares/{share['recipient_id']}"
        given(await here.ann.delete(ended), 204)
        problem(await here.ann.delete(ended), 404)
        problem(await here.ben.get(here.home), 404)
        assert given(await here.ben.get(f"{V1}/shared-libraries"))["items"] == []

    async def test_is_left_by_the_recipient(self, here: Shelving) -> None:
        mine = f"{V1}/shared-libraries/{here.library_id}"
        problem(await here.ann.delete(mine), 404)
        problem(await here.eve.delete(mine), 404)
        given(await here.ben.delete(mine), 204)
        problem(await here.ben.get(here.home), 404)
        assert given(await here.ann.get(f"{here.home}/shares"))["items"] == []

    async def test_twice_says_with_whom(self, here: Shelving) -> None:
        refused = problem(await here.ann.post(f"{here.home}/shares", json={"email": BEN}), 409)
        (share,) = given(await here.ann.get(f"{here.home}/shares"))["items"]
        assert refused["recipient_id"] == share["recipient_id"]

    @pytest.mark.parametrize("email", ["ann@example.org", "nobody@example.org", "nobody", ""])
    async def test_with_oneself_or_nobody_names_the_field(self, here: Shelving, email: str) -> None:
        refused = problem(await here.ann.post(f"{here.home}/shares", json={"email": email}), 422)
        assert refused["field"] == "email"

    async def test_with_addresses_that_nobody_has_comes_to_an_end(self, here: Shelving) -> None:
        for number in range(BY_PERSON.tries):
            wrong = {"email": f"guess-{number}@example.org"}
            problem(await here.ann.post(f"{here.home}/shares", json=wrong), 422)
        for email in ("another@example.org", "eve@example.org"):
            answer = await here.ann.post(f"{here.home}/shares", json={"email": email})
            problem(answer, 429)
            assert int(answer.headers["retry-after"]) > 0

    async def test_is_bounded_for_all_who_ask_from_one_place(
        self, here: Shelving, calling: Calling
    ) -> None:
        max_ = await calling.program(await someone(calling.store, "Max"), "read", "write")
        guessers = (here.ann, here.ben, here.eve, max_)
        homes = []
        for client in guessers:
            made = await client.post(ALL, json={"library_name": "Home"})
            homes.append(f"{ALL}/{given(made, 201)['library_id']}/shares")
        for number in range(FROM_ADDRESS.tries):
            who = number % 4
            wrong = {"email": f"guess-{number}@example.org"}
            problem(await guessers[who].post(homes[who], json=wrong), 422)
        problem(await max_.post(homes[3], json={"email": BEN}), 429)

    async def test_of_what_is_not_ones_own_tells_nothing_of_an_address(
        self, here: Shelving
    ) -> None:
        told = [
            problem(await here.eve.post(f"{here.home}/shares", json={"email": email}), 404)
            for email in (BEN, "nobody@example.org")
        ]
        assert told[0] == told[1]


KINDS = {"csv": "text/csv; charset=utf-8", "json": "application/json"}


@pytest.mark.parametrize("kind", KINDS)
class TestExport:
    async def test_nobody_exports(self, guest: Client, here: Shelving, kind: str) -> None:
        problem(await guest.get(f"{here.home}/export.{kind}"), 401)

    async def test_is_the_owners_whoever_else_may_look(self, here: Shelving, kind: str) -> None:
        for other in (here.ben, here.eve):
            problem(await other.get(f"{here.home}/export.{kind}"), 404)

    async def test_is_a_file_with_a_name(self, here: Shelving, kind: str) -> None:
        change = {"library_name": "Chez Zoé"}
        given(await here.ann.patch(here.home, json=change))
        await here.lent("Angelo")
        answer = await here.ann.get(f"{here.home}/export.{kind}")
        assert answer.status_code == 200
        assert answer.headers["content-type"] == KINDS[kind]
        assert answer.headers["content-disposition"] == (
            f"attachment; filename=\"Chez-Zo-.{kind}\"; filename*=UTF-8''Chez%20Zo%C3%A9.{kind}"
        )
        assert answer.headers["cache-control"] == "no-store"
        assert "Angelo" in answer.text
        assert "Benny" in answer.text

    async def test_goes_into_another_library_as_it_is(self, here: Shelving, kind: str) -> None:
        for number in range(20):  # more than fits in a piece
            await here.add(f"Book {number}", summary="s" * 4000)
        file = (await here.ann.get(f"{here.home}/export.{kind}")).content
        attic = await here.library()
        seen = given(
            await here.ann.post(
                f"{V1}/libraries/{attic}/import/preview",
                content=file,
                headers={"Content-Type": KINDS[kind]},
            )
        )
        assert (seen["format"], seen["items"]) == (f"commonroom_{kind}", 20)
        assert (seen["bad_count"], seen["warning_count"]) == (0, 0)
