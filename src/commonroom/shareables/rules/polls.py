"""Polls: what may be asked, what may be answered, and what the votes come to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Annotated, Any, Literal, TypeAlias

from msgspec import Meta, Struct

from commonroom.errors import FieldErrors, InvalidField
from commonroom.moments import iso
from commonroom.shareables.errors import AnswersClosed, PageFull
from commonroom.shareables.rules.lifecycle import optional_moment
from commonroom.shareables.rules.limits import MAX_NAME
from commonroom.shareables.rules.short_ids import new_id
from commonroom.shareables.rules.typed import (
    IN_ALL,
    Id,
    KeptId,
    Line,
    Name,
    SharedNetwork,
    Text,
    When,
)
from commonroom.shareables.tables import Poll, PollAnswer, PollQuestion, PollQuestionOption
from commonroom.texts import fit_line, fit_lines, fit_optional_line

Visibility: TypeAlias = Literal["always", "afterSubmit", "afterClose", "admin"]

MAX_QUESTIONS = 20
MIN_OPTIONS, MAX_OPTIONS = 2, 20
MAX_TITLE, MAX_LABEL, MAX_NOTE, MAX_VOTER = 300, 200, 5000, 60


class TypedPollPageOption(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One of the answers to choose from, as entered."""

    poll_question_option_id: KeptId | None = None
    label: Line


