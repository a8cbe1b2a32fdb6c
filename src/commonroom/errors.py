"""What can go wrong, as one family: each error knows its HTTP status and says a sentence."""

from __future__ import annotations

from typing import Any, ClassVar


class CommonroomError(Exception):
    """The base of every error that Commonroom raises on purpose."""

    status: ClassVar[int] = 500
    title: ClassVar[str] = "Something went wrong"

    def __init__(self, detail: str, **helps: Any) -> None:
        super().__init__(detail)
        self.detail = detail
        self.helps = helps
