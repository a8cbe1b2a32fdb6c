"""Lists that are kept by HTTP alone: what is done is what any program can do."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from commonroom.store import Store
from commonroom.store.streams import Worker, copy_consumers
from commonroom.watchlists.room import WATCHLISTS
from tests.accounts.api.calling import V1, Client, given
from tests.watchlists.examples import COPIES

LISTS = f"{V1}/watchlists"
MATRIX, ALIEN = "603", "348"
JAWS = "578"


class Curating(Struct, frozen=True):
    """Four who call: a guest, who runs it, a curator, and somebody else."""

    guest: Client
    root: Client
    ann: Client
    ben: Client

    async def list(self, *films: str, by: Client | None = None, **more: Any) -> str:
        """The address of a new list with these films."""
        who = by or self.ann
        made = given(await who.post(LISTS, json={"title": "Space", **more}), 201)
        address = f"{LISTS}/{made['watchlist_id']}"
        if films:
            wanted = [{"content_type": "MOVIE", "content_id": one} for one in films]
            given(await who.post(f"{address}/items", json={"items": wanted}), 201)
        return address


async def moved_in(guest: Client, root: Client, ann: Client, ben: Client) -> Curating:
    """Everybody, once Ann is a curator."""
    given(await ann.post(f"{LISTS}/application", json={"motivation": "I know films."}), 201)
    (applied,) = given(await root.get(f"{V1}/admin/curators"))["items"]
    given(await root.post(f"{V1}/admin/curators/{applied['user_id']}/approve"))
    return Curating(guest, root, ann, ben)


async def caught_up(store: Store) -> None:
    """Lets everybody who follows changes do so."""
    await Worker(store, [*copy_consumers(COPIES), *WATCHLISTS.data.consumers]).drain()


def titles(page: dict[str, Any]) -> list[str]:
    """The titles of what a page has."""
    return [one["title"] for one in page["items"]]
