"""The store: the data file or DynamoDB, consumers, timers, and what rooms say of what they keep."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import AsyncIterator, Collection, Iterator, Sequence
from contextlib import closing
from typing import TypeAlias

import apsw

from commonroom.doctor.damaged_items import examine_items
from commonroom.doctor.machine import RIGHTS_OF_OTHERS
from commonroom.doctor.search import compare_search
from commonroom.errors import CommonroomError
from commonroom.house.consumers import RETIRED_CONSUMERS
from commonroom.house.rooms import ROOMS
from commonroom.house.secrets_in_use import DIFFERENT_SECRETS, SAME_SECRETS, are_in_use
from commonroom.joins.findings import Finding, StoreExamination, ok, problem, warning
from commonroom.joins.rooms import offers_without_server
from commonroom.model import MODEL
from commonroom.moments import iso
from commonroom.open_store import NotInstalled, dynamo_settings, open_store, upgrade_of
from commonroom.search.indexing import CONSUMER as SEARCH_CONSUMER
from commonroom.search.opening import is_index_per_machine
from commonroom.settings import Settings, WrongSetting, secrets_of
from commonroom.settings.secrets import FILE_NAME
from commonroom.store import Store
from commonroom.store.damage import tolerating_damage
from commonroom.store.embedded.backup import check_database
from commonroom.store.embedded.data_file import file_errors
from commonroom.store.embedded.disk_space import DiskSpace, measure
from commonroom.store.embedded.migrations import is_current, missing_tables, read_states
from commonroom.store.embedded.read_only import open_read_only, unseen_log_bytes
from commonroom.store.embedded.schema import TableSql
from commonroom.store.errors import NewerData, NoCredentials, NotAdditive, NotSupported
from commonroom.store.streams.progress import stored_progress
from commonroom.store.streams.tables import ConsumerState, ParkedChange, ShardState
from commonroom.store.streams.workers import NO_WORKER, has_worker
from commonroom.store.upgrades.incomplete import Incomplete
from commonroom.timers.scheduler import WAITING_BY_BUCKET
from commonroom.timers.tables import FailedTimer, Timer, failed_timers

AHEAD_SECONDS = 60.0
UPGRADED = ("tables", "upgrade")
"""What is to be as this version wants it before the store is opened."""
REPAIRS: dict[type[CommonroomError], str] = {
    NotInstalled: "pip install 'commonroom[dynamodb]'",
    NoCredentials: "Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or switch "
    "COMMONROOM_DYNAMODB_INSTANCE_ROLE on where the instance has a role.",
    NotSupported: "Use DynamoDB, DynamoDB Local, or the embedded engine.",
    NewerData: "Use the newer version, or restore a backup from before: docs/upgrading.md.",
    NotAdditive: "Export with the version that wrote it, and import: docs/upgrading.md.",
}
OTHER_REPAIR = "Check COMMONROOM_DYNAMODB_REGION, COMMONROOM_DYNAMODB_ENDPOINT and the network."
START_WORKER = "Run `commonroom worker` with the same settings as the servers."
BEHIND_SECONDS = 300.0
MISSED_SHOWN_SECONDS = 30 * 86_400.0
ConsumerRecord: TypeAlias = ConsumerState | ParkedChange | ShardState
MAX_CONSUMER_RECORDS = 10_000
"""How many records of consumers are looked at."""
LATE_SECONDS = 300.0
MAX_GIVEN_UP = 1000
"""How many given up timers are looked at."""


async def examine_embedded(settings: Settings) -> list[Finding]:
    """Returns the data file, its tables, and how its consumers are doing."""
    path = settings.data_file
    if not path.exists() or not path.stat().st_size:
        return [ok("data file", f"{path} is created on the first start")]
    try:
        with closing(open_read_only(path)) as connection, file_errors(path):
            check_database(connection, path)
            findings = list(_file(settings, connection))
            complete = all(one.level == "ok" for one in findings if one.about in UPGRADED)
    except (NewerData, NotAdditive) as error:
        return [problem("upgrade", error.detail, REPAIRS[type(error)])]
    except CommonroomError as error:
        repair = "Restore a backup with `commonroom restore`, or move the file away."
        return [problem("data file", error.detail, repair)]
    # Opening would make what is missing, and a doctor changes nothing.
    if complete:
        try:
            async with open_store(settings, only_reading=True) as store:
                findings += await _examine_contents(store, settings)
        except NewerData as error:
            findings.append(problem("upgrade", error.detail, REPAIRS[NewerData]))
    return findings


def _file(settings: Settings, connection: apsw.Connection) -> Iterator[Finding]:
    path = settings.data_file
    size = path.stat().st_size
    yield ok("data file", f"{path} is a valid data file, {size:,} bytes")
    if unseen := unseen_log_bytes(path):
        repair = "Copy the folder to a disk that can be written, and look there."
        shown = f"{unseen:,} bytes of the newest changes, in {path.name}-wal, cannot be seen here"
        yield warning("data file", shown, repair)
    if path.stat().st_mode & RIGHTS_OF_OTHERS:
        yield warning("data file", f"other users can read {path}", f"chmod 600 {path}")
    lacking = missing_tables(connection, map(TableSql, MODEL.tables))
    if lacking:
        repair = "They are created on the next start, or by `commonroom tables create`."
        yield warning("tables", f"not created yet: {', '.join(lacking)}", repair)
        return
    yield ok("tables", f"all {len(MODEL.tables)} exist")
    yield _upgrade(connection)
    yield _space(measure(connection, time.time()))
    newest = connection.execute("SELECT max(at) FROM _changes").get
    if newest is not None and newest > time.time() + AHEAD_SECONDS:
        repair = "Set the clock, preferably with NTP; until then things expire too late."
        yield warning("clock", "the clock is behind the time of the last change", repair)


def _upgrade(connection: apsw.Connection) -> Finding:
    """Whether the file is as this version wants it, or how far it is on the way there."""
    tables = [TableSql(table) for table in MODEL.tables]
    if not is_current(connection, tables, read_states(connection)):
        repair = "It is upgraded on the next start; make a backup before."
        return warning("upgrade", "the data file is of an earlier version", repair)
    incomplete = Incomplete()
    incomplete.update(MODEL.tables, read_states(connection))
    if incomplete.filling:
        repair = "It goes on while Commonroom is running, or with `commonroom tables upgrade`."
        return warning("upgrade", incomplete.summary, repair)
    return ok("upgrade", "the data is complete for this version")


def _space(space: DiskSpace) -> Finding:
    """How the file grows: a house that is used grows slowly, one that is abused does not."""
    shown = f"{_megabytes(space.free_bytes)} of it free, {_megabytes(space.change_bytes)} changes"
    if space.bytes_a_week_ago is not None:
        grown = space.bytes - space.bytes_a_week_ago
        shown += f"; {_megabytes(abs(grown))} {'more' if grown >= 0 else 'less'} than a week ago"
    if not space.gives_back and space.free_bytes > space.bytes / 4:
        repair = "Restart Commonroom to free the space."
        return warning("space", f"{shown}; free space cannot be returned to the disk", repair)
    return ok("space", shown)


def _megabytes(count: int) -> str:
    """Returns a size as people say it."""
    return f"{count / 1_000_000:,.1f} MB"


async def examine_dynamodb(settings: Settings) -> list[Finding]:
    """Returns the endpoint, the tables, and how the consumers are doing."""
    try:
        address = dynamo_settings(settings).address
        async with open_store(settings) as store:
            findings = [ok("dynamodb", f"{address} responds and supports transactions")]
            upgrade = upgrade_of(store)
            if lacking := await upgrade.examine_tables():
                shown = f"missing: {', '.join(lacking)}"
                return [*findings, problem("tables", shown, "commonroom tables create")]
            findings.append(ok("tables", f"all {len(MODEL.tables)} exist"))
            if not await upgrade.is_complete():
                shown = store.engine.incomplete.summary
                return [*findings, problem("upgrade", shown, "commonroom tables upgrade")]
            findings.append(ok("upgrade", "the data is complete for this version"))
            return [*findings, *await _examine_contents(store, settings)]
    except CommonroomError as error:
        return [problem("dynamodb", error.detail, REPAIRS.get(type(error), OTHER_REPAIR))]


async def _examine_contents(store: Store, settings: Settings) -> list[Finding]:
    now = time.time()
    rooms = offers_without_server(ROOMS, StoreExamination)
    with tolerating_damage():  # what is damaged is counted by itself
        return [
            await examine_items(store, MODEL.tables),
            *await examine_worker(store, now),
            *await examine_consumers(store, now, _retired_consumers(settings)),
            *await examine_timers(store, now),
            *await examine_secrets(store, settings),
            *await compare_search(store, settings),
            *[await one.examine(store, settings) for one in rooms],
        ]


async def examine_secrets(store: Store, settings: Settings) -> list[Finding]:
    """Whether this machine's secrets are those that are used; none are made."""
    if not settings.secret_key and not (settings.data / FILE_NAME).exists():
        return []
    try:
        secrets = secrets_of(settings)
    except WrongSetting:
        return []  # which is said of the data folder
    if await are_in_use(store, secrets):
        return []
    return [problem("secrets", DIFFERENT_SECRETS, SAME_SECRETS)]


