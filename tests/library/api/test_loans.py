from __future__ import annotations

import pytest

from commonroom.accounts.service.find_account import BY_PERSON
from tests.accounts.api.calling import V1, Client, given, problem
from tests.library.api.shelving import BEN, Shelving, all_pages


class TestLendItem:
    async def test_nobody_lends_any(self, here: Shelving, guest: Client) -> None:
        problem(await guest.post(f"{await here.book()}/lend", json={"lent_to": "Me"}), 401)

    async def test_says_who_has_it_and_until_when(self, here: Shelving) -> None:
        book = await here.book()
        wanted = {"lent_to": " Benny ", "due_date": "2033-05-31", "email": BEN}
        answer = await here.ann.post(f"{book}/lend", json=wanted)
        loan = given(answer)["loan"]
        assert (loan["lent_to"], loan["due_date"]) == ("Benny", "2033-05-31")
        assert loan["has_account"] is True
        seen = await here.ann.get(book)
        assert given(seen)["loan"] == loan
        assert seen.headers["etag"] == answer.headers["etag"]

    async def test_twice_is_a_conflict_that_says_who_has_it(self, here: Shelving) -> None:
        book = await here.lent(due_date="2033-05-31")
        refused = problem(await here.ann.post(f"{book}/lend", json={"lent_to": "Eve"}), 409)
        assert (refused["lent_to"], refused["due_date"]) == ("Benny", "2033-05-31")

    @pytest.mark.parametrize(
        "body, status, field",
        [
            ({}, 400, "lent_to"),
            ({"lent_to": None}, 400, "lent_to"),
            ({"lent_to": " "}, 422, "lent_to"),
            ({"lent_to": "x" * 51}, 422, "lent_to"),
            ({"lent_to": "B", "due_date": "soon"}, 422, "due_date"),
            ({"lent_to": "B", "due_date": "2026-02-30"}, 422, "due_date"),
            ({"lent_to": "B", "email": "nobody@example.org"}, 422, "email"),
            ({"lent_to": "B", "email": "ann@example.org"}, 422, "email"),
        ],
    )
    async def test_that_does_not_fit_names_the_field(
        self, here: Shelving, body: object, status: int, field: str
    ) -> None:
        book = await here.book()
        assert problem(await here.ann.post(f"{book}/lend", json=body), status)["field"] == field
        assert given(await here.ann.get(book))["loan"] is None

    async def test_to_addresses_that_nobody_has_comes_to_an_end(self, here: Shelving) -> None:
        book = await here.book()
        for number in range(BY_PERSON.tries):
            wrong = {"lent_to": "B", "email": f"guess-{number}@example.org"}
            problem(await here.ann.post(f"{book}/lend", json=wrong), 422)
        answer = await here.ann.post(f"{book}/lend", json={"lent_to": "B", "email": BEN})
        problem(answer, 429)
        assert int(answer.headers["retry-after"]) > 0
        given(await here.ann.post(f"{book}/lend", json={"lent_to": "B"}))

    async def test_is_the_owners(self, here: Shelving) -> None:
        book = await here.book()
        for client in (here.ben, here.eve):
            problem(await client.post(f"{book}/lend", json={"lent_to": "Me"}), 404)


class TestReturnItem:
    async def test_takes_it_back_once(self, here: Shelving) -> None:
        book = await here.lent()
        for client in (here.ben, here.eve):
            problem(await client.post(f"{book}/return"), 404)
        assert given(await here.ann.post(f"{book}/return"))["loan"] is None
        problem(await here.ann.post(f"{book}/return"), 409)


