"""What can go wrong in movie night beyond what can go wrong anywhere."""

from __future__ import annotations

from typing import ClassVar

from commonroom.errors import BadRequest, Conflict, Gone, Refusal


class FilmNotInRound(BadRequest):
    """A vote or a pick names a film that this round does not have."""

    title = "This film is not in the vote"


class VotesMissing(Conflict):
    """A film is to be picked before everybody has voted, and nobody said that this is meant."""

    title = "Not everyone has voted yet"


class InviteExpired(Gone):
    """An invite that was revoked or has run out."""

    title = "This invitation no longer works"


class TastesMissing(Refusal):
    """Too few of those who watch have said what they like."""

    status: ClassVar[int] = 422
    title = "Tastes not set"
