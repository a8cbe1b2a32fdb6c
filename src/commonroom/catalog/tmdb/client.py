"""Asking TMDB, and leaving it alone when it is in trouble or wants to be."""

from __future__ import annotations

import asyncio
from typing import TypeVar

from msgspec import Struct

from commonroom.catalog.tmdb.errors import Failed, NoAnswer, NotThere, Resting, TokenRefused
from commonroom.catalog.tmdb.questions import Question
from commonroom.outgoing.answers import Answer, Limits
from commonroom.outgoing.breathers import Breather
from commonroom.outgoing.errors import OutgoingError
from commonroom.outgoing.fetching import Fetcher
from commonroom.outgoing.pacing import Pace

A = TypeVar("A", bound=Struct)

LIMITS = Limits(
    seconds=3.0,
    connect_seconds=2.0,
    largest=4_000_000,
    types=frozenset({"application/json"}),
)
PER_SECOND, AT_ONCE = 30, 10
"""Together no more than the forty in a second from which on TMDB may refuse."""
USUAL_REST = 10
LONGEST_REST = 600


class Client:
    """TMDB itself."""

    def __init__(
        self,
        fetcher: Fetcher,
        address: str,
        key: str,
        *,
        limits: Limits = LIMITS,
        breather: Breather | None = None,
    ) -> None:
        self._fetcher = fetcher
        self._address = address
        self._headers = {"Authorization": f"Bearer {key}", "Accept": "application/json"}
        self._limits = limits
        self._breather = breather or Breather()
        self._pace = Pace(PER_SECOND, AT_ONCE)

    async def ask(self, question: Question[A]) -> A:
        """Asks a question, unless TMDB is being left alone."""
        if not self._breather.may_ask():
            raise Resting("TMDB is paused for a while after errors.")
        await asyncio.sleep(self._pace.turn())
        try:
            answer = await self._fetcher.get(
                f"{self._address}/{question.asked}", headers=self._headers, limits=self._limits
            )
            found = self._read(question, answer)
        except (OutgoingError, Failed) as error:
            self._breather.failed()
            raise Failed(error.detail) from None
        self._breather.answered()
        return found

    def _read(self, question: Question[A], answer: Answer) -> A:
        match answer.status:
            case 200:
                return question.read(answer.body)
            case 401 | 403:
                self._breather.rest(LONGEST_REST)
                raise TokenRefused("TMDB refuses the access token of COMMONROOM_TMDB_KEY.")
            case 429:
                seconds = _wished(answer)
                self._breather.rest(seconds)
                raise NoAnswer(f"TMDB asks to wait {seconds} seconds.")
            case status if status >= 500:
                raise Failed(f"TMDB responds with status {status}.")
        self._breather.answered()
        raise NotThere("TMDB does not know this film.")


def _wished(answer: Answer) -> int:
    """How long TMDB wants to be left alone; not for longer than is bearable."""
    told = answer.headers.get("retry-after", "").strip()
    seconds = int(told) if told.isascii() and told.isdigit() and len(told) < 10 else USUAL_REST
    return min(max(seconds, 1), LONGEST_REST)
