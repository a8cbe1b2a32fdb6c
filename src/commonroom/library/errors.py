"""What can go wrong in the library."""

from __future__ import annotations

from typing import ClassVar

from commonroom.errors import CommonroomError


class LibraryError(CommonroomError):
    """The base of the library's errors."""


class NotHere(LibraryError):
    """There is no such thing for this person, who is not told whether it is somebody else's."""

    status: ClassVar[int] = 404
    title = "Not found"


class Conflict(LibraryError):
    """Things are not so that this could be done; somebody may just have been quicker."""

    status: ClassVar[int] = 409
    title = "This does not work right now"


class NeedsConfirming(Conflict):
    """It can be done, once whoever asks has seen what it takes along."""

    title = "Are you sure?"
