"""Importing and exporting by HTTP alone, as any program can."""

from __future__ import annotations

import time
from typing import Any

import pytest

from commonroom.imports.files import MAX_FILE
from commonroom.store import Store, update
from commonroom.timers import Scheduler
from commonroom.watchlists.tables import WatchlistImport
from tests.accounts.api.calling import Client, given, problem
from tests.watchlists.api.curating import ALIEN, LISTS, MATRIX, Curating, caught_up
from tests.watchlists.examples import HANDLERS, everything_of
from tests.watchlists.import_files import LETTERBOXD

HERE = f"{LISTS}/import"


async def worked(store: Store) -> None:
    """Lets everything be done that is due."""
    moments = iter(range(int(time.time()) + 10, 2**40, 100))
    scheduler = Scheduler(store, HANDLERS, clock=lambda: float(next(moments)))
    for _ in range(5):
        await scheduler.once()
        await caught_up(store)


async def sent(client: Client) -> Any:
    """A file that is sent."""
    headers = {"Content-Type": "application/zip", "X-File-Name": "mo%20box.zip"}
    return given(await client.post(HERE, content=LETTERBOXD, headers=headers), 201)


async def test_a_file_is_previewed_imported_and_undone(here: Curating, store: Store) -> None:
    first = await sent(here.ben)
    assert (first["state"], first["file_name"]) == ("arriving", "mo box.zip")
    await worked(store)
    ready = given(await here.ben.get(HERE))
    assert (ready["state"], ready["preview"]["outcome"]["new_lists"]) == ("ready", 3)

    how = {"import_id": ready["import_id"], "unknown": "leave", "without": ["ratings"]}
    said = given(await here.ben.post(f"{HERE}/outcome", json=how))
    assert (said["rated"], said["unmatched"]) == (0, 3)
    given(await here.ben.post(f"{HERE}/start", json=how), 202)
    await worked(store)
    done = given(await here.ben.get(HERE))
    assert (done["state"], done["unmatched"], done["failed"]) == ("done", 3, 0)

    rows = f"{HERE}/{done['import_id']}/rows"
    page = given(await here.ben.get(rows, params={"limit": 2}))
    assert [one["title"] for one in page["items"]] == ["Heat", "Heat"]
    title = {"content_type": "MOVIE", "content_id": MATRIX}
    given(await here.ben.post(f"{rows}/{page['items'][0]['row_id']}", json=title))
    assert (await here.ben.delete(f"{rows}/{page['items'][1]['row_id']}")).status_code == 204
    assert given(await here.ben.get(HERE))["settled"] == 2

    given(await here.ben.post(f"{HERE}/undo", json={"import_id": done["import_id"]}), 202)
    await worked(store)
    assert given(await here.ben.get(HERE))["state"] == "undone"
    assert given(await here.ben.get(f"{LISTS}/mine"))["items"] == []


async def test_what_is_no_file_of_lists_is_refused(here: Curating) -> None:
    csv = {"Content-Type": "text/csv"}
    problem(await here.ben.post(HERE, content=b"just,some\nwords,here", headers=csv), 422)
    problem(await here.ben.post(HERE, content=b"x" * (MAX_FILE + 1), headers=csv), 413)
    picture = {"Content-Type": "image/png"}
    problem(await here.ben.post(HERE, content=b"x", headers=picture), 415)


async def test_titles_are_looked_up_again_where_the_source_did_not_answer(
    here: Curating, store: Store
) -> None:
    which = {"import_id": (await sent(here.ben))["import_id"]}
    await worked(store)
    problem(await here.ben.post(f"{HERE}/look-up", json=which), 409)
    (kept,) = await everything_of(store.engine, WatchlistImport)
    await store.write(update(kept.ref, unanswered=3))
    again = given(await here.ben.post(f"{HERE}/look-up", json=which), 202)
    assert (again["state"], again["unanswered"]) == ("arriving", 0)
    await worked(store)
    assert given(await here.ben.get(HERE))["state"] == "ready"


async def test_only_those_publish_who_may(here: Curating, store: Store) -> None:
    for client, status in ((here.ben, 403), (here.ann, 202)):
        await sent(client)
        await worked(store)
        ready = given(await client.get(HERE))
        how = {"import_id": ready["import_id"], "publishes": True}
        assert (await client.post(f"{HERE}/start", json=how)).status_code == status


@pytest.mark.parametrize("kind", ["csv", "json"])
async def test_a_public_list_is_a_file_for_anybody(here: Curating, kind: str) -> None:
    address = await here.list(MATRIX, ALIEN)
    answer = await here.guest.get(f"{address}/export.{kind}")
    assert answer.status_code == 200
    assert f"Space.{kind}" in answer.headers["content-disposition"]
    assert answer.text.index("The Matrix") < answer.text.index("Alien")


async def test_everything_is_one_file(here: Curating) -> None:
    await here.list(MATRIX)
    told = given(await here.ann.get(f"{LISTS}/export.json"))
    assert (told["format"], len(told["lists"])) == ("commonroom-watchlists", 1)
