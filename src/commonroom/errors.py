"""Errors as one family: each knows its HTTP status and says a sentence that a person can read."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, ClassVar, ParamSpec, TypeVar, cast

P = ParamSpec("P")
T = TypeVar("T")


class CommonroomError(Exception):
    """The base of every error that Commonroom raises on purpose."""

    status: ClassVar[int] = 500
    title: ClassVar[str] = "Something went wrong"
    sentence: ClassVar[str] = ""
    """What is said where nothing else is."""
    retry_after: int | None = None
    """After how many seconds the same request may succeed, where waiting helps."""

    def __init__(self, detail: str = "", **extensions: Any) -> None:
        self.detail = detail or self.sentence
        super().__init__(self.detail)
        self.extensions = extensions
        """Further members of the problem document, such as the field at fault."""


class Refusal(CommonroomError):
    """The base of errors that the caller can do something about; nothing was changed."""

    status: ClassVar[int] = 400


class BadRequest(Refusal):
    """The request is not as it is documented: not JSON, a field too many, of another type."""

    title = "Invalid request"


class Unauthorized(Refusal):
    """The request does not say who asks, or nobody known."""

    status: ClassVar[int] = 401
    title = "Please sign in"


class Forbidden(Refusal):
    """The caller is known, and may not do this."""

    status: ClassVar[int] = 403
    title = "Not allowed"


class NotFound(Refusal):
    """There is no such thing for the caller; they are not told whether it is another person's."""

    status: ClassVar[int] = 404
    title = "Not found"


class NoSuchPage(NotFound):
    """Nothing is at an address, for any caller."""

    def __init__(self) -> None:
        super().__init__("This page does not exist.")


class MethodNotAllowed(Refusal):
    """Something is at an address, and cannot be asked for like that."""

    status: ClassVar[int] = 405
    title = "Method not allowed"

    def __init__(self, allowed: str) -> None:
        super().__init__("Method Not Allowed")
        self.allowed = allowed
        """The methods that there are, as a header names them."""


class MissingPrerequisite(NotFound):
    """What a page is about has to be made first; browsers are shown the page that makes it."""

    title = "Something is missing"

    def __init__(self, detail: str, *, page: str, link: str, flash: str | None = None) -> None:
        super().__init__(detail)
        self.page = page
        self.link = link
        """What leads there, for a button."""
        self.flash = flash
        """The key of what is said there, where browsers go there at once."""


class Conflict(Refusal):
    """The current state does not allow this; another request may just have been quicker."""

    status: ClassVar[int] = 409
    title = "This does not work right now"


class NeedsConfirmation(Conflict):
    """It can be done, once the caller has seen what it takes along."""

    title = "Are you sure?"


class Gone(Refusal):
    """It was there, and is no longer: used, revoked, or run out."""

    status: ClassVar[int] = 410
    title = "No longer there"


class PreconditionFailed(Refusal):
    """The thing is no longer as it was when the caller looked."""

    status: ClassVar[int] = 412
    title = "This has changed in the meantime"


class BodyTooLarge(Refusal):
    """The body is larger than what is asked for takes."""

    status: ClassVar[int] = 413
    title = "Request entity too large"

    def __init__(self) -> None:
        super().__init__("Request Entity Too Large")


class UnsupportedMediaType(Refusal):
    """The body is said to be something else than what is taken."""

    status: ClassVar[int] = 415
    title = "Unsupported file type"


class InvalidField(Refusal):
    """A field was understood and cannot be taken; it is named."""

    status: ClassVar[int] = 422
    title = "Please check your entry"

    def __init__(self, field: str | None, detail: str = "") -> None:
        super().__init__(detail, **({} if field is None else {"field": field}))
        self.field = field


