"""Rows of a form: items, questions and options, moved about and taken away."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Literal, TypeAlias, TypeVar, get_args
from urllib.parse import parse_qsl

from msgspec import Struct, field

from commonroom.errors import BadRequest, InvalidField
from commonroom.shareables.rules.checklists import MOST_ITEMS
from commonroom.shareables.rules.polls import MOST_OPTIONS, MOST_QUESTIONS
from commonroom.texts import fit_line, fit_lines
from commonroom.web.request import Request
from commonroom.web.words import _

Meanwhile: TypeAlias = Literal["added", "gone"]


class Row(Struct, kw_only=True):
    """A row as it stands in a form."""

    id: str = ""
    """Of what was there before; empty for what is new."""
    text: str = ""
    note: str = ""
    wrong: str | None = None
    now: str | None = None
    """What it says on the page, where that is not what was typed."""
    meanwhile: Meanwhile | None = None
    """What somebody else did with it meanwhile."""
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


class Question(Row, kw_only=True):
    """A question as it stands in a form."""

    is_multiple: bool = False
    is_required: bool = False
    options: list[Row] = field(default_factory=list)

    @property
    def is_blank(self) -> bool:
        """Whether nothing is asked and there is nothing to choose from."""
        return not self.text.strip() and all(one.is_blank for one in self.options)

    @property
    def said(self) -> str:
        """What is asked, and how."""
        how = (self.is_multiple, _("multiple answers")), (self.is_required, _("required"))
        return " · ".join([self.text.strip(), *(words for so, words in how if so)])


R = TypeVar("R", bound=Row)


def arrange(rows: list[R], place: int, deed: Deed, fresh: Callable[[], R]) -> None:
    """Moves a row, takes it away, or adds one below the others; the keyboard goes on there."""
    if deed == "more":
        rows.append(fresh())
        rows[-1].has_focus = True
        return
    row = rows.pop(place)
    if deed == "remove":
        place = min(place, len(rows) - 1)
    else:
        place = max(0, place - 1) if deed == "up" else min(len(rows), place + 1)
        rows.insert(place, row)
    if rows:
        rows[place].has_focus = True


def filled(rows: Iterable[R]) -> list[R]:
    """The rows with something in them."""
    return [one for one in rows if not one.is_blank]


def with_room(rows: Sequence[R], fresh: Callable[[], R], *, least: int, most: int) -> list[R]:
    """The rows to show: so many at least, and an empty one to go on in."""
    there = list(rows)
    while len(there) < least or (len(there) < most and not there[-1].is_blank):
        there.append(fresh())
    return there


def mark_errors(rows: Iterable[Row], longest: int, longest_note: int = 0) -> None:
    """Says beside each row what cannot be taken of it."""
    for row in rows:
        try:
            fit_line("text", row.text, longest)
            fit_lines("note", row.note, longest_note)
        except InvalidField as error:
            row.wrong, row.has_focus = error.detail, True


def compare(mine: list[R], theirs: Iterable[R], seen: set[str]) -> None:
    """Puts what is on the page by now beside what somebody typed.

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


def _renew(row: Row) -> None:
    row.id, row.meanwhile = "", "gone"
    for option in row.options if isinstance(row, Question) else ():
        option.id = ""


Sheet: TypeAlias = list[tuple[str, str]]
Deed: TypeAlias = Literal["up", "down", "remove", "more"]
"""What a button in a form does with a row, where no script does it."""

MOST_FIELDS = 100 + max(4 * MOST_ITEMS, MOST_QUESTIONS * (6 + 3 * MOST_OPTIONS))


async def sheet_in(request: Request) -> Sheet:
    """The fields of the form that was sent, in its order."""
    if request.content_type[0] != "application/x-www-form-urlencoded":
        raise BadRequest("The form could not be read. Please try again.")
    try:
        body = (await request.body()).decode("ascii")
        return parse_qsl(body, keep_blank_values=True, errors="strict", max_num_fields=MOST_FIELDS)
    except ValueError:
        raise BadRequest("The form could not be read. Please try again.") from None


def deed(named: str) -> Deed:
    """What a button says that it does."""
    deeds: tuple[Deed, ...] = get_args(Deed)
    for one in deeds:
        if one == named:
            return one
    raise BadRequest("This button does not exist. Please reload the page.")


def keep_value(values: dict[str, str], known: Collection[str], name: str, text: str) -> None:
    """Keeps a field that stands by itself; refused where the form has none of that name."""
    if name not in known:
        raise BadRequest("The form has an unknown field. Please reload the page.", field=name)
    values[name] = text
