"""A poll in its form: questions, and the options of each."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import cast

from msgspec import Struct, field
from msgspec.structs import replace

from commonroom.errors import InvalidField
from commonroom.http.typed_times import MEANS, local, zone_chosen
from commonroom.shareables.pages.drafts.draft import (
    EDITING,
    SETTINGS,
    AnyDraft,
    DraftRow,
    Question,
    R,
    Sheet,
    arrange,
    chosen,
    filled,
    keep_value,
    mark_errors,
    page_values,
    row_action,
    stored_times,
    with_room,
)
from commonroom.shareables.rules.polls import (
    MAX_LABEL,
    MAX_OPTIONS,
    TypedPollPage,
    TypedPollPageOption,
    TypedQuestion,
    Visibility,
    option_ids,
    poll_fields,
)
from commonroom.shareables.service.gate import Page
from commonroom.shareables.tables import Poll, PollQuestion

CLOSES = "closes_at"
FIELDS = ("note", "results_visibility", "shared_network")
KNOWN = {CLOSES, CLOSES + MEANS, "time_zone", *FIELDS} | SETTINGS | EDITING
OPTIONS_AT_FIRST = 3


class _Reading(Struct):
    """A sheet, as far as it was read."""

    values: dict[str, str] = field(default_factory=dict)
    questions: list[Question] = field(default_factory=list)
    pressed: Callable[[], None] | None = None
    """What a button that was pressed does with the row that came last before it."""

    def take(self, name: str, text: str) -> None:
        """Reads one field on."""
        match name:
            case "question_id":
                self.questions.append(Question(id=text))
            case "do":
                self._press(self.questions, "more", Question)
            case _ if self.questions and self._take_in_question(self.questions[-1], name, text):
                return
            case _:
                keep_value(self.values, KNOWN, name, text)

    def _take_in_question(self, question: Question, name: str, text: str) -> bool:
        match name:
            case "title":
                question.text = text
            case "is_multiple":
                question.is_multiple = True
            case "is_required":
                question.is_required = True
            case "question_do":
                self._press(self.questions, text, Question)
            case "options_do":
                self._press(question.options, "more", DraftRow)
            case "option_id":
                question.options.append(DraftRow(id=text))
            case "option" if question.options:
                question.options[-1].text = text
            case "option_do" if question.options:
                self._press(question.options, text, DraftRow)
            case _:
                return False
        return True

    def _press(self, rows: list[R], named: str, fresh: type[R]) -> None:
        self.pressed = partial(arrange, rows, len(rows) - 1, row_action(named), fresh)


class PollDraft(AnyDraft, frozen=True):
    """What stands in the form of a poll."""

    @classmethod
    def blank(cls, zone: str) -> PollDraft:
        """Returns a form that nobody has typed into."""
        return cls({"results_visibility": "always", "expires_after": "7", "time_zone": zone})

    @classmethod
    def of(cls, page: Poll, zone: str) -> PollDraft:
        """Returns a poll, to be edited."""
        seen = [one.poll_question_id for one in page.questions] + option_ids(*page.questions)
        values = page_values(page, *FIELDS, seen=seen)
        times = {CLOSES: local(page.closes_at, zone), "time_zone": zone}
        return cls(values | times, rows=[_row(one) for one in page.questions])

    @classmethod
    def read(cls, sheet: Sheet) -> PollDraft:
        """Returns what was typed, after what a button did with it."""
        reading = _Reading()
        for name, text in sheet:
            reading.take(name, text)
        questions = reading.questions
        if reading.pressed is not None:
            reading.pressed()
        else:
            questions = [replace(one, options=filled(one.options)) for one in filled(questions)]
        rows = cast("list[DraftRow]", questions)
        return cls(reading.values, rows=rows, is_rearranged=reading.pressed is not None)

    @property
    def questions(self) -> list[Question]:
        """The questions."""
        return cast("list[Question]", self.rows)

    @property
    def questions_shown(self) -> list[Question]:
        """The questions, each with room for one more option; one to begin with."""
        return [_with_room(one) for one in self.questions or [Question()]]

    @property
    def empty_question(self) -> Question:
        """A question to type into."""
        return _with_room(Question())

    @property
    def has_marked_rows(self) -> bool:
        """Whether it is said beside a row what is wrong."""
        return any(one.wrong for row in self.questions for one in (row, *row.options))

    @property
    def _unasked(self) -> str:
        """What a question asks that says nothing: what the poll does, where it is the only one."""
        return self.text("name") if len(self.questions) == 1 else ""

    def typed(self, now: float, before: Page | None = None) -> TypedPollPage:
        """As the rules take it; a poll that asks one thing need not say it twice."""
        closes_at = None
        if self.text(CLOSES).strip():
            zone = zone_chosen(self.zone)
            closes_at = stored_times(now, self.values, [CLOSES], zone, before)[CLOSES]
        return TypedPollPage(
            name=self.text("name"),
            note=self.text("note"),
            results_visibility=chosen(
                Visibility,
                self.text("results_visibility"),
                InvalidField("results_visibility", "Choose who sees the results, and when."),
            ),
            closes_at=closes_at,
            questions=[_typed(one, self._unasked) for one in self.questions],
            shared_network=bool(self.text("shared_network")),
        )

    def count(self, tally: Mapping[str, int]) -> None:
        """Says beside each option how many have chosen it."""
        for question in self.questions:
            for option in question.options:
                option.votes = tally.get(option.id, 0)

    def mark(self) -> None:
        """Says beside each question and option what is wrong with it."""
        for question in self.questions:
            mark_errors(question.options, MAX_LABEL)
            if not any(one.wrong for one in question.options):
                question.wrong = _find_error(question, self._unasked)
                question.has_focus = question.wrong is not None


def _with_room(question: Question) -> Question:
    options = with_room(question.options, DraftRow, least=OPTIONS_AT_FIRST, most=MAX_OPTIONS)
    return replace(question, options=options)


def _row(question: PollQuestion) -> DraftRow:
    options = [DraftRow(id=one.poll_question_option_id, text=one.label) for one in question.options]
    return Question(
        id=question.poll_question_id,
        text=question.title,
        is_multiple=question.is_multiple,
        is_required=question.is_required,
        options=options,
    )


def _typed(question: Question, unasked: str) -> TypedQuestion:
    return TypedQuestion(
        poll_question_id=question.id or None,
        title=question.text if question.text.strip() else unasked,
        is_multiple=question.is_multiple,
        is_required=question.is_required,
        options=[
            TypedPollPageOption(poll_question_option_id=one.id or None, label=one.text)
            for one in question.options
        ],
    )


def _find_error(question: Question, unasked: str) -> str | None:
    """Returns what is wrong with a question by itself, whatever else is asked."""
    typed = _typed(question, unasked)
    options = [TypedPollPageOption(label=one.label) for one in typed.options]
    anew = replace(typed, poll_question_id=None, options=options)
    try:
        poll_fields(TypedPollPage(name="Poll", questions=[anew]))
    except InvalidField as error:
        return error.detail
    return None
