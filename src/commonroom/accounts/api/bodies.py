"""What programs send about people; the rules say in a sentence what cannot be taken."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Annotated, Any

from msgspec import UNSET, Meta, UnsetType

from commonroom.accounts import rules
from commonroom.accounts.service.administration import MAX_USES
from commonroom.accounts.service.signup import NewAccount
from commonroom.accounts.service.tokens import MAX_DAYS, MAX_NAME
from commonroom.accounts.tables import Ceiling, Scope
from commonroom.errors import BadRequest
from commonroom.http.bodies import Body

# Room for what the rules trim; they count what is left.
Name = Annotated[
    str,
    Meta(max_length=200, description=f"1 to {rules.MAX_NAME} characters on one line."),
]
Email = Annotated[str, Meta(max_length=1000, description="An e-mail address.")]
Password = Annotated[
    str,
    Meta(
        max_length=1000,
        description=f"{rules.MIN_PASSWORD} to {rules.MAX_PASSWORD} characters, "
        "and not one that many people use.",
    ),
]
KnownPassword = Annotated[str, Meta(max_length=1000)]
Avatar = Annotated[str, Meta(max_length=50, description=f"One of {', '.join(rules.AVATARS)}.")]
Language = Annotated[str, Meta(max_length=50, description=f"One of {', '.join(rules.LANGUAGES)}.")]
TimeZone = Annotated[str, Meta(max_length=100, description="Such as `Europe/Paris`.")]
NotificationPrefs = Annotated[
    dict[str, Any],
    Meta(
        description="What to hear of, by name; what is left out stays as it is.",
        extra_json_schema={"additionalProperties": {"type": "boolean"}},
    ),
]
"""The rooms say which names there are: `checked_prefs` looks at them."""
SetUpCode = Annotated[
    str,
    Meta(
        max_length=100,
        description="The code that Commonroom printed when it started; not needed from the "
        "machine itself.",
    ),
]
InvitationSecret = Annotated[
    str, Meta(max_length=200, description="The secret of an invitation, or of a room's invite.")
]


class Account(Body):
    """A person who is to have an account."""

    email: Email
    display_name: Name
    password: Password
    time_zone: TimeZone | None = None

    @property
    def account(self) -> NewAccount:
        """As the service takes it."""
        return NewAccount(self.email, self.display_name, self.password, self.time_zone)


class SetUp(Account):
    """The first administrator."""

    code: SetUpCode | None = None


class SignUp(Account):
    """A new person."""

    invitation: InvitationSecret | None = None


class SignIn(Body):
    """A person who has an account here."""

    email: Email
    password: KnownPassword


class NewPassword(Body):
    """A new password."""

    password: Password


class PasswordChange(NewPassword):
    """A new password, with the old one."""

    old_password: KnownPassword


class PasswordConfirmation(Body):
    """One's own password, given again."""

    password: KnownPassword


class ForgottenPasswordBody(Body):
    """Whose password was forgotten."""

    email: Email


class AddressChange(Body):
    """Another e-mail address, with the password."""

    email: Email
    password: KnownPassword


class ProfileChange(Body):
    """How one is shown; what is left out stays as it is, and null is nothing chosen."""

    display_name: Name | UnsetType = UNSET
    avatar_key: Avatar | UnsetType = UNSET
    language: Language | UnsetType | None = UNSET
    time_zone: TimeZone | UnsetType | None = UNSET
    notification_prefs: NotificationPrefs | UnsetType = UNSET


class NewMember(Body):
    """A managed member to be."""

    display_name: Name
    avatar_key: Avatar | None = None
    content_rating_ceiling: Ceiling = "PG"


class MemberChange(Body):
    """Changes of a managed member; what is left out stays as it is."""

    display_name: Name | UnsetType = UNSET
    avatar_key: Avatar | UnsetType = UNSET
    content_rating_ceiling: Ceiling | UnsetType = UNSET


class NewToken(Body):
    """A token to be."""

    name: Annotated[
        str,
        Meta(max_length=200, description=f"Name of the program, 1 to {MAX_NAME} characters."),
    ]
    scopes: Annotated[list[Scope], Meta(min_length=1, max_length=3)]
    days: Annotated[int, Meta(ge=1, le=MAX_DAYS, description="Days until it expires.")] | None = (
        None
    )


class NewInvitation(Body):
    """An invitation to be."""

    note: Annotated[str, Meta(max_length=100, description="Who it is for.")] = ""
    uses: Annotated[
        int, Meta(ge=1, le=MAX_USES, description="How many people may sign up with it.")
    ] = 1


def checked_prefs(prefs: Mapping[str, Any], known: Collection[str]) -> dict[str, bool]:
    """Returns what a person wants to hear of, of what there is to hear of."""
    for name, value in prefs.items():
        field = f"notification_prefs.{name}"
        if name not in known:
            raise BadRequest(f"{field}: there is no such field.", field=field)
        if not isinstance(value, bool):
            raise BadRequest(f"{field}: expected bool, got {type(value).__name__}.", field=field)
    return dict(prefs)
