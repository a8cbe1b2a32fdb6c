"""The whole examination, in an order in which each part says more than the one before."""

from __future__ import annotations

from collections.abc import Mapping

from commonroom.doctor import books, dynamodb, embedded, films, folder, machine, mail
from commonroom.doctor.findings import Finding, ok, problem
from commonroom.errors import CommonroomError
from commonroom.house.rooms import ROOMS
from commonroom.settings import Loaded, load


async def examine(
    options: Mapping[str, str | None], environment: Mapping[str, str]
) -> list[Finding]:
    """Looks at everything that can be looked at."""
    findings = machine.versions()
    try:
        loaded = load(options, environment, [room.key for room in ROOMS])
    except CommonroomError as error:
        return [*findings, problem("settings", error.detail, "Mend or remove that setting.")]
    findings += [_settings(loaded), machine.clock()]
    findings += folder.examine(loaded)
    findings.append(machine.free_space(loaded.settings))
    findings.append(machine.connections(loaded.settings))
    findings += await mail.examine(loaded.settings)
    findings += await films.examine(loaded.settings)
    findings += books.examine(loaded.settings)
    if loaded.settings.store == "dynamodb":
        return findings + await dynamodb.examine(loaded.settings)
    return findings + await embedded.examine(loaded.settings)


def _settings(loaded: Loaded) -> Finding:
    changed = sum(origin.kind != "default" for origin in loaded.origins.values())
    return ok("settings", f"valid; {changed} set, {len(loaded.origins) - changed} left as they are")
