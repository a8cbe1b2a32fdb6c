"""What can go wrong with shareables; nothing here tells a stranger about a page."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil
from typing import ClassVar

from commonroom.errors import (
    Conflict,
    Forbidden,
    Gone,
    InvalidField,
    NotFound,
    RateLimited,
    ServiceUnavailable,
)


class NeedsPasscode(Forbidden):
    """A page that is protected, and that is all that is said of it."""

    title = "This page needs a passcode"

    def __init__(self) -> None:
        super().__init__("This page needs a passcode. Ask whoever sent you here.")


class WrongPasscode(Forbidden):
    """Not a passcode of this page."""

    title = "That is not the passcode"

    def __init__(self) -> None:
        super().__init__("That is not the passcode of this page.")


class WrongCode(NotFound):
    """No answer on this page has this code."""

    title = "That is not a code of this page"

    def __init__(self) -> None:
        super().__init__("No answer on this page has this code. Please look at it again.")


class EditConflict(Conflict):
    """Somebody else has edited the page since; what they changed is named."""

    title = "Somebody else has edited this page"

    def __init__(self, changed: Sequence[str], version: int) -> None:
        super().__init__(
            "Somebody else has edited this page since you opened it. "
            "Look at what changed and save again.",
            changed=list(changed),
            version=version,
        )
        self.changed = list(changed)
        self.version = version


class NeedsConfirmation(Conflict):
    """This would drop what people have answered."""

    title = "This would drop answers"


class AnswersClosed(Conflict):
    """Answers are not taken, or no longer."""

    title = "Answers are closed"


class DateInPast(InvalidField):
    """A date that is over: perhaps meant, and more often a slip."""

    title = "This is in the past"

    def __init__(self, field: str) -> None:
        super().__init__(field, "This is in the past. Confirm that it is meant so.")


class NeedsDates(InvalidField):
    """A page like one that is over: nobody but its maker can say when it is to be."""

    title = "This needs a new date"

    def __init__(self, field: str) -> None:
        super().__init__(field, "What this page was about is over. Say when it is next.")


class AlreadyAnswered(Conflict):
    """The account has answered this page, perhaps on another device."""

    title = "You have answered already"

    def __init__(self) -> None:
        super().__init__("You have answered already. Change your answer instead.")


class TooManyFromNetwork(Conflict):
    """As many answers as a page takes from one network, unless many people share it."""

    title = "Too many answers from your network"

    def __init__(self, most: int) -> None:
        super().__init__(
            f"This page has {most} answers from your network already, and takes no more. Sign in "
            "to answer, or ask whoever runs the page to allow many answers from one network."
        )


class PageFull(Conflict):
    """The page holds as many answers as a page can."""

    title = "This page is full"


class GuestStorageFull(PageFull):
    """All that may be kept of pages without an account is taken up."""

    status: ClassVar[int] = 507
    title = "There is no room left"

    def __init__(self) -> None:
        super().__init__(
            "This Commonroom has no room for more on pages that were made without an account. "
            "Sign in to make one, or ask whoever runs it."
        )


class CreationDisabled(Forbidden):
    """Somebody who may not make pages here."""

    title = "You cannot make pages here"


class TooManyWrites(RateLimited):
    """More than anybody does by hand."""

    title = "That was too much at once"

    def __init__(self, seconds: float) -> None:
        super().__init__(
            max(1, ceil(seconds)),
            "That was a lot in a short time. Please wait a moment and try again.",
        )


class PageClosed(Gone):
    """The page's time is over."""

    title = "This page is closed"

    def __init__(self) -> None:
        super().__init__("This page is closed: its time is over.")


class TryAgain(ServiceUnavailable):
    """Too many people at once; nothing was done."""

    retry_after = 2

    def __init__(self) -> None:
        super().__init__("Many people are doing this right now. Please try again in a moment.")