class TypedQuestion(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A question, as entered."""

    poll_question_id: KeptId | None = None
    title: Line
    is_multiple: bool = False
    is_required: bool = False
    options: Annotated[list[TypedPollPageOption], Meta(max_length=2 * MAX_OPTIONS)]


class TypedPollPage(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A poll, as entered."""

    name: Name
    note: Text | None = None
    results_visibility: Visibility = "always"
    closes_at: When | None = None
    questions: Annotated[
        list[TypedQuestion],
        Meta(max_length=2 * MAX_QUESTIONS, description=f"1 to {MAX_QUESTIONS}. {IN_ALL}"),
    ]
    shared_network: SharedNetwork = False


class TypedVote(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a person chose, as entered."""

    name: Line | None = None
    answers: Annotated[
        dict[Id, Annotated[list[Id], Meta(max_length=2 * MAX_OPTIONS)]],
        Meta(max_length=2 * MAX_QUESTIONS, description="Option ids by question id."),
    ]


class OptionResult(Struct, frozen=True, gc=False):
    """How an option stands."""

    votes: int
    share: Annotated[float, Meta(description="Of those who voted, from 0 to 1.")]


Results: TypeAlias = dict[str, OptionResult]
"""By option id."""


def poll_fields(typed: TypedPollPage, before: Poll | None = None) -> dict[str, Any]:
    """Returns the fields to store; questions and options keep their ids, whatever they say now."""
    errors = FieldErrors()
    fields = {
        "name": errors.check(fit_line, "name", typed.name, MAX_NAME, "Give it a title."),
        "note": errors.check(fit_lines, "note", typed.note, MAX_NOTE),
        "results_visibility": typed.results_visibility,
        "closes_at": errors.check(optional_moment, "closes_at", typed.closes_at),
        "questions": errors.check(_questions, typed.questions, before),
        "shared_network": typed.shared_network,
    }
    errors.raise_if_any()
    return fields


def _questions(typed: Sequence[TypedQuestion], before: Poll | None) -> list[PollQuestion]:
    if not 1 <= len(typed) <= MAX_QUESTIONS:
        raise InvalidField("questions", f"Add 1 to {MAX_QUESTIONS} questions.")
    known = {} if before is None else {one.poll_question_id: one for one in before.questions}
    tally = {} if before is None else before.tally
    questions = [_question(one, known, tally) for one in typed]
    if len({one.poll_question_id for one in questions}) < len(questions):
        raise InvalidField("questions", "A question cannot be in a poll twice.")
    return questions


def _question(
    typed: TypedQuestion, known: Mapping[str, PollQuestion], tally: Mapping[str, int]
) -> PollQuestion:
    if not MIN_OPTIONS <= len(typed.options) <= MAX_OPTIONS:
        raise InvalidField(
            "questions", f"Give each question {MIN_OPTIONS} to {MAX_OPTIONS} options."
        )
    before = None
    if typed.poll_question_id is not None:
        before = known.get(typed.poll_question_id)
        if before is None:
            raise InvalidField("questions", "One of these questions is no longer in the poll.")
    ids = set() if before is None else set(option_ids(before))
    if before is not None and before.is_multiple and not typed.is_multiple and _any(tally, ids):
        # A person may have chosen several, and nobody but they could say which one they mean.
        raise InvalidField(
            "questions", "This question already has votes, so it cannot become single choice."
        )
    options = [_option(one, ids) for one in typed.options]
    if len({one.poll_question_option_id for one in options}) < len(options):
        raise InvalidField("questions", "An option cannot be in a question twice.")
    return PollQuestion(
        poll_question_id=typed.poll_question_id or new_id(),
        title=fit_line("questions", typed.title, MAX_TITLE, "Enter a question."),
        is_multiple=typed.is_multiple,
        is_required=typed.is_required,
        options=options,
    )


def _option(typed: TypedPollPageOption, known: set[str]) -> PollQuestionOption:
    if typed.poll_question_option_id is not None and typed.poll_question_option_id not in known:
        raise InvalidField("questions", "One of these options is no longer in the poll.")
    return PollQuestionOption(
        poll_question_option_id=typed.poll_question_option_id or new_id(),
        label=fit_line("questions", typed.label, MAX_LABEL, "Enter an option."),
    )


def _any(tally: Mapping[str, int], ids: Iterable[str]) -> bool:
    return any(tally.get(one, 0) > 0 for one in ids)


def option_ids(*questions: PollQuestion) -> list[str]:
    """Returns the ids of all options of some questions."""
    return [one.poll_question_option_id for question in questions for one in question.options]


def removed_options(before: Poll, questions: Sequence[PollQuestion]) -> list[str]:
    """Returns the ids of the options that are no longer there."""
    left = set(option_ids(*questions))
    return [one for one in option_ids(*before.questions) if one not in left]


def drops_votes(before: Poll, removed: Iterable[str]) -> bool:
    """Returns whether a vote has chosen what would be removed."""
    return _any(before.tally, removed)


def become_single(before: Poll, questions: Sequence[PollQuestion]) -> bool:
    """Returns whether a question that took several answers takes one from now on."""
    several = {one.poll_question_id for one in before.questions if one.is_multiple}
    return any(not one.is_multiple and one.poll_question_id in several for one in questions)


def is_over(now: float, poll: Poll) -> bool:
    """Returns whether a poll takes no votes, by hand or because its time has come."""
    return poll.is_closed or (poll.closes_at is not None and poll.closes_at <= iso(now))


def check_voting(now: float, poll: Poll, most: int | None = None) -> None:
    """Refuses where a poll takes no votes any more, or no more than so many."""
    if is_over(now, poll):
        raise AnswersClosed("This poll is closed.")
    if most is not None and poll.vote_count >= most:
        raise PageFull(f"This poll has reached its limit of {most} votes.")


def vote_fields(poll: Poll, typed: TypedVote) -> dict[str, Any]:
    """Returns the fields of a vote to store, held against the questions as they are."""
    unknown = typed.answers.keys() - {one.poll_question_id for one in poll.questions}
    if unknown:
        raise InvalidField("answers", "One of these questions is no longer in the poll.")
    chosen = {one.poll_question_id: _chosen(one, typed.answers) for one in poll.questions}
    answers = [
        PollAnswer(poll_question_id=key, option_ids=ids) for key, ids in chosen.items() if ids
    ]
    if not answers:
        raise InvalidField("answers", "Please choose an option.")
    return {"name": fit_optional_line("name", typed.name, MAX_VOTER), "answers": answers}


def _chosen(question: PollQuestion, answers: Mapping[str, Sequence[str]]) -> list[str]:
    given = list(dict.fromkeys(answers.get(question.poll_question_id, ())))
    at_fault = field_of(question)
    if not set(given) <= set(option_ids(question)):
        raise InvalidField(at_fault, f"Choose one of the options for “{question.title}”.")
    if not question.is_multiple and len(given) > 1:
        raise InvalidField(at_fault, f"Choose only one option for “{question.title}”.")
    if question.is_required and not given:
        raise InvalidField(at_fault, f"Please answer “{question.title}”.")
    return given


def field_of(question: PollQuestion) -> str:
    """Returns which part of a vote is the answer to a question."""
    return f"answers.{question.poll_question_id}"


def still_asked(poll: Poll, answers: Iterable[PollAnswer]) -> list[PollAnswer]:
    """Answers without what has been removed from the poll since they were given."""
    asked = {one.poll_question_id: set(option_ids(one)) for one in poll.questions}
    kept = [
        PollAnswer(
            poll_question_id=one.poll_question_id,
            option_ids=[id_ for id_ in one.option_ids if id_ in asked[one.poll_question_id]],
        )
        for one in answers
        if one.poll_question_id in asked
    ]
    return [one for one in kept if one.option_ids]


def counted(poll: Poll, *votes: Iterable[PollAnswer]) -> Counter[str]:
    """Returns what votes come to, by option id."""
    return Counter(
        id_ for vote in votes for answer in still_asked(poll, vote) for id_ in answer.option_ids
    )


def difference(
    poll: Poll, before: Iterable[PollAnswer], after: Iterable[PollAnswer]
) -> dict[str, int]:
    """Returns what to add to the tally when one vote takes another's place."""
    change = counted(poll, after)
    change.subtract(counted(poll, before))
    return {id_: amount for id_, amount in change.items() if amount}


def sees_results(now: float, poll: Poll, *, is_admin: bool, has_voted: bool) -> bool:
    """Returns whether a visitor sees how the poll stands."""
    match poll.results_visibility:
        case "always":
            return True
        case "afterSubmit":
            return is_admin or has_voted
        case "afterClose":
            return is_admin or is_over(now, poll)
        case "admin":
            return is_admin


def results(poll: Poll) -> Results:
    """Returns how each option stands."""
    voters, tally = max(1, poll.vote_count), poll.tally
    return {
        id_: OptionResult(votes := tally.get(id_, 0), votes / voters)
        for id_ in option_ids(*poll.questions)
    }