async def examine_worker(store: Store, now: float) -> list[Finding]:
    """Whether a worker processes changes, where the servers do not."""
    return [] if await has_worker(store, now) else [problem("worker", NO_WORKER, START_WORKER)]


def _retired_consumers(settings: Settings) -> frozenset[str]:
    """Those that no longer run: of an index of each machine, servers know how far it has come."""
    per_machine = {SEARCH_CONSUMER} if is_index_per_machine(settings) else set()
    return RETIRED_CONSUMERS | per_machine


async def examine_consumers(
    store: Store, now: float, retired: Collection[str] = ()
) -> list[Finding]:
    """Returns every consumer that has ever run against this store, and still does."""
    records: list[ConsumerRecord] = []
    found: AsyncIterator[ConsumerRecord]
    found = stored_progress(store, ConsumerState, ParkedChange, ShardState)
    async for one in found:
        if one.consumer not in retired:
            records.append(one)
        if len(records) == MAX_CONSUMER_RECORDS:
            break
    parked = [one for one in records if isinstance(one, ParkedChange)]
    places = [one for one in records if isinstance(one, ShardState)]
    states = [one for one in records if isinstance(one, ConsumerState)]
    findings = [
        *_missed(states, now),
        *_set_aside(parked),
        *_waiting(parked),
        *await _behind(store, places, now),
    ]
    if findings:
        return findings
    names = {one.consumer for one in records}
    ran = f"{len(names)} have run" if names else "none has run yet"
    if not await has_worker(store, now):
        return [warning("consumers", f"{ran}, and none runs now", START_WORKER)]
    return [ok("consumers", f"{ran}; none is behind or failing")]


