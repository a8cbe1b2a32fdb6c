"""Maintenance: when the data file was last checked and backed up, and whether that is overdue."""

from __future__ import annotations

from collections.abc import Iterator

from commonroom.joins.findings import Finding, ok, problem, warning
from commonroom.maintenance.backups import backup_folder, list_backups, taken_at
from commonroom.maintenance.schedule import OFF, last_moment
from commonroom.maintenance.state import MaintenanceState, Run, read_state
from commonroom.settings import Settings

OVERDUE_SECONDS = 2 * 3600.0
"""How much later than scheduled it may be: a server that is started makes up for it at once."""


def examine_maintenance(settings: Settings, now: float) -> Iterator[Finding]:
    """Yields the last integrity check and the last backup."""
    state = read_state(settings) or MaintenanceState(since=now)
    yield _check_run(
        "integrity", "integrity check", settings.check_time, state.check, settings, state.since, now
    )
    if settings.backup_time == OFF:
        repair = "Set COMMONROOM_BACKUP_TIME, or take backups yourself with `commonroom backup`."
        yield warning("backups", "scheduled backups are off", repair)
        return
    found = _check_run(
        "backups", "backup", settings.backup_time, state.backup, settings, state.since, now
    )
    there = list_backups(settings)
    if found.level == "ok" and there:
        age, size = _age(now - taken_at(there[0])), there[0].stat().st_size
        shown = f"the newest is {age} old, {there[0]}, {size:,} bytes; {len(there)} in all"
        yield ok("backups", shown)
    elif found.level == "ok" and state.backup.succeeded_at is not None:
        repair = "They were moved or deleted; the next one is taken as scheduled."
        yield warning("backups", f"there are none in {backup_folder(settings)}", repair)
    else:
        yield found


def _check_run(  # noqa: PLR0917 - said of two things alike
    about: str, what: str, at: str, last: Run, settings: Settings, since: float, now: float
) -> Finding:
    moment = last_moment(now, at, settings.backup_time_zone)
    if last.problem:
        repair = "Fix the cause; it is tried again within the hour."
        return problem(
            about, f"the last {what} failed {_age(now - last.tried_at)} ago: {last.problem}", repair
        )
    done = since if last.succeeded_at is None else last.succeeded_at
    if moment is not None and done < moment and now - moment > OVERDUE_SECONDS:
        repair = "Is Commonroom running? A server makes up for it when it starts."
        return warning(about, f"the {what} of {_age(now - moment)} ago was missed", repair)
    if last.succeeded_at is not None:
        return ok(
            about, f"the last {what} was {_age(now - last.succeeded_at)} ago, without problems"
        )
    return ok(about, f"scheduled {what}s are off" if at == OFF else f"the first {what} is at {at}")


def _age(seconds: float) -> str:
    """Returns a length of time as people say it."""
    for unit, length in (("days", 86_400), ("hours", 3600)):
        if seconds >= 2 * length:
            return f"{seconds / length:.0f} {unit}"
    return f"{max(seconds, 0) / 60:.0f} minutes"
