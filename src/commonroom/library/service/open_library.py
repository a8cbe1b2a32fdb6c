"""Books from Open Library: what it is asked, and its answers; what they lack is forgiven."""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import Coroutine
from functools import partial
from typing import Any, TypeVar

import msgspec
from msgspec import Struct

from commonroom.library.service.lookup import MAX_SECONDS, BookOffer, LookupResult, book_offer
from commonroom.outgoing.caches import SingleFlight, TtlCache
from commonroom.outgoing.circuit_breaker import CircuitBreaker
from commonroom.outgoing.fetcher import Fetcher, FetchLimits, OutgoingError
from commonroom.rate_limits import Rate, RateLimiter

logger = logging.getLogger(__name__)

T = TypeVar("T")

LIMITS = FetchLimits(
    seconds=5.0,
    connect_seconds=3.0,
    largest=1_000_000,
    types=frozenset({"application/json", "text/javascript", "application/javascript"}),
)
REDIRECTS = 2
"""From an ISBN to its edition, and from there to the one that it was merged with."""
RATE = Rate(burst=6, per_minute=3 * 60)
MAX_IN_FLIGHT = 20
MAX_KEPT = 500
KEPT_SECONDS = 3600.0
USUAL_REST = 60.0
TOO_MANY = 429
WORK = re.compile(r"/works/OL[0-9]{1,12}W")
COVERS = "https://covers.openlibrary.org/b/id"


class OpenLibraryUnavailable(Exception):
    """Open Library gives no answer that could be used; this never leaves the package."""


class InvalidAnswer(Exception):
    """It is not what Open Library would say; this never leaves the package."""


class BookFacts(Struct, frozen=True):
    """What was found out of a book, and whether everything that was asked was answered."""

    data: Data | None
    edition: Edition | None
    summary: str | None
    complete: bool


class OpenLibrary:
    """Open Library, asked three things for a book: its facts, its edition, and that one's work."""

    is_on = True

    def __init__(
        self,
        fetcher: Fetcher,
        address: str,
        *,
        circuit_breaker: CircuitBreaker | None = None,
        seconds: float = MAX_SECONDS,
    ) -> None:
        self._fetcher = fetcher
        self._address = address
        self._circuit_breaker = circuit_breaker or CircuitBreaker()
        self._seconds = seconds
        self._rate_limiter = RateLimiter(RATE)
        self._kept: TtlCache[LookupResult[BookOffer]] = TtlCache(MAX_KEPT)
        self._single_flight: SingleFlight[LookupResult[BookOffer]] = SingleFlight(MAX_IN_FLIGHT)

    async def book(self, isbn: str) -> LookupResult[BookOffer]:
        """Returns the book with an ISBN; concurrent lookups of one ISBN share a request."""
        kept = self._kept.get(isbn)
        if kept is not None:
            return kept
        try:
            return await self._single_flight.run(isbn, partial(self._look_up, isbn))
        except OutgoingError:  # so much is being asked that no more is begun
            return LookupResult([], ["open_library"])

    async def close(self) -> None:
        """Cancels the running lookups."""
        await self._single_flight.close()

    async def _look_up(self, isbn: str) -> LookupResult[BookOffer]:
        told = await self._facts(isbn)
        offer = _offer(isbn, told)
        found = LookupResult(
            [] if offer is None else [offer], [] if told.complete else ["open_library"]
        )
        if told.complete:
            self._kept.put(isbn, found, KEPT_SECONDS)
        return found

    async def _facts(self, isbn: str) -> BookFacts:
        until = asyncio.get_running_loop().time() + self._seconds
        data, edition = await asyncio.gather(
            _answer_or_trouble(self._data(isbn), until),
            _answer_or_trouble(self._edition(isbn), until),
        )
        summary: str | Exception | None = None
        if isinstance(edition, Edition):
            summary = text_of(edition.description)
            if summary is None:
                summary = await _answer_or_trouble(self._summary(edition), until)
        troubles = [one for one in (data, edition, summary) if isinstance(one, Exception)]
        if troubles:
            logger.info("Open Library does not answer as it should: %s", troubles[0])
        return BookFacts(
            data if isinstance(data, Data) else None,
            edition if isinstance(edition, Edition) else None,
            summary if isinstance(summary, str) else None,
            not troubles,
        )

    async def _data(self, isbn: str) -> Data | None:
        asked = f"api/books?bibkeys=ISBN:{isbn}&format=json&jscmd=data"
        return read_books(await self._fetch(asked) or b"{}")

    async def _edition(self, isbn: str) -> Edition | None:
        text = await self._fetch(f"isbn/{isbn}.json")
        return None if text is None else read(text, Edition)

    async def _summary(self, edition: Edition) -> str | None:
        work = edition.work
        if work is None or not WORK.fullmatch(work):
            return None
        text = await self._fetch(f"{work[1:]}.json")
        return None if text is None else text_of(read(text, Work).description)

    async def _fetch(self, what: str) -> bytes | None:
        """Returns an answer; None where Open Library says that there is nothing."""
        if not self._circuit_breaker.allows():
            raise OpenLibraryUnavailable("It is being left alone for a while.")
        await asyncio.sleep(self._rate_limiter.reserve())
        try:
            answer = await self._fetcher.get(
                f"{self._address}/{what}",
                headers={"Accept": "application/json"},
                limits=LIMITS,
                redirects=REDIRECTS,
            )
        except OutgoingError as error:
            self._circuit_breaker.failed()
            raise OpenLibraryUnavailable(error.detail) from None
        if answer.status == TOO_MANY:
            self._circuit_breaker.open_for(USUAL_REST)
            raise OpenLibraryUnavailable("It wants to be left alone for a while.")
        if answer.status >= 500:
            self._circuit_breaker.failed()
            raise OpenLibraryUnavailable(f"It answers with status {answer.status}.")
        self._circuit_breaker.succeeded()
        return answer.body if answer.status == 200 else None


