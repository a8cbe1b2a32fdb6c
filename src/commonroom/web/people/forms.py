"""What people type: each form as a struct, and how one is shown again when something is wrong."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal, TypeAlias, TypeVar
from urllib.parse import parse_qsl

import msgspec
from litestar.params import URLEncodedBody
from msgspec import Meta, Struct

from commonroom.accounts.errors import AddressTaken
from commonroom.accounts.rules import time_zone_of_device
from commonroom.accounts.service.signing_up import NewAccount
from commonroom.accounts.tables import Ceiling, Scope
from commonroom.errors import CommonroomError
from commonroom.web.access import LONGEST_TYPED

# Far beyond what the rules take: they say in a sentence what is too long.
Line: TypeAlias = Annotated[str, Meta(max_length=1000)]
Address: TypeAlias = Annotated[str, Meta(max_length=2000)]
Ticked: TypeAlias = Annotated[list[Line], Meta(max_length=100)] | Line
"""What the boxes of one name send: a list, but the value itself where a single one is ticked."""

T = TypeVar("T")
Sent: TypeAlias = URLEncodedBody[T]
"""What a form sends to a handler."""


class Form(Struct, kw_only=True, forbid_unknown_fields=True):
    """The base of what a form sends."""


class AccountForm(Form):
    """Somebody who is to have an account."""

    email: Line
    display_name: Line
    password: Line
    time_zone: Line = ""
    """Filled in by a script, and empty without."""

    @property
    def account(self) -> NewAccount:
        """As the service takes it; a zone that nobody typed is never refused."""
        zone = time_zone_of_device(self.time_zone)
        return NewAccount(self.email, self.display_name, self.password, zone)


class SetUpForm(AccountForm):
    """The first administrator, with the code that shows that the installation is theirs."""

    code: Line = ""


class SignUpForm(AccountForm):
    """Somebody new, perhaps with an invitation."""

    invitation: Line = ""
    next: Address = ""


class SignInForm(Form):
    """Somebody who is known here."""

    email: Line
    password: Line
    next: Address = ""


class NewPasswordForm(Form):
    """A new password, chosen with a link."""

    password: Line


class TimeZoneForm(Form):
    """The time zone of the device that somebody is at."""

    time_zone: Line


class ProfileForm(Form):
    """How one is shown, and where one lives."""

    display_name: Line
    avatar_key: Line = ""
    language: Line = ""
    time_zone: Line = ""


class AddressForm(Form):
    """Another e-mail address, by whoever knows the password."""

    email: Line
    password: Line


class ForgottenForm(Form):
    """Whose password was forgotten."""

    email: Line


class PasswordForm(Form):
    """Another password, by whoever knows the old one."""

    old_password: Line
    password: Line


class ConfirmPasswordForm(Form):
    """One's own password, given again, and what one wanted to do with that."""

    password: Line
    next: Address = ""
    action: Address = ""
    """Where a form was sent that could not be taken before; empty where there was none."""
    typed: Annotated[str, Meta(max_length=LONGEST_TYPED)] = ""
    """What that form had in its fields, as browsers send it."""

    @property
    def fields(self) -> list[tuple[str, str]]:
        """The fields one by one."""
        return parse_qsl(self.typed, keep_blank_values=True)


class TokenForm(Form):
    """A token for a program."""

    name: Line
    read: bool = False
    write: bool = False
    admin: bool = False
    days: int = 0
    """0 for one that does not end by itself."""

    @property
    def scopes(self) -> list[Scope]:
        """What the token may do."""
        ticked: dict[Scope, bool] = {"read": self.read, "write": self.write, "admin": self.admin}
        return [scope for scope, yes in ticked.items() if yes]


class MemberForm(Form):
    """A managed member."""

    display_name: Line
    avatar_key: Line = ""
    ceiling: Ceiling = "PG"


class ActForm(Form):
    """For whom one acts; nobody is oneself."""

    member_id: Line = ""


class DeleteForm(Form):
    """That one really wants to leave."""

    typed: Line = ""


class InvitationForm(Form):
    """An invitation for people who are not here yet."""

    note: Line = ""
    uses: int = 1


class ThemeForm(Form):
    """Light or dark, or as the device says."""

    theme: Literal["light", "dark", "auto"]


def all_of(ticked: Ticked) -> list[str]:
    """What was ticked."""
    if isinstance(ticked, list):
        return ticked
    return [ticked] if ticked else []


class Filled(Struct, frozen=True):
    """A form as it is shown: what stands in its fields, and what is wrong with one of them."""

    values: Mapping[str, Any] = {}
    field: str | None = None
    """The field at fault; None where it is no single one."""
    message: str | None = None

    def value(self, name: str) -> Any:
        """What stands in a field."""
        return self.values.get(name)

    def wrong(self, name: str) -> str | None:
        """What is wrong with a field."""
        return self.message if self.field == name else None

    @property
    def wrong_altogether(self) -> str | None:
        """What is wrong that is no single field's fault."""
        return self.message if self.field is None else None


EMPTY = Filled()


def refused(form: Form, error: CommonroomError) -> Filled:
    """A form as it was sent, without its passwords, and why it was refused."""
    typed = msgspec.structs.asdict(form)
    values = {name: value for name, value in typed.items() if "password" not in name}
    field = "email" if isinstance(error, AddressTaken) else error.helps.get("field")
    return Filled(values, field if field in (*typed, "scopes") else None, error.detail)
