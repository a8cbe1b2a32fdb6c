"""Tables of people: who they are (`Users`, which all rooms share), and what they sign in with."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, TypeAlias

from msgspec import field

from commonroom.store import Entity, Index, Keys, Table, begins_with, many, one

Ceiling: TypeAlias = Literal["G", "PG", "PG-13", "R"]
"""The strictest rating comes first."""
NotificationPrefs: TypeAlias = dict[str, bool]
"""Whether a person wants to hear of something, by the names that rooms declare; what is not there
is wanted."""
FIRST_PREFS: Mapping[str, bool] = {"vote_nudge": True, "pick_announce": True, "new_round": True}
"""What a new account stores, as movie night's data model has it."""

Scope: TypeAlias = Literal["read", "write", "admin"]

users = Table(
    "Users",
    room="movienight",
    partition="user_id",
    indexes=[Index("email-index", "email"), Index("parent-index", "parent_user_id")],
    stream=True,
)


class User(Entity, table=users):
    """A person: an independent member with a login, or a managed one without."""

    user_id: str
    """A UUID or an OpenID provider's `sub`; `managed_<uuid>` for managed members."""
    email: str | None = None
    display_name: str
    avatar_key: str | None = None
    is_managed: bool = False
    parent_user_id: str | None = None
    content_rating_ceiling: Ceiling | None = None
    created_at: str
    last_active_at: str | None = None
    notification_prefs: NotificationPrefs | None = None
    """None for managed members: what concerns them goes to nobody."""
    device_token: str | None = None
    """Unused: an app's token at Apple's push service, and there is no app. Browsers are told by Web
    Push, each with a `PushSubscription` of its own, which ends with the session."""

    # Beyond the data model.
    household_id: str | None = None
    """The one household of a person. Joining sets it on condition that it is absent, so the rule
    holds under two simultaneous requests; it keys no index, because an index may lag behind."""
    is_admin: bool = False
    disabled_at: str | None = None
    epoch: int = 0
    """Sessions and tokens carry the one they were made in; raising it ends all of them at once."""
    managed_count: int = 0
    """How many managed members a person has; the limit is held by a condition on it."""
    language: str | None = None
    time_zone: str | None = None
    updated_at: str | None = None
    email_confirmed_at: str | None = None
    """When the person showed that letters to the address reach them."""
    new_email: str | None = None
    """Another address, which becomes theirs once they confirm it."""
    notification_channels: dict[str, dict[str, bool]] | None = None
    """Of what is wanted at all, by which channels: by the same names; what is not there is as it
    usually is."""
    quiet_from: str | None = None
    """From which time of the day (22:00), where the person lives, push and e-mail wait."""
    quiet_until: str | None = None
    digest_at: str | None = None
    """At which time the daily e-mail comes; None for the usual one."""
    address_changes: int | None = None
    """How often the address has changed. Links carry the number they were made at, so that none
    outlives a change, not even where the old address comes back."""
    opened_rooms: list[str] = field(default_factory=list)
    """The keys of the rooms that hold something of the person's: home tells of the others. Earlier
    versions noted those that they had been in."""
    invited_at: str | None = None
    """When they first invited another person to this installation."""
    steps_done_at: str | None = None
    """When they put a newcomer's first steps aside."""
    blocked: dict[str, str] = field(default_factory=dict)
    """The ids of those whom the person has blocked, and since when. It stands here, because
    code that tells a person something, or shows them a page, has read it already."""


user_by_id = one(users, "Get user by ID", gives=User)
user_by_email = many(users, "Get user by email", index="email-index", gives=User)
managed_members = many(users, "Get managed members for parent", index="parent-index", gives=User)

accounts = Table(
    "Accounts",
    version=2,
    room="accounts",
    partition="pk",
    sort="sk",
    discriminator="kind",
    ttl="ttl",
    indexes=[Index("OfPerson", "person_key", "made_at")],
)


class Installation(Entity, table=accounts, kind="INSTALLATION"):
    """That this installation has its first administrator; there can be only one first."""

    user_id: str
    set_up_at: str
    administrators: int = 1
    """The last one cannot leave or be made an ordinary person."""
    keys = Keys(pk="installation", sk="first")


class AddressClaim(Entity, table=accounts, kind="ADDRESS"):
    """One e-mail address is one account, however it is typed."""

    address: str
    user_id: str
    made_at: str
    keys = Keys(pk="address#{address:lower}", sk="claim", person_key="people")


class Password(Entity, table=accounts, kind="PASSWORD"):
    """A person's password, as argon2id keeps it."""

    user_id: str
    hash: str
    changed_at: str
    keys = Keys(pk="person#{user_id}", sk="password")


class Session(Entity, table=accounts, kind="SESSION"):
    """A browser that is signed in. Only a digest of its cookie is stored."""

    digest: str
    user_id: str
    epoch: int
    made_at: str
    seen_at: str
    browser: str = ""
    address: str = ""
    confirmed_at: str | None = None
    """When the person last showed in this browser that it is them; None where it was long ago."""
    ttl: int
    keys = Keys(pk="session#{digest}", sk="session", person_key="person#{user_id}#sessions")


