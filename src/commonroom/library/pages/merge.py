"""Merging a form with what others saved since it was filled: nothing is lost.

A form carries a fingerprint of each text that it was filled with (`base`). So it is known which
fields its sender has changed, and which have changed in the store meanwhile: what does not touch is
saved together, and only where both changed the same field, both are shown.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection, Iterable, Mapping, Sequence
from functools import wraps
from hashlib import blake2b
from typing import Any, ParamSpec, TypeVar

from msgspec import Struct

from commonroom.errors import PreconditionFailed
from commonroom.http.forms import FormState

P = ParamSpec("P")
T = TypeVar("T")

NO_BASE = "none"
"""For a form that says only that it has not seen what is stored."""
TRIES = 4
"""How often a form is merged anew where others save in between."""


class MergedForm(Struct, frozen=True):
    """What came of a form: its fields, those to save, and those that two people have changed."""

    values: Mapping[str, Any]
    mine: frozenset[str]
    """The fields that the sender of the form has changed."""
    theirs: Mapping[str, str]
    """What stands in the store, of fields that both have changed to something else."""

    @property
    def is_stale(self) -> bool:
        """Whether the person has to compare both."""
        return bool(self.theirs)


def base_of(values: Mapping[str, Any]) -> str:
    """Returns the fingerprints of what a form is filled with."""
    return " ".join(f"{name}:{_fingerprint(text)}" for name, text in values.items())


def filled_form(values: Mapping[str, Any]) -> FormState:
    """Returns a form that is filled with what is stored."""
    return FormState({**values, "base": base_of(values)})


def merge_form(
    sent: Mapping[str, Any],
    base: str,
    stored: Mapping[str, Any],
    together: Iterable[Collection[str]] = (),
) -> MergedForm:
    """Returns a form as it was sent, with what is stored by now; fields `together` change as one.

    A form without a base takes what is stored for what it was filled with.
    """
    before = dict(part.split(":", 1) for part in base.split() if ":" in part)
    unseen = base == NO_BASE
    was = {
        name: before.get(name, "" if unseen else _fingerprint(text))
        for name, text in stored.items()
    }
    mine = {name for name in stored if _fingerprint(sent[name]) != was[name]}
    others = {name for name in stored if _fingerprint(stored[name]) != was[name]}
    for fields in together:
        for changed in (mine, others):
            if changed.intersection(fields):
                changed.update(fields)
    theirs = {
        name: str(stored[name])
        for name in stored
        if name in mine & others and _plain(sent[name]) != _plain(stored[name])
    }
    values = {**stored, **{name: sent[name] for name in mine}, "base": base_of(stored)}
    return MergedForm(values, frozenset(mine), theirs)


def merged_anew(save: Callable[P, Awaitable[T]]) -> Callable[P, Awaitable[T]]:
    """Decorates what saves a form: where others save in between, it reads and merges again."""

    @wraps(save)
    async def saved(*args: P.args, **kwargs: P.kwargs) -> T:
        for _ in range(TRIES):
            try:
                return await save(*args, **kwargs)
            except PreconditionFailed:
                continue
        raise changed_meanwhile()

    return saved


def stale_form(form: MergedForm) -> FormState:
    """Returns the form again after another save: sent once more, it takes what it says."""
    return FormState(form.values, form_error=changed_meanwhile().detail)


def changed_meanwhile() -> PreconditionFailed:
    """Returns the refusal for a form that touches what others saved."""
    return PreconditionFailed("Someone else saved this while you were editing it.")


def only(fields: Collection[str], given: Mapping[str, Any]) -> dict[str, Any]:
    """Returns what is given of these fields."""
    return {name: value for name, value in given.items() if name in fields}


def _fingerprint(text: Any) -> str:
    return blake2b(_plain(text).encode(errors="replace"), digest_size=6).hexdigest()


def _plain(text: Any) -> str:
    """A text as it is compared: a browser sends line ends of its own, and space around it."""
    lines: Sequence[str] = str(text or "").strip().splitlines()
    return "\n".join(line.rstrip() for line in lines)
