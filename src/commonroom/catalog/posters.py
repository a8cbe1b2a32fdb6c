"""Posters of films: fetched once from TMDB and kept, or drawn, so that none is loaded elsewhere."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, lru_cache, partial
from itertools import chain, product
from pathlib import Path
from typing import TypeVar
from zlib import crc32

from msgspec import Struct

from commonroom.catalog.builtin import known_films
from commonroom.outgoing.caches import PICTURE_TYPES, PictureCache, SingleFlight, picture_type
from commonroom.outgoing.circuit_breaker import CircuitBreaker
from commonroom.outgoing.fetcher import Fetcher, Limits, OutgoingError, TookTooLong, Unreachable
from commonroom.settings import Settings

T = TypeVar("T")
ADDRESS = "https://image.tmdb.org/t/p/w342"
LIMITS = Limits(seconds=5.0, largest=500_000, types=PICTURE_TYPES)
AT_ONCE = 4
MOST_IN_FLIGHT = 100

POSTER_PATH = re.compile(r"/[A-Za-z0-9]{8,64}\.(jpg|png|webp)")
"""A film's `poster_path`; the only shape that becomes the name of a file or part of an address."""

SCENES: Mapping[str, tuple[str, ...]] = {
    "28": ("action", "action-2"),
    "12": ("adventure", "adventure-2", "adventure-3"),
    "16": ("animation", "animation-2", "animation-3"),
    "35": ("comedy", "comedy-2", "comedy-3"),
    "80": ("crime",),
    "99": ("documentary",),
    "18": ("drama", "drama-2", "drama-3"),
    "10751": ("family", "family-2", "family-3"),
    "14": ("fantasy", "fantasy-2"),
    "36": ("history",),
    "27": ("horror", "horror-2"),
    "10402": ("music",),
    "9648": ("mystery",),
    "10749": ("romance", "romance-2"),
    "878": ("scifi", "scifi-2"),
    "53": ("thriller", "thriller-2"),
    "10752": ("war",),
    "37": ("western",),
}
"""What is drawn, by genre; common ones have several scenes."""
ANY_SCENE = ("cinema", *SCENES["12"], *SCENES["18"], *SCENES["10751"])
"""What suits a film of which no more than the title is known."""
SHADES = range(8)
"""How many shades the colours of a genre have."""
LAYOUTS = range(3)


class Posters:
    """Pictures by the `poster_path` of a film."""

    def __init__(self, folder: Path, fetcher: Fetcher | None, address: str = ADDRESS) -> None:
        self._cache = PictureCache(folder)
        self._fetcher = fetcher
        self._address = address
        self._circuit_breaker = CircuitBreaker()
        self._at_once = asyncio.Semaphore(AT_ONCE)
        self._single_flight: SingleFlight[bytes | None] = SingleFlight(MOST_IN_FLIGHT)

    @classmethod
    def of(cls, settings: Settings, fetcher: Fetcher) -> Posters:
        """From TMDB; only those that were kept where there is no key."""
        return cls(settings.data / "posters", fetcher if settings.tmdb_key else None)

    async def poster(self, path: str) -> bytes | None:
        """A poster; None where there is none to be had, and the page draws one."""
        if not POSTER_PATH.fullmatch(path):
            return None
        kept = await asyncio.to_thread(self._cache.get, path[1:])
        if kept is not None or self._fetcher is None:
            return kept
        try:
            return await self._single_flight.run(path, partial(self._fetch, self._fetcher, path))
        except OutgoingError:
            return None

    async def close(self) -> None:
        """Gives up what is being fetched."""
        await self._single_flight.close()

    async def _fetch(self, fetcher: Fetcher, path: str) -> bytes | None:
        async with self._at_once:
            if not self._circuit_breaker.allows():
                return None
            try:
                response = await fetcher.get(f"{self._address}{path}", limits=LIMITS)
            except (Unreachable, TookTooLong):
                self._circuit_breaker.failed()
                raise
        if response.status >= 500:
            self._circuit_breaker.failed()
            return None
        self._circuit_breaker.succeeded()
        if response.status != 200 or picture_type(response.body) is None:
            return None
        await asyncio.to_thread(self._cache.put, path[1:], response.body)
        return response.body


class Drawing(Struct, frozen=True):
    """A drawn poster, in the words of the style sheet."""

    title: str
    scene: str
    shade: int
    layout: int
    colour: str
    """The genre whose colours it has."""
    lettering: str
    """How large the title can be drawn."""


@lru_cache(maxsize=1024)
def drawing_of(title: str) -> Drawing:
    """A film's drawing: it goes by the title alone, which every place that shows a film knows."""
    known = _drawings_of_known_films().get(_key(title))
    scene, shade, layout = known or next(_candidates(_key(title), ANY_SCENE))
    return Drawing(title, scene, shade, layout, scene.partition("-")[0], _lettering(title))


def _lettering(title: str) -> str:
    """No word is broken, and all of the title is there."""
    longest, length = max(map(len, title.split()), default=0), len(title)
    if longest <= 7 and length <= 14:
        return "large"
    if longest <= 10 and length <= 26:
        return "middle"
    return "small" if longest <= 13 and length <= 48 else "tiny"


@cache
def _drawings_of_known_films() -> Mapping[str, tuple[str, int, int]]:
    """The drawings of the films that people know: of their genres, and no two the same."""
    taken: dict[tuple[str, int, int], str] = {}
    for film in known_films():
        key = _key(film.title)
        scenes = [scene for genre in film.genres for scene in SCENES.get(genre, ())]
        for drawing in chain(_candidates(key, scenes), _candidates(key, ANY_SCENE)):
            if taken.setdefault(drawing, key) == key:
                break
    return {key: drawing for drawing, key in taken.items()}


def _candidates(key: str, scenes: Sequence[str]) -> Iterator[tuple[str, int, int]]:
    """What could be drawn for a film, always in the same order: all scenes in one look first."""
    number = crc32(key.encode())
    for shade, layout in _from(number // 31, [*product(SHADES, LAYOUTS)]):
        for scene in _from(number, [*dict.fromkeys(scenes)]):
            yield scene, shade, layout


def _from(number: int, some: list[T]) -> list[T]:
    """A row that begins elsewhere, and goes round."""
    start = number % len(some) if some else 0
    return some[start:] + some[:start]


def _key(title: str) -> str:
    return "".join(filter(str.isalnum, title.casefold()))
