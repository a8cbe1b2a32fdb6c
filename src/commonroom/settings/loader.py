"""Loads settings from where they are given: option, environment, file, or default."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, TypeAlias, get_args, get_origin

import msgspec
from msgspec import Struct

from commonroom.errors import CommonroomError
from commonroom.settings.addresses import (
    host_names,
    mail_address,
    mail_server,
    networks,
    public_hosts,
)
from commonroom.settings.schema import (
    DESCRIBED,
    PREFIX,
    SettingDocs,
    Settings,
    check_time_zone,
    room_keys,
)

CONFIG = PREFIX + "CONFIG"
FILE_NAME = "commonroom.toml"
PARSERS: Mapping[str, Callable[[str], object]] = {
    "mail_server": mail_server,
    "mail_from": mail_address,
    "trusted_proxies": networks,
    "hosts": host_names,
    "public_address": public_hosts,
    "backup_time_zone": check_time_zone,
}
"""What a setting's type cannot say of its value: each raises `ValueError` where it is wrong."""


class WrongSetting(CommonroomError):
    """A setting that is unknown, cannot be read, or has a value that it cannot have."""

    title = "Invalid setting"


class SettingOrigin(Struct, frozen=True):
    """Where a value came from."""

    kind: Literal["default", "option", "environment", "file"]
    name: str = ""
    """The option, the variable or the file."""

    def __str__(self) -> str:
        return f"{self.kind} {self.name}".strip()


Given: TypeAlias = dict[str, tuple[Any, SettingOrigin]]
"""Values as they were written, with where that was."""


class Loaded(Struct, frozen=True):
    """Settings, and the origin of each."""

    settings: Settings
    origins: dict[str, SettingOrigin]
    file: Path | None
    """The settings file that was read, if there is one."""


def load(
    options: Mapping[str, str | None], environment: Mapping[str, str], rooms: Sequence[str]
) -> Loaded:
    """Returns all settings; an option goes before the environment, and that before the file.

    `rooms` are the keys of all that the house has, which are the ones that can be open.
    """
    given = _from_environment(environment)
    given |= {
        name: (value, SettingOrigin("option", f"--{name}"))
        for name, value in options.items()
        if value
    }
    file = _file(given, environment)
    if file is not None:
        given = _from_file(file, found_by_data=CONFIG not in environment) | given
    values = {name: _checked(DESCRIBED[name], *one) for name, one in given.items()}
    if "rooms" in values:
        _check_rooms(values["rooms"], given["rooms"][1], rooms)
    origins = {
        name: given[name][1] if name in given else SettingOrigin("default") for name in DESCRIBED
    }
    settings = Settings(**{"rooms": ",".join(rooms)} | values)
    _check_together(settings, origins)
    return Loaded(settings, origins, file)


def _from_environment(environment: Mapping[str, str]) -> Given:
    variables = {described.variable: name for name, described in DESCRIBED.items()}
    given = {}
    for variable, value in environment.items():
        if not variable.startswith(PREFIX) or variable == CONFIG:
            continue
        if variable not in variables:
            raise _unknown(variable, [*variables, CONFIG], "the environment")
        if value:  # an empty variable is how many tools write "not set"
            given[variables[variable]] = (value, SettingOrigin("environment", variable))
    return given


def _file(given: Given, environment: Mapping[str, str]) -> Path | None:
    if environment.get(CONFIG):
        named = Path(environment[CONFIG])
        if not named.is_file():
            raise WrongSetting(f"{CONFIG} names {named}, which does not exist.")
        return named
    data = given["data"][0] if "data" in given else DESCRIBED["data"].default
    beside = Path(data) / FILE_NAME
    return beside if beside.is_file() else None


def _from_file(file: Path, *, found_by_data: bool) -> Given:
    given = {}
    for name, value in read_file(file).items():
        if name not in DESCRIBED:
            raise _unknown(name, list(DESCRIBED), str(file))
        if name == "data" and found_by_data:
            raise WrongSetting(
                f"{file} was found in the data folder, so it cannot set data itself."
            )
        if name == "data" and isinstance(value, str):
            # In a file, a folder is meant as seen from there.
            value = str(file.parent / Path(value).expanduser())  # noqa: PLW2901 - the same, resolved
        given[name] = (value, SettingOrigin("file", str(file)))
    return given


def _unknown(name: str, known: list[str], where: str) -> WrongSetting:
    from difflib import get_close_matches  # only where something is wrong

    close = get_close_matches(name, known, 1)
    hint = f" (did you mean {close[0]}?)" if close else ""
    return WrongSetting(f"{name} in {where} is not a setting of Commonroom{hint}.")


def _checked(described: SettingDocs, value: Any, origin: SettingOrigin) -> Any:
    """Returns a value of the setting's type; a file has types of its own, all else is text."""
    text = origin.kind != "file"
    try:
        checked = msgspec.convert(
            _cased(described.type, value), described.type, strict=not text, dec_hook=_decoded
        )
        if described.name in PARSERS:
            PARSERS[described.name](checked)
    except (msgspec.ValidationError, ValueError):
        shown = "" if described.secret else f", not {value!r}"
        # Without what it came from, which may quote a part of a secret.
        raise WrongSetting(
            f"{described.name} ({origin}) must be {described.may_be}{shown}."
        ) from None
    return checked


def _cased(declared: Any, value: Any) -> Any:
    """Returns one of several words however it is typed."""
    words = get_args(declared)[0]
    if get_origin(words) is not Literal or not isinstance(value, str):
        return value
    return next((word for word in get_args(words) if word.lower() == value.lower()), value)


def _decoded(declared: type, value: Any) -> Any:
    if declared is Path and isinstance(value, str):
        return Path(value).expanduser()
    raise msgspec.ValidationError(f"{declared} is not expected here")


def _check_rooms(value: str, origin: SettingOrigin, rooms: Sequence[str]) -> None:
    if not room_keys(value) <= set(rooms):
        raise WrongSetting(
            f"rooms ({origin}) must be some of {', '.join(rooms)}, with commas between, "
            f"not {value!r}."
        )


def _check_together(settings: Settings, origins: Mapping[str, SettingOrigin]) -> None:
    if settings.store == "dynamodb" and not settings.dynamodb_region:
        raise WrongSetting(
            f"The store is dynamodb ({origins['store']}), so "
            f"{DESCRIBED['dynamodb_region'].variable} must name a region."
        )
    if settings.search == "opensearch" and not settings.opensearch_address:
        raise WrongSetting(
            f"The search index is in OpenSearch ({origins['search']}), so "
            f"{DESCRIBED['opensearch_address'].variable} must be set to its address."
        )
    if settings.mail_server and not settings.mail_from:
        raise WrongSetting(
            f"There is a mail server ({origins['mail_server']}), so "
            f"{DESCRIBED['mail_from'].variable} must be set to the sender of e-mail."
        )


def read_file(file: Path) -> dict[str, Any]:
    """Returns what a settings file says, unchecked."""
    try:
        return tomllib.loads(file.read_text())
    except tomllib.TOMLDecodeError as error:
        raise WrongSetting(f"{file} is not valid TOML: {error}.") from error
    except (OSError, UnicodeDecodeError) as error:
        raise WrongSetting(f"{file} cannot be read: {error}.") from error
