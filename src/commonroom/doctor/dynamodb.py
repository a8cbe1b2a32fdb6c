"""DynamoDB: whether it can be reached, lets us in, has transactions, and has the tables."""

from __future__ import annotations

import time

from commonroom.doctor.consumers import examine_consumers
from commonroom.doctor.findings import Finding, ok, problem
from commonroom.doctor.guests import examine_guests
from commonroom.doctor.timers import examine_timers
from commonroom.errors import CommonroomError
from commonroom.model import MODEL
from commonroom.opening import NotInstalled, dynamo_settings, opened
from commonroom.settings import Settings
from commonroom.store.errors import NoCredentials, NotSupported

MENDS: dict[type[CommonroomError], str] = {
    NotInstalled: "pip install 'commonroom[dynamodb]'",
    NoCredentials: "Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or switch "
    "COMMONROOM_DYNAMODB_INSTANCE_ROLE on where the instance has a role.",
    NotSupported: "Use DynamoDB, DynamoDB Local, or the embedded engine.",
}
ELSE = "Check COMMONROOM_DYNAMODB_REGION, COMMONROOM_DYNAMODB_ENDPOINT and the network."


async def examine(settings: Settings) -> list[Finding]:
    """The endpoint, the tables, and how the consumers are doing."""
    try:
        address = dynamo_settings(settings).address
        async with opened(settings) as store:
            findings = [ok("dynamodb", f"{address} responds and supports transactions")]
            lacking = await store.engine.missing_tables(MODEL.tables)
            if lacking:
                shown = f"missing: {', '.join(lacking)}"
                return [*findings, problem("tables", shown, "commonroom tables create")]
            findings.append(ok("tables", f"all {len(MODEL.tables)} exist"))
            findings += await examine_consumers(store, time.time())
            findings += await examine_timers(store, time.time())
            return [*findings, await examine_guests(store, settings)]
    except CommonroomError as error:
        return [problem("dynamodb", error.detail, MENDS.get(type(error), ELSE))]
