"""What can be wrong with a request before any room looks at it."""

from __future__ import annotations

from typing import ClassVar

from commonroom.errors import Conflict, Refusal, ServiceUnavailable, UnsupportedMediaType


class NotJson(UnsupportedMediaType):
    """The body is said to be something else than JSON."""

    title = "Expected JSON"


class ClientDisconnected(Refusal):
    """Whoever sent the request went away before it was whole; nobody reads this answer."""

    status: ClassVar[int] = 499
    title = "Connection lost"


class RequestInProgress(Conflict):
    """The same request is being worked on, or was done where its answer cannot be given again."""

    title = "Duplicate request"

    def __init__(self, detail: str, retry_after: int | None = None) -> None:
        super().__init__(detail)
        self.retry_after = retry_after


class IdempotencyKeyReused(Refusal):
    """An idempotency key came a second time, with another request."""

    status: ClassVar[int] = 422
    title = "Idempotency key already used"


class RequestTimeout(Refusal):
    """The rest of a request did not come in time."""

    status: ClassVar[int] = 408
    title = "Request timed out"

    def __init__(self) -> None:
        super().__init__("The request took too long to arrive. Please try again.")


class TooManyRequests(Refusal):
    """One address or one account has as much under way as it may."""

    status: ClassVar[int] = 429
    title = "Too many requests at once"
    retry_after = 30

    def __init__(self) -> None:
        super().__init__(
            "You have too many requests open at the same time. Please try again in a moment."
        )


class Overloaded(ServiceUnavailable):
    """The process has as much under way as it can."""

    title = "Commonroom is busy"
    retry_after = 30

    def __init__(self) -> None:
        super().__init__("Commonroom is very busy right now. Please try again in a moment.")