def _missed(states: list[ConsumerState], now: float) -> Iterator[Finding]:
    """Who was away for longer than changes are kept; of those that were repaired, for a while."""
    for one in states:
        if one.missed_until is None or now - one.missed_until > MISSED_SHOWN_SECONDS:
            continue
        if one.is_new:
            if one.repaired_at is None:
                repair = "Commonroom checks and repairs the data by itself when it runs."
                yield warning("consumers", f"{one.consumer} is new and waits for that", repair)
            continue
        since = "" if one.missed_from is None else f" since {iso(one.missed_from)}"
        shown = f"{one.consumer} was away{since} until {iso(one.missed_until)} and missed changes"
        if one.repaired_at is None:
            repair = "Commonroom checks and repairs the data by itself when it runs."
            yield problem("consumers", f"{shown} that were no longer kept", repair)
        else:
            repair = "Keep Commonroom running. Notifications of that time were not sent."
            yield warning("consumers", f"{shown}; the data was checked and repaired since", repair)


def _set_aside(parked: list[ParkedChange]) -> Iterator[Finding]:
    aside = [one for one in parked if one.aside]
    for name, count in Counter(one.consumer for one in aside).items():
        last = max((one for one in aside if one.consumer == name), key=lambda one: one.changed_at)
        yield problem(
            "consumers",
            f"{name} gave up on {count} changes, the last with: {last.error}",
            "Nothing else is held up by them. Fix the cause, then run `commonroom check "
            "--repair` to fix copies.",
        )


def _waiting(parked: list[ParkedChange]) -> Iterator[Finding]:
    waiting = [one for one in parked if not one.aside]
    for name, count in Counter(one.consumer for one in waiting).items():
        failed = next((one.error for one in waiting if one.consumer == name and one.error), "")
        repair = "They are retried automatically."
        yield warning("consumers", f"{name} has {count} changes waiting: {failed}", repair)


async def _behind(store: Store, states: list[ShardState], now: float) -> list[Finding]:
    oldest: dict[str, float] = {}
    for state in states:
        try:
            table = MODEL.table(state.stream)
            next_up = await store.engine.changes(table, state.shard, state.position, 1)
        except CommonroomError:
            continue  # a shard or a table that is no longer there
        if next_up.records:
            at = next_up.records[0].at
            oldest[state.consumer] = min(at, oldest.get(state.consumer, at))
    hours = store.engine.retention_seconds / 3600
    repair = f"Is Commonroom running? Changes are kept for {hours:.0f} hours."
    return [
        warning("consumers", f"{name} is {(now - at) / 60:.0f} minutes behind", repair)
        for name, at in oldest.items()
        if now - at > BEHIND_SECONDS
    ]


async def examine_timers(store: Store, now: float) -> list[Finding]:
    """Returns what waits, and what nobody will do any more."""
    given_up = await store.page(failed_timers(), limit=MAX_GIVEN_UP)
    first = await store.merged(WAITING_BY_BUCKET, limit=1)
    findings = [*_given_up(given_up.items), *_late(first.items, now)]
    return findings or [ok("timers", "none failed, and none is late")]


def _given_up(given_up: Sequence[FailedTimer]) -> Iterator[Finding]:
    """The newest come first."""
    for kind, count in Counter(one.kind for one in given_up).items():
        last = next(one for one in given_up if one.kind == kind)
        yield problem(
            "timers",
            f"{count} for {kind} failed for good, the last with: {last.error}",
            "Fix the cause. They are not tried again; they are shown for 30 days.",
        )


def _late(first: Sequence[Timer], now: float) -> Iterator[Finding]:
    for timer in first:
        if now - timer.moment > LATE_SECONDS:
            late = (now - timer.moment) / 60
            repair = "Is Commonroom running? They are handled as soon as it is."
            yield warning("timers", f"one for {timer.kind} is {late:.0f} minutes late", repair)
