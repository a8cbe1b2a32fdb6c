"""What can go wrong in movie night."""

from __future__ import annotations

from typing import ClassVar

from commonroom.errors import CommonroomError


class MovieNightError(CommonroomError):
    """The base of movie night's errors."""


class FilmNotInRound(MovieNightError):
    """A vote or a pick names a film that this round does not have."""

    status: ClassVar[int] = 400
    title = "This film is not in the vote"


class NotYours(MovieNightError):
    """A member of the household, and not the one who may do this."""

    status: ClassVar[int] = 403
    title = "Not allowed"


class NotHere(MovieNightError):
    """There is no such thing for this person."""

    status: ClassVar[int] = 404
    title = "Not found"


class Conflict(MovieNightError):
    """Things are not so that this could be done; somebody may just have been quicker."""

    status: ClassVar[int] = 409
    title = "This does not work right now"


class VotesMissing(Conflict):
    """A film is to be picked before everybody has voted, and nobody said that this is meant."""

    title = "Not everyone has voted yet"


class InviteGone(MovieNightError):
    """An invite that was revoked or has run out."""

    status: ClassVar[int] = 410
    title = "This invitation no longer works"


class TastesMissing(MovieNightError):
    """Too few of those who watch have said what they like."""

    status: ClassVar[int] = 422
    title = "Tastes not set"
