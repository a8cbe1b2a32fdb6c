"""Answers to questions: from the cache, or else from TMDB; each is asked once at a time."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import Any, TypeVar

from msgspec import Struct

from commonroom.catalog.tmdb.cache import Cache, Kept
from commonroom.catalog.tmdb.client import Client
from commonroom.catalog.tmdb.errors import NoAnswer
from commonroom.catalog.tmdb.questions import Question
from commonroom.outgoing.errors import OutgoingError
from commonroom.outgoing.single_flight import SingleFlight

A = TypeVar("A", bound=Struct)

AT_ONCE = 8
MOST_IN_FLIGHT = 300


class Answers:
    """Who asks what is being asked already waits for the same answer."""

    def __init__(self, client: Client, cache: Cache) -> None:
        self._client = client
        self._cache = cache
        self._at_once = asyncio.Semaphore(AT_ONCE)
        self._single_flight: SingleFlight[Kept[Any]] = SingleFlight(MOST_IN_FLIGHT)

    async def ask(self, question: Question[A]) -> Kept[A]:
        """An answer; who stops waiting leaves it to the others, and to the cache."""
        try:
            return await self._single_flight.run(question.key, partial(self._found, question))
        except OutgoingError as error:
            raise NoAnswer(error.detail) from None

    async def close(self) -> None:
        """Gives up what is under way."""
        await self._single_flight.close()

    async def _found(self, question: Question[A]) -> Kept[A]:
        kept = await self._cache.find(question)
        if kept is not None:
            return kept
        async with self._at_once:
            answer = await self._client.ask(question)
        return await self._cache.keep(question, answer)
