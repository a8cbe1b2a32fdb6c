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
    sentence = "This page needs a passcode. Ask the person who sent you the link."


class WrongPasscode(Forbidden):
    """Not a passcode of this page."""

    title = "Wrong passcode"
    sentence = "Wrong passcode. Please try again."


class WrongCode(NotFound):
    """No answer on this page has this code."""

    title = "Wrong code"
    sentence = "No answer on this page has this code. Please check it."


class EditConflict(Conflict):
    """Another person has edited the page since; what they changed is named."""

    title = "Someone else edited this page"

    def __init__(self, changed: Sequence[str], version: int) -> None:
        super().__init__(
            "Someone else edited this page since you opened it. Check what changed and save again.",
            changed=list(changed),
            version=version,
        )
        self.changed = list(changed)
        self.version = version


class DropsAnswers(Conflict):
    """This would drop what people have answered."""

    title = "This would delete answers"


class AnswersClosed(Conflict):
    """Answers are not taken, or no longer."""

    title = "Answers are closed"


class DateInPast(InvalidField):
    """A date that is over: perhaps meant, and more often a slip."""

    title = "This is in the past"
    sentence = "This is in the past. Please confirm it."


class NeedsDates(InvalidField):
    """A page like one that is over: nobody but its maker can say when it is to be."""

    title = "Choose a new date"
    sentence = "The date on this page has passed. Choose a new one."


class AlreadyAnswered(Conflict):
    """The account has answered this page, perhaps on another device."""

    title = "You have already answered"
    sentence = "You have already answered. Edit your answer instead."


class TooManyFromNetwork(Conflict):
    """As many answers as a page takes from one network, unless many people share it."""

    title = "Too many answers from your network"

    def __init__(self, most: int) -> None:
        super().__init__(
            f"This page already has {most} answers from your network. Sign in to answer, "
            "or ask the page’s creator to allow many answers from one network."
        )


class PageFull(Conflict):
    """The page holds as many answers as a page can."""

    title = "This page is full"


class GuestStorageFull(PageFull):
    """All that may be kept of pages without an account is taken up."""

    status: ClassVar[int] = 507
    title = "Storage is full"
    sentence = (
        "This Commonroom has no storage left for pages created without an account. "
        "Sign in to create one, or ask an administrator."
    )


class CreationDisabled(Forbidden):
    """A person who may not make pages here."""

    title = "You cannot create pages here"


class TooManyWrites(RateLimited):
    """More than anybody does by hand."""

    title = "Too many requests"

    def __init__(self, seconds: float) -> None:
        super().__init__(
            max(1, ceil(seconds)),
            "That was a lot in a short time. Please wait a moment and try again.",
        )


class PageClosed(Gone):
    """The page's time is over."""

    title = "This page has expired"
    sentence = "This page has expired."


class TryAgain(ServiceUnavailable):
    """Too many people at once; nothing was done."""

    retry_after = 2
    sentence = "Many people are doing this right now. Please try again in a moment."
