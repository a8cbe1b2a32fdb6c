"""Pages of imports, in whichever room: a file as it is sent, and how far an import is."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from commonroom.errors import Refusal
from commonroom.http.forms import Form, FormState, Line, OneOrMany
from commonroom.imports.files import MAX_FILE, UnreadableFile
from commonroom.imports.kinds import ImportStatus
from commonroom.imports.lifecycle import AnyImports
from commonroom.imports.tables import State
from commonroom.moments import elapsed, seconds

MAX_UPLOAD = 2 * MAX_FILE
"""What is a little too large is refused in a sentence; only what is far larger by the server."""
BUSY: tuple[State, ...] = ("ready", "running", "undoing")
WAITING = ("arriving", "ready")
SLOW_SECONDS = 120
STEP = 25
"""After how many percent a listener is told how far it is."""


class WhichImportForm(Form):
    """Which import is meant."""

    import_id: Line


class StartImportForm(WhichImportForm):
    """How an import is to go; a room says what else there is to choose."""

    without: OneOrMany = ""
    goes_on: bool = False
    """Whether it began before, and stands still."""

    @property
    def flash(self) -> str:
        """What is said once it runs."""
        return "import-goes-on" if self.goes_on else "import-started"


def progress_context(seen: ImportStatus | None, now: float) -> dict[str, Any]:
    """Returns what the page of an import says of how far it is."""
    percent = _percent(seen)
    return {
        "seen": seen,
        "percent": percent,
        # Listeners are told of steps, not of every row.
        "told_percent": percent // STEP * STEP,
        "is_slow": seen is not None and _is_slow(seen, now),
    }


def refused_file(
    seen: ImportStatus | None, error: Refusal, busy: Collection[State] = BUSY
) -> FormState:
    """What is wrong with a file: beside its field, which is not there in states that are `busy`."""
    if isinstance(error, UnreadableFile) and (seen is None or seen.state not in busy):
        return FormState(errors={"file": error.detail})
    return FormState(form_error=error.detail)


async def cancel_import(imports: AnyImports) -> str | None:
    """Stops an import, forgets it, or closes its report; returns what is said then."""
    before = await imports.find()
    if before is None:
        return None
    await imports.cancel()
    if before.state == "running":
        return "import-stopped"
    return "import-forgotten" if before.state in WAITING else "report-closed"


def _percent(seen: ImportStatus | None) -> int:
    if seen is None:
        return 0
    if seen.state == "undoing":
        return 100 * (seen.removed + seen.kept) // max(1, seen.added)
    return 100 * seen.done // max(1, seen.of)


def _is_slow(seen: ImportStatus, now: float) -> bool:
    """Whether it has run so long that it may have been given up; nobody is told when it is."""
    begun = {
        "arriving": seen.created_at,
        "running": seen.started_at,
        "undoing": seen.finished_at,
    }
    since = begun.get(seen.state)
    return since is not None and elapsed(seconds(since), now) > SLOW_SECONDS
