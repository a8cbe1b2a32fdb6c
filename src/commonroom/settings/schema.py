"""Every setting, once: its type, its default, what it may be, and what it is for."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Literal, get_args
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import msgspec
from msgspec import Meta, Struct

PREFIX = "COMMONROOM_"
DATA_FILE = "commonroom.db"
TIME = "^(([01][0-9]|2[0-3]):[0-5][0-9]|off)$"


def _may_be(what: str, *, secret: bool = False) -> dict[str, Any]:
    return {"may_be": what, "secret": secret}


class Settings(Struct, frozen=True, kw_only=True):
    """What an installation can set; everything has a default."""

    data: Annotated[
        Path,
        Meta(
            description="The data folder: data file, secrets, settings file.",
            extra=_may_be("a folder’s path"),
        ),
    ] = Path("data")
    store: Annotated[
        Literal["embedded", "dynamodb"],
        Meta(
            description="Which engine stores the data: one SQLite file, or DynamoDB.",
            extra=_may_be("embedded or dynamodb"),
        ),
    ] = "embedded"
    durability: Annotated[
        Literal["FULL", "NORMAL"],
        Meta(
            description=(
                "FULL: saved data survives a power cut. NORMAL: it survives a crash of "
                "Commonroom, and writing is faster."
            ),
            extra=_may_be("FULL or NORMAL"),
        ),
    ] = "FULL"
    check_time: Annotated[
        str,
        Meta(
            pattern=TIME,
            description=(
                "When the data file is checked for damage, every day; with the embedded engine."
            ),
            extra=_may_be("a time such as 03:00, or off"),
        ),
    ] = "03:00"
    backup_time: Annotated[
        str,
        Meta(
            pattern=TIME,
            description="When a backup is taken, every day; with the embedded engine.",
            extra=_may_be("a time such as 03:30, or off"),
        ),
    ] = "03:30"
    backup_time_zone: Annotated[
        str,
        Meta(
            max_length=100,
            description="The time zone of these times; without one, this machine’s.",
            extra=_may_be("a time zone’s name, such as Europe/Berlin"),
        ),
    ] = ""
    backups_kept: Annotated[
        int,
        Meta(
            ge=1,
            le=1000,
            description="How many of these backups are kept; then the oldest is deleted.",
            extra=_may_be("a number from 1 to 1000"),
        ),
    ] = 7
    backup_folder: Annotated[
        str,
        Meta(
            max_length=1000,
            description=(
                "The folder of these backups; without one, `backups` in the data folder. A folder "
                "on another disk also helps when this one fails."
            ),
            extra=_may_be("a folder’s path"),
        ),
    ] = ""
    dynamodb_region: Annotated[
        str,
        Meta(
            pattern="^[a-z0-9-]+$",
            description="The AWS region; needed when the store is dynamodb.",
            extra=_may_be("a region’s name, such as eu-central-1"),
        ),
    ] = ""
    dynamodb_prefix: Annotated[
        str,
        Meta(
            pattern="^[a-zA-Z0-9_.-]{0,100}$",
            description="Prefix of every table’s name, for several installations in one account.",
            extra=_may_be("up to 100 letters, digits, dots, dashes and underscores"),
        ),
    ] = ""
    dynamodb_endpoint: Annotated[
        str,
        Meta(
            pattern="^https?://[^/]",
            description="A different endpoint than the region’s own, such as DynamoDB Local.",
            extra=_may_be("an address that begins with http:// or https://"),
        ),
    ] = ""
    dynamodb_instance_role: Annotated[
        bool,
        Meta(
            description="Whether to use the credentials of the EC2 instance.",
            extra=_may_be("true or false"),
        ),
    ] = False
    host: Annotated[
        str,
        Meta(
            min_length=1,
            description="The address to listen on; 0.0.0.0 is every address of this machine.",
            extra=_may_be("an IP address of this machine"),
        ),
    ] = "127.0.0.1"
    port: Annotated[
        int,
        Meta(
            ge=1,
            le=65535,
            description="The port to listen on.",
            extra=_may_be("a number from 1 to 65535"),
        ),
    ] = 8400
    public_address: Annotated[
        str,
        Meta(
            pattern="^(https?://[^/?#]+)?$",
            description=(
                "The address that people use, if there is a proxy in front; used for links "
                "and cookies."
            ),
            extra=_may_be("an address such as https://home.example"),
        ),
    ] = ""
    hosts: Annotated[
        str,
        Meta(
            max_length=2000,
            description=(
                "Additional host names; requests with any other name are refused. The public "
                "address, localhost, this machine’s own name and IP addresses are always "
                "allowed."
            ),
            extra=_may_be("names separated by commas, such as nas.lan, home.example"),
        ),
    ] = ""
    sign_up: Annotated[
        Literal["open", "invite", "closed"],
        Meta(
            description="Who can create an account: anyone, people with an invitation, or no one.",
            extra=_may_be("open, invite or closed"),
        ),
    ] = "invite"
    page_makers: Annotated[
        Literal["anybody", "accounts", "nobody"],
        Meta(
            description=(
                "Who can create pages to share (checklists, events, polls): anyone, people "
                "with an account, or no one. Existing pages stay."
            ),
            extra=_may_be("anybody, accounts or nobody"),
        ),
    ] = "anybody"
    guest_pages_per_day: Annotated[
        int,
        Meta(
            ge=1,
            le=10_000,
            description="How many pages one address can create per day without an account.",
            extra=_may_be("a number from 1 to 10000"),
        ),
    ] = 60
    guest_storage_mb: Annotated[
        int,
        Meta(
            ge=10,
            le=1_000_000,
            description=(
                "Storage for all pages created without an account, with everything on them, "
                "in megabytes. When it is full, only people with an account can create pages."
            ),
            extra=_may_be("a number from 10 to 1000000"),
        ),
    ] = 500
    answers_per_page: Annotated[
        int,
        Meta(
            ge=1,
            le=5000,
            description="How many answers an event takes, and how many votes a poll.",
            extra=_may_be("a number from 1 to 5000"),
        ),
    ] = 2000
    rooms: Annotated[
        str,
        Meta(
            max_length=1000,
            description="The rooms that are switched on, all where it is not set; others are "
            "hidden and keep their data.",
            extra=_may_be("some of the rooms, separated by commas, such as movienight, library"),
        ),
    ] = ""
    trusted_proxies: Annotated[
        str,
        Meta(
            max_length=1000,
            description=(
                "Trusted proxies: they say where a request comes from and whether it used "
                "https. Without one, sign-in attempts are counted by the address that "
                "connects."
            ),
            extra=_may_be("IP addresses and networks separated by commas, such as 10.0.0.0/8"),
        ),
    ] = ""
    workers: Annotated[
        int,
        Meta(
            ge=1,
            le=64,
            description="Number of processes that answer requests.",
            extra=_may_be("a number from 1 to 64"),
        ),
    ] = 1
    request_timeout: Annotated[
        int,
        Meta(
            ge=1,
            le=300,
            description=(
                "Timeout of an idle connection in seconds: before a request, within its head, "
                "within its body, and while its response is not read."
            ),
            extra=_may_be("a number from 1 to 300"),
        ),
    ] = 15
    most_requests: Annotated[
        int,
        Meta(
            ge=1,
            le=100_000,
            description=(
                "How many requests each process handles at a time; one address gets a tenth "
                "of them, but at least one."
            ),
            extra=_may_be("a number from 1 to 100000"),
        ),
    ] = 1000
    most_live_pages: Annotated[
        int,
        Meta(
            ge=0,
            le=50_000,
            description="How many open pages each process sends live updates to.",
            extra=_may_be("a number from 0 to 50000"),
        ),
    ] = 2500
    live_pages_per_address: Annotated[
        int,
        Meta(
            ge=0,
            le=50_000,
            description="How many of these one address can have; IPv6 is counted by /64.",
            extra=_may_be("a number from 0 to 50000"),
        ),
    ] = 100
    live_pages_per_account: Annotated[
        int,
        Meta(
            ge=0,
            le=50_000,
            description="How many of these one account can have.",
            extra=_may_be("a number from 0 to 50000"),
        ),
    ] = 30
    mail_server: Annotated[
        str,
        Meta(
            pattern="^(smtps?(\\+starttls)?://[^/?#]+)?$",
            description="The server that sends e-mail; everything also works without one.",
            extra=_may_be(
                "an address such as smtps://name:password@mail.example:465, or "
                "smtp+starttls://name:password@mail.example:587",
                secret=True,
            ),
        ),
    ] = ""
    mail_from: Annotated[
        str,
        Meta(
            max_length=200,
            description="The sender of e-mail; needed when there is a mail server.",
            extra=_may_be("an e-mail address, such as commonroom@home.example"),
        ),
    ] = ""
    tmdb_key: Annotated[
        str,
        Meta(
            max_length=1000,
            description="A TMDB access token; with it, films come from TMDB instead of the "
            "built-in catalogue alone.",
            extra=_may_be("the API read access token of a TMDB account", secret=True),
        ),
    ] = ""
    tmdb_address: Annotated[
        str,
        Meta(
            pattern="^https?://[^?#]+[^/?#]$",
            description="The address of TMDB’s API.",
            extra=_may_be("an address without a slash at the end"),
        ),
    ] = "https://api.themoviedb.org/3"
    region: Annotated[
        str,
        Meta(
            pattern="^[A-Z]{2}$",
            description="The country of your streaming services.",
            extra=_may_be("two capital letters, such as DE"),
        ),
    ] = "US"
    book_look_ups: Annotated[
        bool,
        Meta(
            description="Whether books are looked up by ISBN at Open Library.",
            extra=_may_be("true or false"),
        ),
    ] = True
    open_library_address: Annotated[
        str,
        Meta(
            pattern="^https?://[^?#]+[^/?#]$",
            description="The address of Open Library.",
            extra=_may_be("an address without a slash at the end"),
        ),
    ] = "https://openlibrary.org"
    covers: Annotated[
        bool,
        Meta(
            description=(
                "Whether covers of books and films are fetched from the addresses that people "
                "entered; otherwise covers are drawn."
            ),
            extra=_may_be("true or false"),
        ),
    ] = True
    metrics: Annotated[
        bool,
        Meta(
            description="Whether /metrics reports the number of requests and response times.",
            extra=_may_be("true or false"),
        ),
    ] = False
    metrics_token: Annotated[
        str,
        Meta(
            pattern="^([!-~]{16,200})?$",
            description=(
                "The bearer token needed to read /metrics; without one, only this machine "
                "itself can read them."
            ),
            extra=_may_be("16 to 200 letters, digits and symbols, hard to guess", secret=True),
        ),
    ] = ""
    log_level: Annotated[
        Literal["debug", "info", "warning", "error"],
        Meta(
            description="The log level.",
            extra=_may_be("debug, info, warning or error"),
        ),
    ] = "info"
    secret_key: Annotated[
        str,
        Meta(
            min_length=32,
            description=(
                "The key for page links and sessions, where several machines must share it; "
                "otherwise it is created on first start and kept in `secrets.json`."
            ),
            extra=_may_be("32 characters or more, hard to guess", secret=True),
        ),
    ] = ""

    @property
    def data_file(self) -> Path:
        """Where the embedded engine keeps everything."""
        return self.data / DATA_FILE

    def is_open(self, room: str) -> bool:
        """Whether a room is not switched off."""
        return not self.rooms or room in room_keys(self.rooms)


def room_keys(text: str) -> set[str]:
    """The rooms that a setting lists."""
    return {key.strip() for key in text.split(",")}


def check_time_zone(name: str) -> None:
    """Raises `ValueError` where a name is that of no time zone; none means this machine's."""
    try:
        if name:
            ZoneInfo(name)
    except (ZoneInfoNotFoundError, OSError) as error:
        raise ValueError(f"{name} is no time zone.") from error


class Described(Struct, frozen=True):
    """A setting as documentation and error messages speak of it."""

    name: str
    type: Any
    default: Any
    description: str
    may_be: str
    secret: bool

    @property
    def variable(self) -> str:
        """Its environment variable."""
        return PREFIX + self.name.upper()


def _described(field: msgspec.structs.FieldInfo) -> Described:
    meta: Meta = get_args(field.type)[1]
    extra = meta.extra or {}
    return Described(
        field.name,
        field.type,
        field.default,
        meta.description or "",
        extra["may_be"],
        extra["secret"],
    )


DESCRIBED: dict[str, Described] = {
    field.name: _described(field) for field in msgspec.structs.fields(Settings)
}
"""Every setting by name, in the order in which they are shown."""
