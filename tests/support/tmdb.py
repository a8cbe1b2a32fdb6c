"""A stand-in for TMDB on loopback: it answers as TMDB does, and can misbehave in many ways."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any, TypeAlias

from aiohttp import web

from tests.support.stand_in_server import served

KEY = "a-made-up-access-token"
RANKS = ["", "G", "PG", "PG-13", "R", "NC-17"]
"""As TMDB ranks them: without a certification comes below all others."""

Reply: TypeAlias = Callable[[web.Request], Awaitable[web.StreamResponse]]


class Asked:
    """What was asked of it once."""

    def __init__(self, request: web.Request) -> None:
        self.path = request.path.removeprefix("/3/")
        self.query = dict(request.query)
        self.headers = dict(request.headers)


class StandIn:
    """The server, its films and shows, what it was asked, and how it misbehaves by path."""

    def __init__(self) -> None:
        self.address = ""
        self.films: dict[int, dict[str, Any]] = {}
        self.shows: dict[int, dict[str, Any]] = {}
        self.asked: list[Asked] = []
        self.troubles: dict[str, Reply] = {}
        """What is replied instead, to paths that begin so."""
        self.arrived = asyncio.Event()
        """Set when something was asked."""
        self.closing = asyncio.Event()

    @property
    def paths(self) -> list[str]:
        """What was asked, in order."""
        return [one.path for one in self.asked]

    def add(self, *films: dict[str, Any]) -> None:
        """More films to answer with."""
        self.films |= {one["id"]: one for one in films}

    def add_shows(self, *shows: dict[str, Any]) -> None:
        """More shows to answer with."""
        self.shows |= {one["id"]: one for one in shows}

    async def answer(self, request: web.Request) -> web.StreamResponse:
        """One request."""
        asked = Asked(request)
        self.asked.append(asked)
        self.arrived.set()
        for start, reply in self.troubles.items():
            if asked.path.startswith(start):
                return await reply(request)
        if asked.headers.get("Authorization") != f"Bearer {KEY}":
            return web.json_response({"status_code": 7, "success": False}, status=401)
        found = self._found(asked)
        if found is None:
            return web.json_response({"status_code": 34, "success": False}, status=404)
        return web.json_response(found)

    def _found(self, asked: Asked) -> Any:
        match asked.path.split("/"):
            case ["authentication"]:
                return {"success": True, "status_code": 1}
            case ["discover", "movie"]:
                return self._page([one for one in self.films.values() if _fits(one, asked)], asked)
            case ["search", ("movie" | "tv") as kind]:
                some, named = self._titles(kind).values(), "title" if kind == "movie" else "name"
                text = asked.query["query"]
                return self._page([one for one in some if text in one[named].lower()], asked)
            case ["find", imdb_id] if asked.query["external_source"] == "imdb_id":
                return {
                    "movie_results": [
                        _listed(one) for one in self.films.values() if one["imdb_id"] == imdb_id
                    ],
                    "tv_results": [
                        _listed(one)
                        for one in self.shows.values()
                        if one["external_ids"]["imdb_id"] == imdb_id
                    ],
                }
            case [("movie" | "tv") as kind, number, *rest] if int(number) in self._titles(kind):
                told = self._titles(kind)[int(number)]
                return {"id": int(number), **told["watch/providers"]} if rest else told
        return None

    def _titles(self, kind: str) -> dict[int, dict[str, Any]]:
        return self.films if kind == "movie" else self.shows

    def _page(self, films: list[dict[str, Any]], asked: Asked) -> Any:
        films.sort(key=lambda one: -one["popularity"])
        page = int(asked.query.get("page", "1"))
        return {
            "page": page,
            "results": [_listed(one) for one in films[20 * (page - 1) : 20 * page]],
            "total_pages": -(-len(films) // 20),
            "total_results": len(films),
        }

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

    async def break_off(self, request: web.Request) -> web.StreamResponse:
        """Promises more than it sends."""
        headers = {"Content-Type": "application/json", "Content-Length": "1000"}
        response = web.StreamResponse(headers=headers)
        await response.prepare(request)
        await response.write(b'{"results": [')
        assert request.transport is not None
        request.transport.close()
        return response


def status(code: int, **headers: str) -> Reply:
    """Answers with a status and nothing more."""

    async def reply(request: web.Request) -> web.StreamResponse:
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        return web.json_response({"success": False}, status=code, headers=named)

    return reply


def says(text: str, content_type: str = "application/json") -> Reply:
    """Answers with a text, whatever it is."""

    async def reply(request: web.Request) -> web.StreamResponse:
        return web.Response(text=text, content_type=content_type)

    return reply


TROUBLES: dict[str, Callable[[StandIn], Reply]] = {
    "hangs": lambda stand_in: stand_in.hang,
    "hangs up": lambda stand_in: stand_in.hang_up,
    "breaks off": lambda stand_in: stand_in.break_off,
    "fails": lambda _: status(500),
    "is overloaded": lambda _: status(503),
    "is behind a sign-in page": lambda _: says("<html>Welcome to this café</html>", "text/html"),
    "says nonsense": lambda _: says("nonsense"),
    "says something else": lambda _: says("[]"),
    "means another film": lambda _: says('{"id": 4711, "title": "Another"}'),
    "lists what are no films": lambda _: says('{"results": [{"name": "a"}, 7]}'),
    "says too much": lambda _: says("x" * 5_000_000),
}
"""How it can be in trouble, by what one would say of it."""


def film(number: int, **facts: Any) -> dict[str, Any]:
    """A film as TMDB tells of it when asked for everything."""
    certification = facts.pop("certification", "PG")
    providers = facts.pop("providers", [8])
    return {
        "id": number,
        "title": f"Film {number}",
        "adult": False,
        "release_date": "1999-03-31",
        "genres": [{"id": 35, "name": "Comedy"}],
        "popularity": 1000 - number,
        "vote_average": 7.5,
        "vote_count": 5000,
        "runtime": 100,
        "poster_path": f"/poster{number:08}.jpg",
        "overview": "People meet.",
        "imdb_id": f"tt{number:07}",
        "release_dates": {
            "results": [
                {"iso_3166_1": "DE", "release_dates": [{"certification": "12", "type": 3}]},
                {
                    "iso_3166_1": "US",
                    "release_dates": [
                        {"certification": "", "type": 1},
                        {"certification": certification, "type": 3},
                    ],
                },
            ]
        },
        "credits": {
            "cast": [{"name": "Second", "order": 1}, {"name": "First", "order": 0}],
            "crew": [{"name": "Camera", "job": "Camera"}, {"name": "Boss", "job": "Director"}],
        },
        "watch/providers": {
            "results": {"US": {"flatrate": [{"provider_id": one} for one in providers]}}
        },
    } | facts


def show(number: int, **facts: Any) -> dict[str, Any]:
    """A show as TMDB tells of it when asked for everything."""
    providers = facts.pop("providers", [8])
    return {
        "id": number,
        "name": f"Show {number}",
        "adult": False,
        "first_air_date": "2008-01-20",
        "last_air_date": "2013-09-29",
        "in_production": False,
        "status": "Ended",
        "number_of_seasons": 5,
        "number_of_episodes": 62,
        "genres": [{"id": 10765, "name": "Sci-Fi & Fantasy"}, {"id": 18, "name": "Drama"}],
        "created_by": [{"id": 1, "name": "Maker"}],
        "popularity": 1000 - number,
        "vote_average": 8.5,
        "vote_count": 4000,
        "poster_path": f"/showposter{number:08}.jpg",
        "overview": "People meet again.",
        "external_ids": {"imdb_id": f"tt{number:07}"},
        "credits": {
            "cast": [{"name": "Second", "order": 1}, {"name": "First", "order": 0}],
            "crew": [{"name": "Camera", "job": "Camera"}],
        },
        "watch/providers": {
            "results": {"US": {"flatrate": [{"provider_id": one} for one in providers]}}
        },
    } | facts


def certification(film: dict[str, Any]) -> str:
    """What a film is rated in the United States."""
    (american,) = [one for one in film["release_dates"]["results"] if one["iso_3166_1"] == "US"]
    told: str = american["release_dates"][-1]["certification"]
    return told


def _listed(film: dict[str, Any]) -> dict[str, Any]:
    whole = {"genres", "runtime", "imdb_id", "release_dates", "credits", "watch/providers"} | {
        *("last_air_date", "in_production", "status", "created_by", "external_ids"),
        *("number_of_seasons", "number_of_episodes"),
    }
    kept = {name: value for name, value in film.items() if name not in whole}
    return kept | {"genre_ids": [one["id"] for one in film["genres"]]}


def _fits(film: dict[str, Any], asked: Asked) -> bool:
    """As TMDB understands the parameters: | is any of them, a comma all of them."""
    query = asked.query
    genres = {str(one["id"]) for one in film["genres"]}
    wanted = query.get("with_genres", "")
    rank = RANKS.index(certification(film))
    return (
        (not wanted or any(set(every.split(",")) <= genres for every in wanted.split("|")))
        and genres.isdisjoint(query.get("without_genres", "").split(","))
        and film["release_date"] >= query["primary_release_date.gte"]
        and film["vote_count"] >= int(query["vote_count.gte"])
        and query["certification_country"] == "US"
        and RANKS.index(query.get("certification.gte", "")) <= rank
        and rank <= RANKS.index(query["certification.lte"])
    )


@asynccontextmanager
async def standing_in() -> AsyncIterator[StandIn]:
    """The stand-in, on a free port of loopback."""
    stand_in = StandIn()
    async with served(stand_in) as address:
        stand_in.address = f"{address}/3"
        yield stand_in
