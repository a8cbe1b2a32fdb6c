"""Pages of imports, in whichever room: a file as it is sent, and how far an import is."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, Protocol

from commonroom.errors import Refusal
from commonroom.http.forms import FormState
from commonroom.imports.files import MAX_FILE, UnreadableFile
from commonroom.imports.tables import State
from commonroom.moments import elapsed, seconds

MAX_UPLOAD = 2 * MAX_FILE
"""What is a little too large is refused in a sentence; only what is far larger by the server."""
BUSY: tuple[State, ...] = ("ready", "running", "undoing")
WAITING = ("arriving", "ready")
SLOW_SECONDS = 120
STEP = 25
"""After how many percent a listener is told how far it is."""


class WatchedImport(Protocol):
    """An import that is shown while it continues."""

    @property
    def state(self) -> State:
        """What is happening to it."""

    @property
    def of(self) -> int:
        """How many rows there are."""

    @property
    def done(self) -> int:
        """How many of them were worked on."""

    @property
    def added(self) -> int:
        """How many brought something."""

    @property
    def removed(self) -> int:
        """How many were taken back."""

    @property
    def kept(self) -> int:
        """How many stayed although it was undone."""

    @property
    def created_at(self) -> str:
        """Since when it is there."""

    @property
    def started_at(self) -> str | None:
        """Since when it runs."""

    @property
    def finished_at(self) -> str | None:
        """Since when it is over."""


def progress_context(seen: WatchedImport | None, now: float) -> dict[str, Any]:
    """Returns what the page of an import says of how far it is."""
    return {
        "seen": seen,
        "percent": percent(seen),
        "told_percent": told_percent(seen),
        "is_slow": is_slow(seen, now),
    }


def refused_file(
    seen: WatchedImport | None, error: Refusal, busy: Collection[State] = BUSY
) -> FormState:
    """What is wrong with a file: beside its field, which is not there in states that are `busy`."""
    if isinstance(error, UnreadableFile) and (seen is None or seen.state not in busy):
        return FormState(errors={"file": error.detail})
    return FormState(form_error=error.detail)


def cancelled_flash(before: State) -> str:
    """Returns what is said once an import was stopped, forgotten, or its report closed."""
    if before == "running":
        return "import-stopped"
    return "import-forgotten" if before in WAITING else "report-closed"


def percent(seen: WatchedImport | None) -> int:
    """Returns how far it is."""
    if seen is None:
        return 0
    if seen.state == "undoing":
        return 100 * (seen.removed + seen.kept) // max(1, seen.added)
    return 100 * seen.done // max(1, seen.of)


def told_percent(seen: WatchedImport | None) -> int:
    """Returns the percentage that listeners are told: not every row."""
    return percent(seen) // STEP * STEP


def is_slow(seen: WatchedImport | None, now: float) -> bool:
    """Whether it has run so long that it may have been given up; nobody is told when it is."""
    if seen is None:
        return False
    begun = {
        "arriving": seen.created_at,
        "running": seen.started_at,
        "undoing": seen.finished_at,
    }
    since = begun.get(seen.state)
    return since is not None and elapsed(seconds(since), now) > SLOW_SECONDS
