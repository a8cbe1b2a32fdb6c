"""What can go wrong with shareables; nothing here tells a stranger about a page."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil
from typing import ClassVar

from commonroom.errors import CommonroomError


class ShareableError(CommonroomError):
    """The base of the errors of shareables."""


class NeedsPasscode(ShareableError):
    """A page that is protected, and that is all that is said of it."""

    status: ClassVar[int] = 403
    title = "This page needs a passcode"

    def __init__(self) -> None:
        super().__init__("This page needs a passcode. Ask the person who sent you the link.")


class WrongPasscode(ShareableError):
    """Not a passcode of this page."""

    status: ClassVar[int] = 403
    title = "Wrong passcode"

    def __init__(self) -> None:
        super().__init__("Wrong passcode. Please try again.")


class NotYours(ShareableError):
    """Somebody who may see the page, and may not do this."""

    status: ClassVar[int] = 403
    title = "Not allowed"


class NotHere(ShareableError):
    """There is no such page, or nothing such on it."""

    status: ClassVar[int] = 404
    title = "Not found"


class WrongCode(ShareableError):
    """No answer on this page has this code."""

    status: ClassVar[int] = 404
    title = "Wrong code"

    def __init__(self) -> None:
        super().__init__("No answer on this page has this code. Please check it.")


class Stale(ShareableError):
    """Somebody else has edited the page since; what they changed is named."""

    status: ClassVar[int] = 409
    title = "Someone else edited this page"

    def __init__(self, changed: Sequence[str], version: int) -> None:
        super().__init__(
            "Someone else edited this page since you opened it. Check what changed and save again.",
            changed=list(changed),
            version=version,
        )
        self.changed = list(changed)
        self.version = version


class NeedsConfirmation(ShareableError):
    """This would drop what people have answered."""

    status: ClassVar[int] = 409
    title = "This would delete answers"


class AnswersClosed(ShareableError):
    """Answers are not taken, or no longer."""

    status: ClassVar[int] = 409
    title = "Answers are closed"


class InThePast(ShareableError):
    """A date that is over: perhaps meant, and more often a slip."""

    status: ClassVar[int] = 422
    title = "This is in the past"

    def __init__(self, field: str) -> None:
        super().__init__("This is in the past. Please confirm it.", field=field)


class NeedsDates(ShareableError):
    """A page like one that is over: nobody but its maker can say when it is to be."""

    status: ClassVar[int] = 422
    title = "Choose a new date"

    def __init__(self, field: str) -> None:
        super().__init__("The date on this page has passed. Choose a new one.", field=field)


class AnsweredAlready(ShareableError):
    """The account has answered this page, perhaps on another device."""

    status: ClassVar[int] = 409
    title = "You have already answered"

    def __init__(self) -> None:
        super().__init__("You have already answered. Edit your answer instead.")


class TooManyFromNetwork(ShareableError):
    """As many answers as a page takes from one network, unless many people share it."""

    status: ClassVar[int] = 409
    title = "Too many answers from your network"

    def __init__(self, most: int) -> None:
        super().__init__(
            f"This page already has {most} answers from your network. Sign in to answer, "
            "or ask the page’s creator to allow many answers from one network."
        )


class Full(ShareableError):
    """The page holds as many answers as a page can."""

    status: ClassVar[int] = 409
    title = "This page is full"


class NoRoom(Full):
    """All that may be kept of pages without an account is taken up."""

    status: ClassVar[int] = 507
    title = "Storage is full"

    def __init__(self) -> None:
        super().__init__(
            "This Commonroom has no storage left for pages created without an account. "
            "Sign in to create one, or ask an administrator."
        )


class MakingClosed(ShareableError):
    """Somebody who may not make pages here."""

    status: ClassVar[int] = 403
    title = "You cannot create pages here"


class TooMuchAtOnce(ShareableError):
    """More than anybody does by hand."""

    status: ClassVar[int] = 429
    title = "Too many requests"

    def __init__(self, seconds: float) -> None:
        self.retry_after = max(1, ceil(seconds))
        super().__init__("That was a lot in a short time. Please wait a moment and try again.")


class Closed(ShareableError):
    """The page's time is over."""

    status: ClassVar[int] = 410
    title = "This page has expired"

    def __init__(self) -> None:
        super().__init__("This page has expired.")


class TryAgain(ShareableError):
    """Too many people at once; nothing was done."""

    status: ClassVar[int] = 503
    title = "Please try again"
    retry_after = 2

    def __init__(self) -> None:
        super().__init__("Many people are doing this right now. Please try again in a moment.")