async def _answer_or_trouble(asking: Coroutine[Any, Any, T], until: float) -> T | Exception:
    """Returns what comes of it by a moment of the event loop's clock, or why nothing does."""
    try:
        async with asyncio.timeout_at(until):
            return await asking
    except TimeoutError:
        return OpenLibraryUnavailable("It takes too long.")
    except InvalidAnswer:
        return OpenLibraryUnavailable("It answers something that makes no sense.")
    except OpenLibraryUnavailable as error:
        return error


def _offer(isbn: str, told: BookFacts) -> BookOffer | None:
    """Returns all that is known: what one answer lacks may be in the other."""
    parts = [one for one in (told.data, told.edition) if one is not None]
    return book_offer(
        isbn,
        title=next((one.full_title for one in parts if one.full_title), None),
        authors=[] if told.data is None else told.data.names,
        summary=told.summary,
        picture_url=next((one.picture for one in parts if one.picture), None),
    )


class AuthorName(Struct):
    """An author, as far as a list of them tells."""

    name: Any = None


class CoverLinks(Struct):
    """Where covers are."""

    large: Any = None
    medium: Any = None


class TitledBook(Struct):
    """A book in any answer: what it is called."""

    title: Any = None
    subtitle: Any = None

    @property
    def full_title(self) -> str | None:
        """The title, and what stands below it."""
        told = (self.title, self.subtitle)
        parts = [one.strip() for one in told if isinstance(one, str) and one.strip()]
        return ": ".join(parts) if isinstance(self.title, str) and parts else None


class Data(TitledBook):
    """A book in the answer of `/api/books`, which gathers edition, work and authors."""

    authors: list[AuthorName] = []
    cover: CoverLinks | None = None

    @property
    def names(self) -> list[str]:
        """Who wrote it."""
        return [one.name for one in self.authors if isinstance(one.name, str)]

    @property
    def picture(self) -> str | None:
        """The largest cover."""
        told = (self.cover.large, self.cover.medium) if self.cover is not None else ()
        return next((one for one in told if isinstance(one, str) and "/id/-" not in one), None)


class Key(Struct):
    """What leads to something else."""

    key: Any = None


class Edition(TitledBook):
    """A book as `/isbn/….json` has it: authors and work only by their keys."""

    description: Any = None
    covers: Any = None
    works: list[Key] = []

    @property
    def picture(self) -> str | None:
        """A cover; Open Library marks those that were taken away with -1."""
        ids = self.covers if isinstance(self.covers, list) else []
        known = (one for one in ids if isinstance(one, int) and one > 0)
        return next((f"{COVERS}/{one}-L.jpg" for one in known), None)

    @property
    def work(self) -> str | None:
        """Where its work is."""
        told = (one.key for one in self.works)
        return next((one for one in told if isinstance(one, str)), None)


class Work(Struct):
    """A work, of which there may be many editions."""

    description: Any = None


def read(text: bytes, shape: type[T]) -> T:
    """Returns an answer; refused where it is something else."""
    try:
        return msgspec.json.decode(text, type=shape)
    # Nested too deeply; not UTF-8; not JSON, or of another shape.
    except (RecursionError, UnicodeDecodeError, msgspec.MsgspecError):
        raise InvalidAnswer from None


def read_books(text: bytes) -> Data | None:
    """Returns the one book of an answer of `/api/books`; None where it is not known."""
    return next(iter(read(text, dict[str, Data]).values()), None)


def text_of(told: Any) -> str | None:
    """Returns a description, which is a text or has one in it."""
    text = told.get("value") if isinstance(told, dict) else told
    return text if isinstance(text, str) else None
