from __future__ import annotations

import pytest

from tests.library.api.shelving import Shelving
from tests.web.api.calling import V1, Client, given, problem

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
