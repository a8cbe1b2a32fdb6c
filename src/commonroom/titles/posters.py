"""Posters: fetched once from TMDB and kept, or drawn, so that no page loads any elsewhere."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, lru_cache, partial
from itertools import chain, product
from pathlib import Path
from typing import TypeAlias, TypeVar
from zlib import crc32

from msgspec import Struct

from commonroom.outgoing.caches import PICTURE_TYPES, PictureCache, SingleFlight, picture_type
from commonroom.outgoing.circuit_breaker import CircuitBreaker
from commonroom.outgoing.fetcher import (
    Fetcher,
    FetchLimits,
    OutgoingError,
    TookTooLong,
    Unreachable,
)
from commonroom.settings import Settings
from commonroom.titles.builtin import known_films, known_shows
from commonroom.titles.titles import ContentType

T = TypeVar("T")
ADDRESS = "https://image.tmdb.org/t/p/w342"
LIMITS = FetchLimits(seconds=5.0, largest=500_000, types=PICTURE_TYPES)
BATCH = 4
MAX_IN_FLIGHT = 100

ADDRESSES = "/posters"
POSTER_PATH = re.compile(r"/[A-Za-z0-9]{8,64}\.(jpg|png|webp)")
"""A title's `poster_path`; the only shape that becomes the name of a file or part of an address."""

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
"""What suits a title of which no more than that is known."""
SHADES = range(8)
"""How many shades the colours of a genre have."""
LAYOUTS: Mapping[ContentType, range] = {"MOVIE": range(3), "SHOW": range(3, 6)}
"""How the title is set: a show looks like one, whatever its genre."""

DrawingKey: TypeAlias = tuple[str, int, int]
"""A scene, a shade and a layout."""


class Posters:
    """Pictures by the `poster_path` of a title."""

    def __init__(self, folder: Path, fetcher: Fetcher | None, address: str = ADDRESS) -> None:
        self._cache = PictureCache(folder)
        self._fetcher = fetcher
        self._address = address
        self._circuit_breaker = CircuitBreaker()
        self._at_once = asyncio.Semaphore(BATCH)
        self._single_flight: SingleFlight[bytes | None] = SingleFlight(MAX_IN_FLIGHT)

    @classmethod
    def of(cls, settings: Settings, fetcher: Fetcher) -> Posters:
        """From TMDB; only those that were kept where there is no key."""
        return cls(settings.data / "posters", fetcher if settings.tmdb_key else None)

    async def kept(self, path: str) -> bytes | None:
        """Returns a poster that is on this machine; nobody is asked for it."""
        if not POSTER_PATH.fullmatch(path):
            return None
        return await asyncio.to_thread(self._cache.get, path[1:])

    async def poster(self, path: str) -> bytes | None:
        """Returns a poster; None where there is none to be had, and the page draws one."""
        kept = await self.kept(path)
        if kept is not None or self._fetcher is None or not POSTER_PATH.fullmatch(path):
            return kept
        try:
            return await self._single_flight.run(path, partial(self._fetch, self._fetcher, path))
        except OutgoingError:
            return None

    async def close(self) -> None:
        """Stops what is being fetched."""
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


def poster_address(path: str | None) -> str | None:
    """Where a poster is, by TMDB's path or by the address that is stored; None for what is none."""
    name = (path or "").removeprefix(ADDRESSES)
    return f"{ADDRESSES}{name}" if POSTER_PATH.fullmatch(name) else None


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
    classes: str
    """Colour, shade and layout as one: a page may draw hundreds."""


@lru_cache(maxsize=1024)
def drawing_of(title: str, content_type: ContentType = "MOVIE") -> Drawing:
    """Returns a title's drawing: it goes by what every place that shows one knows of it."""
    key = _key(title)
    known = _drawings_of_known_titles().get((content_type, key))
    scene, shade, layout = known or next(_candidates(key, ANY_SCENE, content_type))
    colour = scene.partition("-")[0]
    classes = f"poster-{colour} shade-{shade} layout-{layout}"
    return Drawing(title, scene, shade, layout, colour, _lettering(title), classes)


def _lettering(title: str) -> str:
    """No word is broken, and all of the title is there."""
    longest, length = max(map(len, title.split()), default=0), len(title)
    if longest <= 7 and length <= 14:
        return "large"
    if longest <= 10 and length <= 26:
        return "middle"
    return "small" if longest <= 13 and length <= 48 else "tiny"


@cache
def _drawings_of_known_titles() -> Mapping[tuple[ContentType, str], DrawingKey]:
    """Returns the drawings of titles that people know: of their genres, and no two the same."""
    drawn: dict[tuple[ContentType, str], DrawingKey] = {}
    taken: set[DrawingKey] = set()
    for one in (*known_films(), *known_shows()):
        key, kind = _key(one.title), one.content_type
        if (kind, key) in drawn:
            continue
        scenes = [scene for genre in one.genres for scene in SCENES.get(genre, ())]
        looks = chain(_candidates(key, scenes, kind), _candidates(key, ANY_SCENE, kind))
        look = next((look for look in looks if look not in taken), None)
        if look is not None:
            drawn[kind, key] = look
            taken.add(look)
    return drawn


def _candidates(key: str, scenes: Sequence[str], content_type: ContentType) -> Iterator[DrawingKey]:
    """What could be drawn for a title, always in the same order: all scenes in one look first."""
    number = crc32(key.encode())
    for shade, layout in _from(number // 31, [*product(SHADES, LAYOUTS[content_type])]):
        for scene in _from(number, [*dict.fromkeys(scenes)]):
            yield scene, shade, layout


def _from(number: int, some: list[T]) -> list[T]:
    """Returns a row that begins elsewhere, and goes round."""
    start = number % len(some) if some else 0
    return some[start:] + some[:start]


def _key(title: str) -> str:
    return "".join(filter(str.isalnum, title.casefold()))
