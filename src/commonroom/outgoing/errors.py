"""What can go wrong with a request to somebody else's server.

They name the server and never more of its address: the rest may hold secrets.
"""

from __future__ import annotations

from typing import ClassVar

from commonroom.errors import CommonroomError


class OutgoingError(CommonroomError):
    """The base of all errors about requests that go out."""

    status: ClassVar[int] = 503
    title = "Another server is not available"


class NotPublic(OutgoingError):
    """The address is none that Commonroom asks: not https, not public, or not an address."""

    status: ClassVar[int] = 422
    title = "This address is not allowed"


class Unreachable(OutgoingError):
    """The server cannot be reached, or its answer is none."""


class TookTooLong(OutgoingError):
    """The answer did not come in time."""


class TooLarge(OutgoingError):
    """The answer is larger than was asked for."""


class OtherType(OutgoingError):
    """The answer is of another type than was asked for."""
