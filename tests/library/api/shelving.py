"""Libraries that are kept by HTTP alone: what is done is what any program can do."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from tests.accounts.api.calling import V1, Client, given

BEN = "ben@example.org"
ISBN = "978-0-261-10325-2"


class Shelving(Struct, frozen=True):
    """Three people with a program each; the library is Ann's, shared with Ben."""

    ann: Client
    ben: Client
    eve: Client
    library_id: str

    @property
    def home(self) -> str:
        """The library's address."""
        return f"{V1}/libraries/{self.library_id}"

    async def library(self, name: str = "Attic") -> str:
        """Another library of Ann's; its id."""
        made = await self.ann.post(f"{V1}/libraries", json={"library_name": name})
        return str(given(made, 201)["library_id"])

    async def collection(self, name: str = "Foo") -> str:
        """A collection in the library; its id."""
        made = await self.ann.post(f"{self.home}/collections", json={"name": name})
        return str(given(made, 201)["collection_id"])

    async def add(self, title: str = "Angelo", **more: Any) -> dict[str, Any]:
        """A book in the library."""
        new = {"kind": "book", "title": title, **more}
        kept = given(await self.ann.post(f"{self.home}/items", json=new), 201)
        item: dict[str, Any] = kept["item"]
        return item

    async def book(self, title: str = "Angelo", **more: Any) -> str:
        """The address of a book in the library."""
        return f"{self.home}/items/{(await self.add(title, **more))['item_id']}"

    async def lent(self, title: str = "Angelo", **more: Any) -> str:
        """The address of a book that is lent."""
        book = await self.book(title)
        given(await self.ann.post(f"{book}/lend", json={"lent_to": "Benny", **more}))
        return book


async def all_pages(client: Client, path: str, limit: int) -> list[dict[str, Any]]:
    """All of a list, page by page."""
    asked: dict[str, Any] = {"limit": limit}
    found: list[dict[str, Any]] = []
    while True:
        page = given(await client.get(path, params=asked))
        found += page["items"]
        if page["next_cursor"] is None:
            return found
        asked["cursor"] = page["next_cursor"]


async def moved_in(ann: Client, ben: Client, eve: Client) -> Shelving:
    """Ann's library, once it is shared."""
    new = {"library_name": "Home", "description": "In the hall"}
    home = given(await ann.post(f"{V1}/libraries", json=new), 201)
    here = Shelving(ann, ben, eve, home["library_id"])
    given(await ann.post(f"{here.home}/shares", json={"email": BEN}), 201)
    return here