class TestDueDate:
    async def test_is_said_anew_and_taken_away(self, here: Shelving) -> None:
        book = await here.lent(due_date="2033-05-31")
        due = f"{book}/due-date"
        longer = given(await here.ann.put(due, json={"due_date": "2033-06-30"}))
        assert longer["loan"]["due_date"] == "2033-06-30"
        assert given(await here.ann.put(due, json={"due_date": None}))["loan"]["due_date"] is None
        assert problem(await here.ann.put(due, json={}), 400)["field"] == "due_date"
        assert problem(await here.ann.put(due, json={"due_date": "x"}), 422)["field"] == "due_date"
        for client in (here.ben, here.eve):
            problem(await client.put(due, json={"due_date": None}), 404)

    async def test_of_what_is_not_lent_is_a_conflict(self, here: Shelving) -> None:
        due = f"{await here.book()}/due-date"
        problem(await here.ann.put(due, json={"due_date": "2033-06-30"}), 409)


class TestHistory:
    async def test_tells_loans_as_pairs_the_newest_first_page_by_page(self, here: Shelving) -> None:
        book = await here.book()
        for name in ("Ada", "Bea", "Cleo"):
            given(await here.ann.post(f"{book}/lend", json={"lent_to": name}))
            if name != "Cleo":
                given(await here.ann.post(f"{book}/return"))
        found = await all_pages(here.ann, f"{book}/history", limit=1)
        assert [one["borrower"] for one in found] == ["Cleo", "Bea", "Ada"]
        assert [one["returned_at"] is None for one in found] == [True, False, False]
        assert found[0]["lasted"] is None
        assert found[1]["lasted"] >= 0
        problem(await here.ann.get(f"{book}/history", params={"limit": 51}), 400)

    async def test_is_cleared_once_it_is_back(self, here: Shelving) -> None:
        book = await here.lent()
        assert problem(await here.ann.delete(f"{book}/history"), 409)["lent_to"] == "Benny"
        given(await here.ann.post(f"{book}/return"))
        given(await here.ann.delete(f"{book}/history"), 204)
        assert given(await here.ann.get(f"{book}/history"))["items"] == []

    async def test_is_the_owners(self, here: Shelving) -> None:
        book = await here.lent()
        for client in (here.ben, here.eve):
            problem(await client.get(f"{book}/history"), 404)
            problem(await client.delete(f"{book}/history"), 404)


class TestDueInThePast:
    async def test_is_409_until_it_is_confirmed(self, here: Shelving) -> None:
        book = await here.book()
        loan = {"lent_to": "Benny", "due_date": "2020-05-31"}
        asked = problem(await here.ann.post(f"{book}/lend", json=loan), 409)
        assert asked["field"] == "due_date"
        given(await here.ann.post(f"{book}/lend", json=loan | {"past_due": True}))
        due = {"due_date": "2020-04-30"}
        problem(await here.ann.put(f"{book}/due-date", json=due), 409)
        given(await here.ann.put(f"{book}/due-date", json=due | {"past_due": True}))


class TestLoans:
    async def test_are_everything_that_one_has_lent_the_earliest_due_first(
        self, here: Shelving
    ) -> None:
        await here.lent("Some day")
        await here.lent("Later", due_date="2033-05-31")
        await here.lent("Long ago", due_date="2020-05-31", past_due=True)
        found = given(await here.ann.get(f"{V1}/loans/lent"))["items"]
        assert [(one["item"]["title"], one["is_overdue"]) for one in found] == [
            ("Long ago", True),
            ("Later", False),
            ("Some day", False),
        ]
        assert given(await here.ben.get(f"{V1}/loans/lent"))["items"] == []

    async def test_are_found_by_a_borrower_with_an_account(self, here: Shelving) -> None:
        book = await here.lent(due_date="2033-05-31", email="eve@example.org")
        (borrowed,) = given(await here.eve.get(f"{V1}/loans/borrowed"))["items"]
        assert (borrowed["title"], borrowed["owner_name"]) == ("Angelo", "Ann")
        assert (borrowed["due_date"], borrowed["is_overdue"]) == ("2033-05-31", False)
        problem(await here.eve.get(book), 404)
        given(await here.ann.post(f"{book}/return"))
        assert given(await here.eve.get(f"{V1}/loans/borrowed"))["items"] == []