class ApiToken(Entity, table=accounts, kind="TOKEN"):
    """A program that may act for a person. Only a digest of the token is stored."""

    digest: str
    user_id: str
    epoch: int
    name: str
    scopes: list[Scope]
    made_at: str
    used_at: str | None = None
    ttl: int | None = None
    keys = Keys(pk="token#{digest}", sk="token", person_key="person#{user_id}#tokens")


class CalendarFeed(Entity, table=accounts, kind="CALENDAR_FEED"):
    """The address at which programs follow a person's calendar: one, and only its digest."""

    user_id: str
    digest: str
    epoch: int
    made_at: str
    keys = Keys(pk="person#{user_id}", sk="calendar")


class Block(Entity, table=accounts, kind="BLOCK"):
    """That one person has blocked another: found from the one who is blocked when they leave."""

    blocked_id: str
    user_id: str
    """Who has blocked them."""
    name: str
    """The name that stood on the page where they were blocked."""
    made_at: str
    keys = Keys(pk="person#{blocked_id}", sk="blocked-by#{user_id}")


class ResetLink(Entity, table=accounts, kind="RESET"):
    """A link with which a person chooses a new password, once."""

    digest: str
    user_id: str
    epoch: int
    """The person's epoch when it was made: a password chosen since makes the link worthless."""
    address_changes: int | None = None
    """Likewise: it is worthless once the person has another address."""
    made_at: str
    ttl: int
    keys = Keys(pk="reset#{digest}", sk="link")


class ConfirmationLink(Entity, table=accounts, kind="CONFIRMATION"):
    """A link with which a person shows that a letter reached them, once."""

    digest: str
    user_id: str
    address_digest: str
    """Which address it confirms; the address itself would stay behind when its person leaves."""
    epoch: int
    address_changes: int | None = None
    made_at: str
    ttl: int
    keys = Keys(pk="confirmation#{digest}", sk="link")


class Invitation(Entity, table=accounts, kind="INVITATION"):
    """An administrator's link with which people may sign up."""

    digest: str
    made_by: str
    made_at: str
    note: str = ""
    uses_left: int = 1
    ttl: int
    keys = Keys(pk="invitation#{digest}", sk="link", person_key="invitations")


class PendingSignUp(Entity, table=accounts, kind="SIGN_UP"):
    """A person who wants an account, and has to open the link in a letter first.

    What they gave is sealed with the link's secret: nobody reads it who was not sent the letter.
    """

    digest: str
    sealed: str
    made_at: str
    ttl: int
    keys = Keys(pk="sign-up#{digest}", sk="link")


class Attempts(Entity, table=accounts, kind="ATTEMPTS"):
    """How often something was tried, until all of it is forgotten."""

    what: str
    who: str
    count: int
    ttl: int
    """When the last try is forgotten. Each puts it off by as much, so that it says how many are
    remembered at any moment, and counting one is a single conditional write."""
    last_at: int | None = None
    """The moment of the last try, in milliseconds, where the next one has to wait for it."""
    keys = Keys(pk="attempts#{what}#{who}", sk="window")


class DoneBefore(Entity, table=accounts, kind="DONE"):
    """What was answered to a request with an idempotency key, to be answered again."""

    user_id: str
    request_key: str
    fingerprint: str
    attempt_id: str = ""
    """Which of the requests with this key holds it."""
    is_done: bool = False
    """Whether the request was carried out; written in its own transaction."""
    status: int | None = None
    """None while the first request is still under way, and where its answer was lost."""
    headers: dict[str, str] = field(default_factory=dict)
    body: bytes = b""
    ttl: int
    keys = Keys(pk="done#{user_id}", sk="request#{request_key}")


installation = one(accounts, "Get the first administrator", gives=Installation)
claim_on_address = one(accounts, "Get whose an e-mail address is", gives=AddressClaim)
password_of = one(accounts, "Get a person's password", gives=Password)
session_by_digest = one(accounts, "Get a session by its cookie", gives=Session)
token_by_digest = one(accounts, "Get an API token", gives=ApiToken)
calendar_feed_of = one(accounts, "Get a person's calendar feed", gives=CalendarFeed)
blocks_of = many(
    accounts,
    "List who has blocked a person",
    partition="person#{blocked_id}",
    sort=begins_with("blocked-by#"),
    gives=Block,
)
reset_link = one(accounts, "Get a reset link", gives=ResetLink)
confirmation_link = one(accounts, "Get a confirmation link", gives=ConfirmationLink)
invitation = one(accounts, "Get an invitation", gives=Invitation)
pending_sign_up = one(accounts, "Get a sign-up that waits for its letter", gives=PendingSignUp)
attempts_in_window = one(accounts, "Get how often something was tried", gives=Attempts)
done_before = one(accounts, "Get what was answered before", gives=DoneBefore)
sessions_of = many(
    accounts, "List a person's sessions", index="OfPerson", newest_first=True, gives=Session
)
tokens_of = many(
    accounts, "List a person's API tokens", index="OfPerson", newest_first=True, gives=ApiToken
)
everybody = many(accounts, "List everybody with an account", index="OfPerson", gives=AddressClaim)
invitations = many(
    accounts, "List the invitations", index="OfPerson", newest_first=True, gives=Invitation
)

tables = [users, accounts]
