"""What can be wrong with a request before any room looks at it."""

from __future__ import annotations

from typing import ClassVar

from commonroom.errors import Conflict, Refusal, ServiceUnavailable, UnsupportedMediaType


class NotJson(UnsupportedMediaType):
    """The body is said to be something else than JSON."""

    title = "This is not JSON"


class ClientDisconnected(Refusal):
    """Whoever sent the request went away before it was whole; nobody reads this answer."""

    status: ClassVar[int] = 499
    title = "The request broke off"


class RequestInProgress(Conflict):
    """The same request is being worked on, or was done where its answer cannot be given again."""

    title = "This was asked before"

    def __init__(self, detail: str, retry_after: int | None = None) -> None:
        super().__init__(detail)
        self.retry_after = retry_after


class IdempotencyKeyReused(Refusal):
    """An idempotency key came a second time, with another request."""

    status: ClassVar[int] = 422
    title = "This key was used for something else"


class RequestTimeout(Refusal):
    """The rest of a request did not come in time."""

    status: ClassVar[int] = 408
    title = "This took too long to arrive"

    def __init__(self) -> None:
        super().__init__("The rest of this request did not arrive in time. Please send it again.")


class TooManyRequests(Refusal):
    """One address or one account has as much under way as it may."""

    status: ClassVar[int] = 429
    title = "Too many at once"
    retry_after = 30

    def __init__(self) -> None:
        super().__init__("Too much is open from here at the same time. Please try again soon.")


class Overloaded(ServiceUnavailable):
    """The process has as much under way as it can."""

    title = "Too much is going on"
    retry_after = 30

    def __init__(self) -> None:
        super().__init__("Commonroom is very busy just now. Please try again soon.")
