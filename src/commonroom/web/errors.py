"""What can be wrong with a request before any room looks at it."""

from __future__ import annotations

from typing import ClassVar

from commonroom.errors import CommonroomError


class RequestError(CommonroomError):
    """The base of the errors about the request itself."""

    status: ClassVar[int] = 400
    title = "Invalid request"


class Malformed(RequestError):
    """Something is not as it is documented: not JSON, a field too many, of another type."""


class Impossible(RequestError):
    """Understood, and beyond what is possible: too long, too many, none of those to choose from."""

    status: ClassVar[int] = 422
    title = "Please check your entry"


class NotJson(RequestError):
    """The body is said to be something else than JSON."""

    status: ClassVar[int] = 415
    title = "Expected JSON"


class NotTaken(RequestError):
    """The body is said to be a file of another kind than is taken."""

    status: ClassVar[int] = 415
    title = "Unsupported file type"


class ClientGone(RequestError):
    """Whoever sent the request went away before it was whole; nobody reads this answer."""

    status: ClassVar[int] = 499
    title = "Connection lost"


class ChangedMeanwhile(RequestError):
    """The thing is no longer as it was when the caller looked."""

    status: ClassVar[int] = 412
    title = "This has changed in the meantime"


class UnderWay(RequestError):
    """The same request is being worked on, or was done where its answer cannot be given again."""

    status: ClassVar[int] = 409
    title = "Duplicate request"

    def __init__(self, detail: str, retry_after: int | None = None) -> None:
        super().__init__(detail)
        self.retry_after = retry_after


class KeyTaken(RequestError):
    """An idempotency key came a second time, with another request."""

    status: ClassVar[int] = 422
    title = "Idempotency key already used"


class TooSlow(RequestError):
    """The rest of a request did not come in time."""

    status: ClassVar[int] = 408
    title = "Request timed out"

    def __init__(self) -> None:
        super().__init__("The request took too long to arrive. Please try again.")


class TooManyAtOnce(RequestError):
    """One address or one account has as much under way as it may."""

    status: ClassVar[int] = 429
    title = "Too many requests at once"
    retry_after = 30

    def __init__(self) -> None:
        super().__init__(
            "You have too many requests open at the same time. Please try again in a moment."
        )


class TooBusy(RequestError):
    """The process has as much under way as it can."""

    status: ClassVar[int] = 503
    title = "Commonroom is busy"
    retry_after = 30

    def __init__(self) -> None:
        super().__init__("Commonroom is very busy right now. Please try again in a moment.")
