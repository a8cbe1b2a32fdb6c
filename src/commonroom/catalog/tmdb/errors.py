"""Why TMDB has no answer; none of these leaves this package."""

from __future__ import annotations

from typing import ClassVar

from commonroom.errors import CommonroomError


class NoAnswer(CommonroomError):
    """TMDB gives no answer that could be used."""

    status: ClassVar[int] = 503
    title = "TMDB is not available"


class Failed(NoAnswer):
    """TMDB is in trouble: it cannot be reached, fails, or answers nonsense."""


class TokenRefused(NoAnswer):
    """TMDB does not know the access token."""


class Resting(NoAnswer):
    """TMDB is left alone for a while; why was told when that began."""


class NotThere(NoAnswer):
    """TMDB answers, and knows nothing of this."""

    status: ClassVar[int] = 404
