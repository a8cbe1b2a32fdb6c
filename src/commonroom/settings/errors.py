"""What is wrong with a setting."""

from __future__ import annotations

from commonroom.errors import CommonroomError


class WrongSetting(CommonroomError):
    """A setting that is unknown, cannot be read, or has a value that it cannot have."""

    title = "Invalid setting"
