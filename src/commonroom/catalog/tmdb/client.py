"""The TMDB client, which leaves TMDB alone when it is in trouble or wants to be."""

from __future__ import annotations

import asyncio
from typing import TypeVar

from msgspec import Struct

from commonroom.catalog.tmdb.errors import Failed, NoAnswer, NotThere, Resting, TokenRefused
from commonroom.catalog.tmdb.requests import Request
from commonroom.outgoing.circuit_breaker import CircuitBreaker
from commonroom.outgoing.errors import OutgoingError
from commonroom.outgoing.fetcher import Fetcher, Limits, Response
from commonroom.rate_limits import Rate, RateLimiter

R = TypeVar("R", bound=Struct)

LIMITS = Limits(
    seconds=3.0,
    connect_seconds=2.0,
    largest=4_000_000,
    types=frozenset({"application/json"}),
)
RATE = Rate(burst=10, per_minute=30 * 60)
"""Together no more than the forty in a second from which on TMDB may refuse."""
USUAL_PAUSE = 10
LONGEST_PAUSE = 600


class Client:
    """TMDB itself."""

    def __init__(
        self,
        fetcher: Fetcher,
        address: str,
        key: str,
        *,
        limits: Limits = LIMITS,
        circuit_breaker: CircuitBreaker | None = None,
    ) -> None:
        self._fetcher = fetcher
        self._address = address
        self._headers = {"Authorization": f"Bearer {key}", "Accept": "application/json"}
        self._limits = limits
        self._circuit_breaker = circuit_breaker or CircuitBreaker()
        self._rate_limiter = RateLimiter(RATE)

    async def send(self, request: Request[R]) -> R:
        """Sends a request, unless TMDB is being left alone."""
        if not self._circuit_breaker.allows():
            raise Resting("TMDB is paused for a while after errors.")
        await asyncio.sleep(self._rate_limiter.reserve())
        try:
            response = await self._fetcher.get(
                f"{self._address}/{request.target}", headers=self._headers, limits=self._limits
            )
            found = self._read(request, response)
        except (OutgoingError, Failed) as error:
            self._circuit_breaker.failed()
            raise Failed(error.detail) from None
        self._circuit_breaker.succeeded()
        return found

    def _read(self, request: Request[R], response: Response) -> R:
        match response.status:
            case 200:
                return request.read(response.body)
            case 401 | 403:
                self._circuit_breaker.open_for(LONGEST_PAUSE)
                raise TokenRefused("TMDB refuses the access token of COMMONROOM_TMDB_KEY.")
            case 429:
                seconds = _retry_after(response)
                self._circuit_breaker.open_for(seconds)
                raise NoAnswer(f"TMDB asks to wait {seconds} seconds.")
            case status if status >= 500:
                raise Failed(f"TMDB responds with status {status}.")
        self._circuit_breaker.succeeded()
        raise NotThere("TMDB does not know this film.")


def _retry_after(response: Response) -> int:
    """How long TMDB wants to be left alone; not for longer than is bearable."""
    given = response.headers.get("retry-after", "").strip()
    is_number = given.isascii() and given.isdigit() and len(given) < 10
    return min(max(int(given) if is_number else USUAL_PAUSE, 1), LONGEST_PAUSE)
