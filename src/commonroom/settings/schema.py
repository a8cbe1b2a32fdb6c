"""Every setting, once: its type, its default, what it may be, and what it is for."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Literal, get_args, get_origin
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import msgspec
from msgspec import Meta, Struct

PREFIX = "COMMONROOM_"
DATA_FILE = "commonroom.db"
SEARCH_FILE = "search.db"
TIME = "^(([01][0-9]|2[0-3]):[0-5][0-9]|off)$"


def _setting(description: str, may_be: str = "", *, secret: bool = False, **bounds: Any) -> Meta:
    """Describes a setting; what it may be is said where its type does not say it."""
    return Meta(description=description, extra={"may_be": may_be, "secret": secret}, **bounds)


def _number(ge: int, le: int, description: str) -> Meta:
    return _setting(description, f"a number from {ge} to {le}", ge=ge, le=le)


def _words_of(declared: Any) -> str:
    """Returns what a setting of some words may be, such as “open, invite or closed”."""
    words = get_args(declared) if get_origin(declared) is Literal else ("true", "false")
    return f"{', '.join(words[:-1])} or {words[-1]}"


class Settings(Struct, frozen=True, kw_only=True):
    """What an installation can set; everything has a default."""

    data: Annotated[
        Path, _setting("The data folder: data file, secrets, settings file.", "a folder’s path")
    ] = Path("data")
    store: Annotated[
        Literal["embedded", "dynamodb"],
        _setting("Which engine stores the data: one SQLite file, or DynamoDB."),
    ] = "embedded"
    durability: Annotated[
        Literal["FULL", "NORMAL"],
        _setting(
            "FULL: saved data survives a power cut. NORMAL: it survives a crash of Commonroom, "
            "and writing is faster."
        ),
    ] = "FULL"
    check_time: Annotated[
        str,
        _setting(
            "When the data file is checked for damage, every day; with the embedded engine.",
            "a time such as 03:00, or off",
            pattern=TIME,
        ),
    ] = "03:00"
    backup_time: Annotated[
        str,
        _setting(
            "When a backup is taken, every day; with the embedded engine.",
            "a time such as 03:30, or off",
            pattern=TIME,
        ),
    ] = "03:30"
    backup_time_zone: Annotated[
        str,
        _setting(
            "The time zone of these times; without one, this machine’s.",
            "a time zone’s name, such as Europe/Berlin",
            max_length=100,
        ),
    ] = ""
    backups_kept: Annotated[
        int, _number(1, 1000, "How many of these backups are kept; then the oldest is deleted.")
    ] = 7
    backup_folder: Annotated[
        str,
        _setting(
            "The folder of these backups; without one, `backups` in the data folder. A folder "
            "on another disk also helps when this one fails.",
            "a folder’s path",
            max_length=1000,
        ),
    ] = ""
    dynamodb_region: Annotated[
        str,
        _setting(
            "The AWS region; needed when the store is dynamodb.",
            "a region’s name, such as eu-central-1",
            pattern="^[a-z0-9-]+$",
        ),
    ] = ""
    dynamodb_prefix: Annotated[
        str,
        _setting(
            "Prefix of every table’s name, for several installations in one account.",
            "up to 100 letters, digits, dots, dashes and underscores",
            pattern="^[a-zA-Z0-9_.-]{0,100}$",
        ),
    ] = ""
    dynamodb_endpoint: Annotated[
        str,
        _setting(
            "A different endpoint than the region’s own, such as DynamoDB Local.",
            "an address that begins with http:// or https://",
            pattern="^https?://[^/]",
        ),
    ] = ""
    dynamodb_instance_role: Annotated[
        bool, _setting("Whether to use the credentials of the EC2 instance.")
    ] = False
    search: Annotated[
        Literal["embedded", "opensearch"],
        _setting(
            "Where the search index is: in a file of the data folder, or in OpenSearch, which "
            "several machines can share."
        ),
    ] = "embedded"
    opensearch_address: Annotated[
        str,
        _setting(
            "The address of OpenSearch; needed when search is opensearch.",
            "an address without a slash at the end, such as https://search.example:9200",
            pattern="^(https?://[^/?#@]+)?$",
        ),
    ] = ""
    opensearch_login: Annotated[
        str,
        _setting(
            "The user that OpenSearch knows Commonroom as.",
            "a name and a password with a colon between",
            secret=True,
            pattern="^([^:\\s]+:.+)?$",
            max_length=1000,
        ),
    ] = ""
    opensearch_prefix: Annotated[
        str,
        _setting(
            "Prefix of the names of its indexes, for several installations in one OpenSearch.",
            "up to 50 small letters, digits and dashes, a letter first",
            pattern="^[a-z][a-z0-9-]{0,49}$",
        ),
    ] = "commonroom"
    host: Annotated[
        str,
        _setting(
            "The address to listen on; 0.0.0.0 is every address of this machine.",
            "an IP address of this machine",
            min_length=1,
        ),
    ] = "127.0.0.1"
    port: Annotated[int, _number(1, 65535, "The port to listen on.")] = 8400
    public_address: Annotated[
        str,
        _setting(
            "The address that people use, if there is a proxy in front; used for links and "
            "cookies.",
            "an address such as https://home.example",
            pattern="^(https?://[^/?#]+)?$",
        ),
    ] = ""
    hosts: Annotated[
        str,
        _setting(
            "Additional host names; requests with any other name are refused. The public address, "
            "localhost, this machine’s own name and IP addresses are always allowed.",
            "names separated by commas, such as nas.lan, home.example",
            max_length=2000,
        ),
    ] = ""
    sign_up: Annotated[
        Literal["open", "invite", "closed"],
        _setting("Who can create an account: anyone, people with an invitation, or no one."),
    ] = "invite"
    page_makers: Annotated[
        Literal["anybody", "accounts", "nobody"],
        _setting(
            "Who can create pages to share (checklists, events, polls): anyone, people with an "
            "account, or no one. Existing pages stay."
        ),
    ] = "anybody"
    guest_pages_per_day: Annotated[
        int, _number(1, 10_000, "How many pages one address can create per day without an account.")
    ] = 60
    guest_storage_mb: Annotated[
        int,
        _number(
            10,
            1_000_000,
            "Storage for all pages created without an account, with everything on them, in "
            "megabytes. When it is full, only people with an account can create pages.",
        ),
    ] = 500
    answers_per_page: Annotated[
        int, _number(1, 5000, "How many answers an event takes, and how many votes a poll.")
    ] = 2000
    who_publishes: Annotated[
        Literal["curators", "everybody"],
        _setting(
            "Who can publish watchlists: administrators and the curators whom one has approved, or "
            "everybody with an account. Everybody can keep private ones."
        ),
    ] = "curators"
    rooms: Annotated[
        str,
        _setting(
            "The rooms that are switched on, all where it is not set; others are hidden and keep "
            "their data.",
            "some of the rooms, separated by commas, such as movienight, library",
            max_length=1000,
        ),
    ] = ""
    trusted_proxies: Annotated[
        str,
        _setting(
            "Trusted proxies: they say where a request comes from and whether it used https. "
            "Without one, sign-in attempts are counted by the address that connects.",
            "IP addresses and networks separated by commas, such as 10.0.0.0/8",
            max_length=1000,
        ),
    ] = ""
    workers: Annotated[int, _number(1, 64, "Number of processes that answer requests.")] = 1
    request_timeout: Annotated[
        int,
        _number(
            1,
            300,
            "Timeout of an idle connection in seconds: before a request, within its head, within "
            "its body, and while its response is not read.",
        ),
    ] = 15
    most_requests: Annotated[
        int,
        _number(
            1,
            100_000,
            "How many requests each process handles at a time; one address gets a tenth of them, "
            "but at least one.",
        ),
    ] = 1000
    processor_share: Annotated[
        int,
        _number(
            1,
            100,
            "How much of a processor one network, or one account, can use over time in each "
            "process, in percent; beyond that its requests wait, then get 429. 100: no limit.",
        ),
    ] = 25
    most_live_pages: Annotated[
        int, _number(0, 50_000, "How many open pages each process sends live updates to.")
    ] = 2500
    live_pages_per_address: Annotated[
        int, _number(0, 50_000, "How many of these one address can have; IPv6 is counted by /64.")
    ] = 100
    live_pages_per_account: Annotated[
        int, _number(0, 50_000, "How many of these one account can have.")
    ] = 30
    mail_server: Annotated[
        str,
        _setting(
            "The server that sends e-mail; everything also works without one.",
            "an address such as smtps://name:password@mail.example:465, or smtp+starttls://name:password@mail.example:587",
            secret=True,
            pattern="^(smtps?(\\+starttls)?://[^/?#]+)?$",
        ),
    ] = ""
    mail_from: Annotated[
        str,
        _setting(
            "The sender of e-mail; needed when there is a mail server.",
            "an e-mail address, such as commonroom@home.example",
            max_length=200,
        ),
    ] = ""
    tmdb_key: Annotated[
        str,
        _setting(
            "A TMDB access token; with it, films come from TMDB instead of the built-in catalogue "
            "alone.",
            "the API read access token of a TMDB account",
            secret=True,
            max_length=1000,
        ),
    ] = ""
    tmdb_address: Annotated[
        str,
        _setting(
            "The address of TMDB’s API.",
            "an address without a slash at the end",
            pattern="^https?://[^?#]+[^/?#]$",
        ),
    ] = "https://api.themoviedb.org/3"
    region: Annotated[
        str,
        _setting(
            "The country of your streaming services.",
            "two capital letters, such as DE",
            pattern="^[A-Z]{2}$",
        ),
    ] = "US"
    book_look_ups: Annotated[
        bool, _setting("Whether books are looked up by ISBN at Open Library.")
    ] = True
    open_library_address: Annotated[
        str,
        _setting(
            "The address of Open Library.",
            "an address without a slash at the end",
            pattern="^https?://[^?#]+[^/?#]$",
        ),
    ] = "https://openlibrary.org"
    covers: Annotated[
        bool,
        _setting(
            "Whether pictures of books, films, lists and curators are fetched from the addresses "
            "that people entered; otherwise they are drawn."
        ),
    ] = True
    metrics: Annotated[
        bool,
        _setting("Whether /metrics reports the number of requests and response times."),
    ] = False
    metrics_token: Annotated[
        str,
        _setting(
            "The bearer token needed to read /metrics; without one, only this machine itself can "
            "read them.",
            "16 to 200 letters, digits and symbols, hard to guess",
            secret=True,
            pattern="^([!-~]{16,200})?$",
        ),
    ] = ""
    log_level: Annotated[
        Literal["debug", "info", "warning", "error"],
        _setting("The log level."),
    ] = "info"
    secret_key: Annotated[
        str,
        _setting(
            "The key for page links and sessions, where several machines must share it; otherwise "
            "it is created on first start and kept in `secrets.json`.",
            "32 characters or more, hard to guess",
            secret=True,
            min_length=32,
        ),
    ] = ""

    @property
    def local_address(self) -> str:
        """Where a browser on this machine finds the application."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"http://{host}:{self.port}"

    @property
    def address(self) -> str:
        """The address that people use, or else that of this machine."""
        return self.public_address or self.local_address

    @property
    def data_file(self) -> Path:
        """Where the embedded engine keeps everything."""
        return self.data / DATA_FILE

    @property
    def search_file(self) -> Path:
        """Where the embedded search index is."""
        return self.data / SEARCH_FILE

    def is_open(self, room: str) -> bool:
        """Whether a room is not switched off."""
        return not self.rooms or room in room_keys(self.rooms)


def room_keys(text: str) -> set[str]:
    """Returns the rooms that a setting lists."""
    return {key.strip() for key in text.split(",")}


def check_time_zone(name: str) -> None:
    """Raises `ValueError` where a name is that of no time zone; none means this machine's."""
    try:
        if name:
            ZoneInfo(name)
    except (ZoneInfoNotFoundError, OSError) as error:
        raise ValueError(f"{name} is no time zone.") from error


class SettingDocs(Struct, frozen=True):
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


def _described(field: msgspec.structs.FieldInfo) -> SettingDocs:
    declared, meta = get_args(field.type)
    extra = meta.extra or {}
    return SettingDocs(
        field.name,
        field.type,
        field.default,
        meta.description or "",
        extra["may_be"] or _words_of(declared),
        extra["secret"],
    )


DESCRIBED: dict[str, SettingDocs] = {
    field.name: _described(field) for field in msgspec.structs.fields(Settings)
}
"""Every setting by name, in the order in which they are shown."""
