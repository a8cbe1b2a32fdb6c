"""What the forms of all kinds of pages have in common."""

from __future__ import annotations

from collections.abc import Collection
from typing import TypeVar

from msgspec import field
from msgspec.structs import replace

from commonroom.errors import CommonroomError
from commonroom.shareables.pages.drafts.rows import Row, compare
from commonroom.shareables.pages.drafts.settings import field_at_fault
from commonroom.shareables.pages.drafts.times import TimeQuestion, UncertainTimes
from commonroom.web.forms import Filled

SETTINGS = frozenset({"name", "expires_after", "view_passcode", "admin_passcode"})
EDITING = frozenset({"version", "seen", "confirm"})

D = TypeVar("D", bound="AnyDraft")


class AnyDraft(Filled, frozen=True):
    """What stands in the form of a page."""

    rows: list[Row] = field(default_factory=list)
    is_rearranged: bool = False
    """Whether a button moved a row or added one: nothing is to be saved yet."""
    others: dict[str, str] = field(default_factory=dict)
    """What somebody else has changed meanwhile, by field."""
    time_questions: dict[str, TimeQuestion] = field(default_factory=dict)
    """What is asked about times, by field."""

    def text(self, name: str) -> str:
        """What stands in a field; nothing where it is empty."""
        return str(self.values.get(name, ""))

    @property
    def zone(self) -> str:
        """The zone that its times are in."""
        return self.text("time_zone")

    @property
    def empty_row(self) -> Row:
        """A row to type into."""
        return Row()

    def mark(self) -> None:
        """Says beside each row what is wrong with it; there are none."""


def refused(draft: D, error: CommonroomError) -> D:
    """A draft with what is wrong beside it."""
    draft.mark()
    named = field_at_fault(draft.values, error)
    questions = error.questions if isinstance(error, UncertainTimes) else {}
    errors = {} if named is None else {named: error.detail}
    message = None if errors else error.detail
    return replace(draft, errors=errors, wrong_altogether=message, time_questions=questions)


def compared(draft: D, theirs: AnyDraft, changed: Collection[str]) -> D:
    """A draft beside the page as somebody else has saved it meanwhile.

    Saved again, it takes the place of what they saved, but for what they have added.
    """
    compare(draft.rows, theirs.rows, set(draft.text("seen").split()))
    kept = {name: theirs.text(name) for name in ("version", "seen")}
    others = {
        name: theirs.text(name)
        for name in changed
        if name in theirs.values and theirs.text(name) != draft.text(name)
    }
    message = "Someone else saved this page in the meantime."
    return replace(draft, values={**draft.values, **kept}, others=others, wrong_altogether=message)
