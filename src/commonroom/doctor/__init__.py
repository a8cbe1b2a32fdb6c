"""What is wrong with an installation, and how to repair it. Nothing here changes anything."""

from __future__ import annotations

import time
from collections.abc import Mapping

from commonroom.doctor import external_services, machine, maintenance
from commonroom.doctor import store as stores
from commonroom.doctor.search import examine_search
from commonroom.errors import CommonroomError
from commonroom.house.rooms import ROOMS
from commonroom.joins.findings import Finding, ok, problem
from commonroom.settings import Loaded, load

__all__ = ["Finding", "examine"]


async def examine(
    options: Mapping[str, str | None], environment: Mapping[str, str]
) -> list[Finding]:
    """Looks at everything that can be looked at, each part saying more than the one before."""
    findings = machine.examine_versions()
    try:
        loaded = load(options, environment, [room.key for room in ROOMS])
    except CommonroomError as error:
        return [*findings, problem("settings", error.detail, "Fix or remove that setting.")]
    settings = loaded.settings
    findings += [_settings(loaded), machine.examine_clock()]
    findings += machine.examine_data_folder(loaded)
    findings += [machine.examine_disk(settings), machine.examine_connections(settings)]
    findings += await external_services.examine_mail(settings)
    findings += await external_services.examine_films(settings)
    findings += external_services.examine_rooms(settings)
    findings += await examine_search(settings)
    if settings.store == "dynamodb":
        return findings + await stores.examine_dynamodb(settings)
    findings += maintenance.examine_maintenance(settings, time.time())
    return findings + await stores.examine_embedded(settings)


def _settings(loaded: Loaded) -> Finding:
    changed = sum(origin.kind != "default" for origin in loaded.origins.values())
    return ok("settings", f"valid; {changed} set, {len(loaded.origins) - changed} at their default")
