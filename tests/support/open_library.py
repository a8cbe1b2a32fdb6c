"""A stand-in for Open Library on loopback: it answers as that does, and can misbehave."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

from aiohttp import web

from tests.support.stand_in_server import served
from tests.support.tmdb import Reply, says, status

HOBBIT = "9780261103283"


class OpenLibraryStandIn:
    """The server, its books by ISBN, what it was asked, and how it misbehaves by path."""

    def __init__(self) -> None:
        self.address = ""
        self.data: dict[str, dict[str, Any]] = {}
        """What `/api/books` says."""
        self.editions: dict[str, dict[str, Any]] = {}
        """What `/isbn/….json` leads to."""
        self.works: dict[str, dict[str, Any]] = {}
        self.asked: list[str] = []
        self.troubles: dict[str, Reply] = {}
        """What is replied instead, to paths that begin so."""
        self.arrived = asyncio.Event()
        """Set when something was asked."""
        self.closing = asyncio.Event()

    def add_hobbit(self) -> None:
        """A book of which everything is known."""
        self.data[HOBBIT] = {
            "title": "The Hobbit",
            "subtitle": "or There and Back Again",
            "authors": [{"name": "J.R.R. Tolkien", "url": "https://openlibrary.org/authors/OL1A"}],
            "cover": {
                "medium": "https://covers.openlibrary.org/b/id/1-M.jpg",
                "large": "https://covers.openlibrary.org/b/id/1-L.jpg",
            },
            "number_of_pages": 310,
        }
        self.editions[HOBBIT] = {
            "title": "The Hobbit",
            "covers": [-1, 7],
            "works": [{"key": "/works/OL262758W"}],
        }
        self.works["OL262758W"] = {"description": {"type": "/type/text", "value": "A burglar."}}

    async def answer(self, request: web.Request) -> web.StreamResponse:
        """One request."""
        path = request.path.removeprefix("/")
        self.asked.append(path)
        self.arrived.set()
        for start, reply in self.troubles.items():
            if path.startswith(start):
                return await reply(request)
        match path.removesuffix(".json").split("/"):
            case ["api", "books"]:
                key = request.query["bibkeys"]
                found = self.data.get(key.removeprefix("ISBN:"))
                return web.json_response({} if found is None else {key: found})
            case ["isbn", isbn] if isbn in self.editions:
                raise web.HTTPFound(f"/books/{isbn}.json")
            case ["books", isbn] if isbn in self.editions:
                return web.json_response(self.editions[isbn])
            case ["works", work] if work in self.works:
                return web.json_response(self.works[work])
        return web.json_response({"error": "notfound"}, status=404)

    # How it can misbehave.

    async def hang(self, request: web.Request) -> web.StreamResponse:
        """Never answers, until it is closed."""
        await self.closing.wait()
        return web.Response()

    async def hang_up(self, request: web.Request) -> web.StreamResponse:
        """Closes the connection."""
        assert request.transport is not None
        request.transport.abort()
        return web.Response()

    async def send_round(self, request: web.Request) -> web.StreamResponse:
        """Sends on to where it was asked."""
        raise web.HTTPFound(request.path_qs)

    async def send_away(self, request: web.Request) -> web.StreamResponse:
        """Sends on to somewhere inside the house."""
        raise web.HTTPFound("http://127.0.0.1:1/secrets.json")


TROUBLES: dict[str, Callable[[OpenLibraryStandIn], Reply]] = {
    "hangs": lambda stand_in: stand_in.hang,
    "hangs up": lambda stand_in: stand_in.hang_up,
    "fails": lambda _: status(500),
    "is overloaded": lambda _: status(503),
    "wants to be left alone": lambda _: status(429),
    "is behind a sign-in page": lambda _: says("<html>Welcome to this café</html>", "text/html"),
    "says nonsense": lambda _: says("nonsense"),
    "says something else": lambda _: says("[1, 2]"),
    "nests too deeply": lambda _: says("[" * 100_000),
    "says too much": lambda _: says('"' + "x" * 2_000_000 + '"'),
    "sends round and round": lambda stand_in: stand_in.send_round,
    "sends into the house": lambda stand_in: stand_in.send_away,
}
"""How it can be in trouble, by what one would say of it."""


@asynccontextmanager
async def standing_in() -> AsyncIterator[OpenLibraryStandIn]:
    """The stand-in, on a free port of loopback."""
    stand_in = OpenLibraryStandIn()
    async with served(stand_in) as address:
        stand_in.address = address
        yield stand_in
