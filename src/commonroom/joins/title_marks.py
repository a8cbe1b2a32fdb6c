"""Marks of titles: what rooms know of films and shows that were found, in a few words."""

from __future__ import annotations

import asyncio
import logging
from collections import defaultdict
from collections.abc import Callable, Coroutine, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

from msgspec import Struct

from commonroom.errors import CommonroomError
from commonroom.joins.rooms import open_offers
from commonroom.titles.titles import TitleFacts, TitleId

if TYPE_CHECKING:
    from commonroom.http.request import Request

logger = logging.getLogger(__name__)

SECONDS = 5.0
"""How long one room may take: the others are shown then."""


class TitleMark(Struct, frozen=True):
    """What a room knows of a title, such as “On your shelf”."""

    text: str
    icon: str
    topic: str = ""
    """What it is about, where several rooms may know it: of one topic, the first is shown."""


Marks: TypeAlias = Mapping[TitleId, Sequence[TitleMark]]


class TitleMarkSource(Struct, frozen=True):
    """A room that knows something of films and shows."""

    load: Callable[[Request, Sequence[TitleFacts]], Coroutine[Any, Any, Marks]]
    """Returns what the caller may know of these titles.

    For all of them at once: it states its requests, which do not grow with titles or with what is
    kept of them.
    """


async def load_title_marks(
    request: Request, titles: Sequence[TitleFacts]
) -> dict[TitleId, list[TitleMark]]:
    """Returns what these rooms know, in their order; nothing of one that cannot say it."""
    sources = open_offers(request, TitleMarkSource)
    marks: defaultdict[TitleId, list[TitleMark]] = defaultdict(list)
    for found in await asyncio.gather(*(_load(request, one, titles) for one in sources)):
        for title, some in found.items():
            known = {one.topic for one in marks[title] if one.topic}
            marks[title] += [one for one in some if one.topic not in known]
    return marks


async def _load(request: Request, source: TitleMarkSource, titles: Sequence[TitleFacts]) -> Marks:
    try:
        async with asyncio.timeout(SECONDS):
            return await source.load(request, titles)
    except (CommonroomError, TimeoutError) as error:
        logger.warning("Titles' marks could not be read: %s", type(error).__name__)
        return {}