class InvalidFields(Refusal):
    """Several fields cannot be taken; each says what is wrong with it."""

    status: ClassVar[int] = 422
    title = InvalidField.title

    def __init__(self, errors: Sequence[InvalidField]) -> None:
        self.by_field: dict[str, str] = {}
        for error in errors:
            self.by_field.setdefault(error.field or "", error.detail)
        first = errors[0]
        others = [{"field": name, "message": text} for name, text in self.by_field.items()]
        super().__init__(first.detail, field=first.field, errors=others)


class FieldErrors:
    """Collects what is wrong with the fields of a form, so that all of it is said at once.

    errors = FieldErrors()
    title = errors.check(clean_title, typed.title)
    pages = errors.check(check_pages, typed.pages)
    errors.raise_if_any()
    """

    def __init__(self) -> None:
        self._found: list[InvalidField] = []

    def check(self, rule: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Returns what a rule gives; nothing that is ever used where it refuses a field."""
        try:
            return rule(*args, **kwargs)
        except InvalidField as error:
            self._found.append(error)
            return cast("T", None)

    def raise_if_any(self) -> None:
        """Refuses where any rule did."""
        if len(self._found) == 1:
            raise self._found[0]
        if self._found:
            raise InvalidFields(self._found)


class RateLimited(Refusal):
    """The caller tries too often; they may again after a while."""

    status: ClassVar[int] = 429
    title = "Too many attempts"
    retry_after: int

    def __init__(self, seconds: int, detail: str | None = None) -> None:
        super().__init__(
            detail or f"Too many attempts. Please wait {_waiting(seconds)} and try again."
        )
        self.retry_after = seconds


class ProcessorTimeUsed(RateLimited):
    """A network or an account has used more processor time than is its share."""

    title = "Too many requests"

    def __init__(self, seconds: int) -> None:
        super().__init__(
            seconds,
            f"This took more work than Commonroom can do for one visitor. Please wait "
            f"{_waiting(seconds)} and try again.",
        )


class ServiceUnavailable(Refusal):
    """It cannot be done right now; trying again helps."""

    status: ClassVar[int] = 503
    title = "Please try again"


class NotJson(UnsupportedMediaType):
    """The body is said to be something else than JSON."""

    title = "Expected JSON"


class ClientDisconnected(Refusal):
    """The client went away before its request was whole; nobody reads this answer."""

    status: ClassVar[int] = 499
    title = "Connection lost"


class RequestInProgress(Conflict):
    """This request is being worked on, or was done where its answer cannot be returned again."""

    title = "Duplicate request"

    def __init__(self, detail: str, retry_after: int | None = None) -> None:
        super().__init__(detail)
        self.retry_after = retry_after


class ResponseLost(Conflict):
    """A request with an idempotency key was carried out, and nobody knows what it was answered."""

    title = "Already done"


class IdempotencyKeyReused(Refusal):
    """An idempotency key came a second time, with another request."""

    status: ClassVar[int] = 422
    title = "Idempotency key already used"


class RequestTimeout(Refusal):
    """The rest of a request did not come in time."""

    status: ClassVar[int] = 408
    title = "Request timed out"
    sentence = "The request took too long to arrive. Please try again."


class TooManyRequests(Refusal):
    """One address or one account has as much under way as it may."""

    status: ClassVar[int] = 429
    title = "Too many requests at once"
    retry_after = 30
    sentence = "You have too many requests open at the same time. Please try again in a moment."


class HeadTooLarge(Refusal):
    """An address and headers that are longer than any browser sends."""

    status: ClassVar[int] = 431
    title = "Request header fields too large"
    sentence = "This request’s address and headers are too long."


class Overloaded(ServiceUnavailable):
    """The process has as much under way as it can."""

    title = "Commonroom is busy"
    retry_after = 30
    sentence = "Commonroom is very busy right now. Please try again in a moment."


def _waiting(seconds: int) -> str:
    if seconds < 50:
        return "a second" if seconds <= 1 else f"{seconds} seconds"
    minutes = -(-seconds // 60)
    return "a minute" if minutes == 1 else f"{minutes} minutes"
