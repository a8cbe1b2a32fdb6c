"""What the forms of all kinds of pages have in common: fields, and rows to move about."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any, Literal, TypeAlias, TypeVar, get_args
from urllib.parse import parse_qsl

from msgspec import Struct, field
from msgspec.structs import replace

from commonroom.errors import BadRequest, CommonroomError, InvalidField, InvalidFields
from commonroom.http.forms import FormState
from commonroom.http.request import Request
from commonroom.http.typed_times import TimeQuestion, UncertainTimes, read_time
from commonroom.http.words import _
from commonroom.shareables.rules.access import passcode
from commonroom.shareables.rules.checklists import MAX_ITEMS
from commonroom.shareables.rules.lifecycle import ASKED, Days
from commonroom.shareables.rules.polls import MAX_OPTIONS, MAX_QUESTIONS
from commonroom.shareables.service.create import Passcodes
from commonroom.shareables.service.gate import Page
from commonroom.texts import fit_line, fit_lines

Sheet: TypeAlias = list[tuple[str, str]]
RowAction: TypeAlias = Literal["up", "down", "remove", "more"]
"""What a button in a form does with a row, where no script does it."""
Meanwhile: TypeAlias = Literal["added", "gone"]

SETTINGS = frozenset({"name", "expires_after", "view_passcode", "admin_passcode"})
EDITING = frozenset({"version", "seen", "confirm"})

MAX_FIELDS = 100 + max(4 * MAX_ITEMS, MAX_QUESTIONS * (6 + 3 * MAX_OPTIONS))

R = TypeVar("R", bound="DraftRow")
D = TypeVar("D", bound="AnyDraft")


class DraftRow(Struct, kw_only=True):
    """A row as it stands in a form."""

    id: str = ""
    """Of what was there before; empty for what is new."""
    text: str = ""
    note: str = ""
    wrong: str | None = None
    now: str | None = None
    """What it says on the page, where that is not what was typed."""
    meanwhile: Meanwhile | None = None
    """What others did with it meanwhile."""
    votes: int = 0
    """How many have chosen it."""
    has_focus: bool = False

    @property
    def is_blank(self) -> bool:
        """Whether there is nothing in it."""
        return not self.text.strip() and not self.note.strip()

    @property
    def said(self) -> str:
        """All that it says, on one line."""
        return " · ".join(one for one in (self.text.strip(), *self.note.split("\n")) if one.strip())


class Question(DraftRow, kw_only=True):
    """A question as it stands in a form."""

    is_multiple: bool = False
    is_required: bool = False
    options: list[DraftRow] = field(default_factory=list)

    @property
    def is_blank(self) -> bool:
        """Whether nothing is asked and there is nothing to choose from."""
        return not self.text.strip() and all(one.is_blank for one in self.options)

    @property
    def said(self) -> str:
        """What is asked, and how."""
        how = (self.is_multiple, _("multiple answers")), (self.is_required, _("required"))
        return " · ".join([self.text.strip(), *(words for so, words in how if so)])


def arrange(rows: list[R], place: int, action: RowAction, fresh: Callable[[], R]) -> None:
    """Moves a row, takes it away, or adds one below the others; the keyboard goes on there."""
    if action == "more":
        rows.append(fresh())
        rows[-1].has_focus = True
        return
    row = rows.pop(place)
    if action == "remove":
        place = min(place, len(rows) - 1)
    else:
        place = max(0, place - 1) if action == "up" else min(len(rows), place + 1)
        rows.insert(place, row)
    if rows:
        rows[place].has_focus = True


def filled(rows: Iterable[R]) -> list[R]:
    """Returns the rows with something in them."""
    return [one for one in rows if not one.is_blank]


def with_room(rows: Sequence[R], fresh: Callable[[], R], *, least: int, most: int) -> list[R]:
    """Returns the rows to show: so many at least, and an empty one to go on in."""
    there = list(rows)
    while len(there) < least or (len(there) < most and not there[-1].is_blank):
        there.append(fresh())
    return there


def mark_errors(rows: Iterable[DraftRow], longest: int, longest_note: int = 0) -> None:
    """Says beside each row what cannot be taken of it."""
    for row in rows:
        try:
            fit_line("text", row.text, longest)
            fit_lines("note", row.note, longest_note)
        except InvalidField as error:
            row.wrong, row.has_focus = error.detail, True


def compare(mine: list[R], theirs: Iterable[R], seen: set[str]) -> None:
    """Puts what is on the page by now beside what was typed.

    What others added since is added here too; what they took away stays, as something new.
    """
    known = {one.id: one for one in theirs}
    here = {one.id for one in mine}
    for row in mine:
        there = known.get(row.id)
        if there is None and row.id:
            _renew(row)
        elif there is not None:
            row.now = there.said if there.said != row.said else None
            if isinstance(row, Question) and isinstance(there, Question):
                compare(row.options, there.options, seen)
    for one in known.values():
        if one.id not in here and one.id not in seen:
            one.meanwhile = "added"
            mine.append(one)


def _renew(row: DraftRow) -> None:
    row.id, row.meanwhile = "", "gone"
    for option in row.options if isinstance(row, Question) else ():
        option.id = ""


async def sheet_in(request: Request) -> Sheet:
    """Returns the fields of the form that was sent, in its order."""
    if request.content_type != "application/x-www-form-urlencoded":
        raise BadRequest("The form could not be read. Please try again.")
    try:
        body = (await request.body()).decode("ascii")
        return parse_qsl(body, keep_blank_values=True, errors="strict", max_num_fields=MAX_FIELDS)
    except ValueError:
        raise BadRequest("The form could not be read. Please try again.") from None


def chosen(among: Any, typed: str, refusal: CommonroomError) -> Any:
    """Returns the one of some literals that was typed."""
    for one in get_args(among):
        if typed == str(one):
            return one
    raise refusal


def row_action(named: str) -> RowAction:
    """Returns what a button says that it does."""
    refusal = BadRequest("This button does not exist. Please reload the page.")
    action: RowAction = chosen(RowAction, named, refusal)
    return action


def keep_value(values: dict[str, str], known: Collection[str], name: str, text: str) -> None:
    """Keeps a field that stands by itself; refused where the form has none of that name."""
    if name not in known:
        raise BadRequest("The form has an unknown field. Please reload the page.", field=name)
    values[name] = text


class AnyDraft(FormState, frozen=True):
    """What stands in the form of a page."""

    rows: list[DraftRow] = field(default_factory=list)
    is_rearranged: bool = False
    """Whether a button moved a row or added one: nothing is to be saved yet."""
    others: dict[str, str] = field(default_factory=dict)
    """What others have changed meanwhile, by field."""
    time_questions: dict[str, TimeQuestion] = field(default_factory=dict)
    """What is asked about times, by field."""

    def text(self, name: str) -> str:
        """Returns what stands in a field; nothing where it is empty."""
        return str(self.values.get(name, ""))

    @property
    def zone(self) -> str:
        """The zone that its times are in."""
        return self.text("time_zone")

    @property
    def empty_row(self) -> DraftRow:
        """A row to type into."""
        return DraftRow()

    def mark(self) -> None:
        """Says beside each row what is wrong with it; there are none."""


def page_values(page: Page, *names: str, seen: Iterable[str] = ()) -> dict[str, str]:
    """Returns these fields of a page as they stand in the form to edit it."""
    values = {name: getattr(page, name) for name in ("name", "version", *names)}
    return {name: _in_form(value) for name, value in values.items()} | {"seen": " ".join(seen)}


def _in_form(value: str | int | bool | None) -> str:
    if value is None or value is False:
        return ""
    return "true" if value is True else str(value)


def stored_times(
    now: float, values: Mapping[str, str], names: Iterable[str], zone: str, before: Any = None
) -> dict[str, str | None]:
    """Returns what was typed for these fields, with its zone; None where nothing was.

    A time that does not exist, comes twice or is over is asked about, until a choice beside it
    names the moment that is meant.
    """
    found: dict[str, str | None] = {}
    questions: dict[str, TimeQuestion] = {}
    for name in names:
        past_until = now if name in ASKED else None
        known = getattr(before, name, None)
        read = read_time(name, values, zone, before=known, past_until=past_until)
        if isinstance(read, TimeQuestion):
            questions[name] = read
        else:
            found[name] = read
    if questions:
        raise UncertainTimes(questions)
    return found


def refused(draft: D, error: CommonroomError | None) -> D:
    """Returns a draft with what is wrong beside it, where anything is."""
    if error is None:
        return draft
    draft.mark()
    if isinstance(error, InvalidFields):
        errors = error.by_field
    else:
        named = field_of_error(draft.values, error)
        errors = {} if named is None else {named: error.detail}
    questions = error.questions if isinstance(error, UncertainTimes) else {}
    message = None if errors else error.detail
    return replace(draft, errors=errors, form_error=message, time_questions=questions)


def compared(draft: D, theirs: AnyDraft, changed: Collection[str]) -> D:
    """Returns a draft beside the page as others saved it meanwhile.

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
    return replace(draft, values={**draft.values, **kept}, others=others, form_error=message)


def days_chosen(typed: str) -> Days:
    """Returns how long a page is to live."""
    refusal = InvalidField("expires_after", "Choose 1, 7 or 30 days.")
    days: Days = chosen(Days, typed, refusal)
    return days


def passcodes_chosen(values: Mapping[str, Any]) -> Passcodes:
    """Returns the passcodes that a page is to begin with."""
    return Passcodes(values.get("view_passcode") or None, values.get("admin_passcode") or None)


def version_in(typed: str) -> int:
    """Returns the version that was edited."""
    if not (typed.isascii() and typed.isdecimal() and len(typed) < 16):
        raise BadRequest("The form is incomplete. Please reload the page.", field="version")
    return int(typed)


def field_of_error(values: Mapping[str, Any], error: CommonroomError) -> str | None:
    """Returns which field of a form an error is about; the rules know of one passcode only."""
    named: str | None = error.extensions.get("field")
    if named != "passcode":
        return named
    try:
        passcode(values.get("view_passcode") or "no passcode")
    except InvalidField:
        return "view_passcode"
    return "admin_passcode"
