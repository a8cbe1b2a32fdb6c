"""What can be wrong with a request before any room looks at it."""

from __future__ import annotations

from typing import ClassVar

from commonroom.errors import CommonroomError


class RequestError(CommonroomError):
    """The base of the errors about the request itself."""

    status: ClassVar[int] = 400
    title = "Not understood"


class Malformed(RequestError):
    """Something is not as it is documented: not JSON, a field too many, of another type."""


class Impossible(RequestError):
    """Understood, and beyond what is possible: too long, too many, none of those to choose from."""

    status: ClassVar[int] = 422
    title = "Please look at this again"


class NotJson(RequestError):
    """The body is said to be something else than JSON."""

    status: ClassVar[int] = 415
    title = "This is not JSON"


class NotTaken(RequestError):
    """The body is said to be a file of another kind than is taken."""

    status: ClassVar[int] = 415
    title = "Not a file of this kind"


class ClientGone(RequestError):
    """Whoever sent the request went away before it was whole; nobody reads this answer."""

    status: ClassVar[int] = 499
    title = "The request broke off"


class ChangedMeanwhile(RequestError):
    """The thing is no longer as it was when the caller looked."""

    status: ClassVar[int] = 412
    title = "It has changed meanwhile"


class UnderWay(RequestError):
    """The same request is being worked on, or was done where its answer cannot be given again."""

    status: ClassVar[int] = 409
    title = "This was asked before"

    def __init__(self, detail: str, retry_after: int | None = None) -> None:
        super().__init__(detail)
        self.retry_after = retry_after


class KeyTaken(RequestError):
    """An idempotency key came a second time, with another request."""

    status: ClassVar[int] = 422
    title = "This key was used for something else"


class TooSlow(RequestError):
    """The rest of a request did not come in time."""

    status: ClassVar[int] = 408
    title = "This took too long to arrive"

    def __init__(self) -> None:
        super().__init__("The rest of this request did not arrive in time. Please send it again.")


class TooManyAtOnce(RequestError):
    """One address or one account has as much under way as it may."""

    status: ClassVar[int] = 429
    title = "Too many at once"
    retry_after = 30

    def __init__(self) -> None:
        super().__init__("Too much is open from here at the same time. Please try again soon.")


class TooBusy(RequestError):
    """The process has as much under way as it can."""

    status: ClassVar[int] = 503
    title = "Too much is going on"
    retry_after = 30

    def __init__(self) -> None:
        super().__init__("Commonroom is very busy just now. Please try again soon.")
