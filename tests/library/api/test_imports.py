from __future__ import annotations

from pathlib import Path
from typing import Any

from httpx import Response

from commonroom.imports.files import MAX_FILE
from commonroom.library.room import LIBRARY
from commonroom.store import Store
from commonroom.store.streams import Worker
from commonroom.timers import Scheduler
from tests.accounts.api.calling import Client, given, problem
from tests.library.api.shelving import Shelving

GOODREADS = Path(__file__).parents[1] / "rules/formats/exports/goodreads.csv"
CSV = {"Content-Type": "text/csv"}


async def sent(client: Client, here: Shelving, path: str = "import", **more: Any) -> Response:
    asked = {"content": GOODREADS.read_bytes(), "headers": CSV} | more
    return await client.post(f"{here.home}/{path}", **asked)


async def worked(store: Store) -> None:
    """Lets what follows happen."""
    await Scheduler(store, LIBRARY.data.timer_handlers).once()
    await Worker(store, LIBRARY.data.consumers).drain()


class TestPreviewImport:
    async def test_nobody_previews(self, guest: Client, here: Shelving) -> None:
        problem(await sent(guest, here, "import/preview"), 401)

    async def test_says_what_would_come_and_keeps_nothing(self, here: Shelving) -> None:
        seen = given(await sent(here.ann, here, "import/preview"))
        assert (seen["format"], seen["items"], seen["bad_count"]) == ("goodreads", 7, 0)
        assert seen["first"][0]["collection"] == "The Lord of the Rings"
        problem(await here.ann.get(f"{here.home}/import"), 404)

    async def test_is_the_owners(self, here: Shelving) -> None:
        for other in (here.ben, here.eve):
            problem(await sent(other, here, "import/preview"), 404)


class TestPrepareImport:
    async def test_keeps_a_file_under_its_name(self, here: Shelving) -> None:
        named = CSV | {"X-File-Name": "mes%20livres%20%C3%A9t%C3%A9.csv"}
        ready = given(await sent(here.ann, here, headers=named), 201)
        assert (ready["state"], ready["of"], ready["file_name"]) == (
            "ready",
            7,
            "mes livres été.csv",
        )
        assert given(await here.ann.get(f"{here.home}/import")) == ready

    async def test_refuses_what_it_cannot_read(self, here: Shelving) -> None:
        said = problem(await sent(here.ann, here, content=b"name,age\nAnn,7"), 422)
        assert "Goodreads" in said["detail"]
        problem(await sent(here.ann, here, content=b""), 422)
        problem(await sent(here.ann, here, content=b"x" * (MAX_FILE + 1)), 413)
        for kind in ("image/png", "multipart/form-data; boundary=x", ""):
            problem(await sent(here.ann, here, headers={"Content-Type": kind}), 415)
        squeezed = CSV | {"Content-Encoding": "gzip"}
        problem(await sent(here.ann, here, headers=squeezed), 415)

    async def test_takes_more_than_other_operations_do(self, here: Shelving) -> None:
        rows = b"".join(b"book,Book %d,%s\r\n" % (n, b"x" * 900) for n in range(1500))
        file = b"type,title,collection,order,summary\r\n" + rows.replace(b",x", b",,,x")
        assert len(file) > 1_300_000
        assert given(await sent(here.ann, here, content=file), 201)["of"] == 1500

    async def test_asked_twice_with_a_key_is_one_import(self, here: Shelving) -> None:
        keyed = CSV | {"Idempotency-Key": "once"}
        first = given(await sent(here.ann, here, headers=keyed), 201)
        again = await sent(here.ann, here, headers=keyed)
        assert given(again, 201)["import_id"] == first["import_id"]
        assert again.headers["Idempotency-Replayed"] == "true"


class TestStartImport:
    async def test_works_until_all_is_done(self, here: Shelving, store: Store) -> None:
        ready = given(await sent(here.ann, here), 201)
        how = {"import_id": ready["import_id"], "without": ["to-read"]}
        started = given(await here.ann.post(f"{here.home}/import/start", json=how), 202)
        assert (started["state"], started["without"]) == ("running", ["to-read"])
        problem(await sent(here.ann, here), 409)
        await worked(store)

        seen = given(await here.ann.get(f"{here.home}/import"))
        assert (seen["state"], seen["done"], seen["added"], seen["skipped"]) == ("done", 7, 5, 2)
        shelf = given(await here.ann.get(f"{here.home}/items", params={"limit": 50}))
        assert "Le Petit Prince" in str(shelf)

    async def test_refuses_another_than_was_looked_at(self, here: Shelving) -> None:
        start = f"{here.home}/import/start"
        problem(await here.ann.post(start, json={"import_id": "X"}), 404)
        given(await sent(here.ann, here), 201)
        problem(await here.ann.post(start, json={"import_id": "X"}), 409)
        for wrong in ({}, {"import_id": "X", "more": 1}, {"import_id": 7}):
            problem(await here.ann.post(start, json=wrong), 400)
        maybe = {"import_id": "X", "duplicates": "maybe"}
        problem(await here.ann.post(start, json=maybe), 422)


class TestCancelImport:
    async def test_stops_it_and_then_forgets_it(self, here: Shelving, store: Store) -> None:
        ready = given(await sent(here.ann, here), 201)
        how = {"import_id": ready["import_id"]}
        given(await here.ann.post(f"{here.home}/import/start", json=how), 202)
        assert (await here.ann.delete(f"{here.home}/import")).status_code == 204
        await worked(store)
        assert given(await here.ann.get(f"{here.home}/import"))["state"] == "cancelled"
        assert (await here.ann.delete(f"{here.home}/import")).status_code == 204
        problem(await here.ann.delete(f"{here.home}/import"), 404)


class TestForeseeImport:
    async def test_says_what_other_choices_would_do(self, here: Shelving) -> None:
        ready = given(await sent(here.ann, here), 201)
        how = {"import_id": ready["import_id"]}
        all_of_it = given(await here.ann.post(f"{here.home}/import/outcome", json=how))
        assert (all_of_it["added"], all_of_it["shelved"]) == (7, 0)
        some = how | {"without": ["to-read"]}
        seen = given(await here.ann.post(f"{here.home}/import/outcome", json=some))
        assert seen == ready["preview"]["outcome"]
        assert (seen["added"], seen["shelved"]) == (5, 2)
        for other in (here.ben, here.eve):
            problem(await other.post(f"{here.home}/import/outcome", json=how), 404)


class TestUndoImport:
    async def test_takes_back_what_was_added(self, here: Shelving, store: Store) -> None:
        ready = given(await sent(here.ann, here), 201)
        how = {"import_id": ready["import_id"]}
        problem(await here.ann.post(f"{here.home}/import/undo", json=how), 409)
        given(await here.ann.post(f"{here.home}/import/start", json=how), 202)
        await worked(store)
        assert given(await here.ann.get(here.home))["total_items"] == 7
        for other in (here.ben, here.eve):
            problem(await other.post(f"{here.home}/import/undo", json=how), 404)
        begun = given(await here.ann.post(f"{here.home}/import/undo", json=how), 202)
        assert begun["state"] == "undoing"
        await worked(store)
        seen = given(await here.ann.get(f"{here.home}/import"))
        assert (seen["state"], seen["removed"], seen["kept"]) == ("undone", 7, 0)
        assert given(await here.ann.get(here.home))["total_items"] == 0
