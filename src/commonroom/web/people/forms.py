"""What people type about their accounts: each form as a struct."""

from __future__ import annotations

from typing import Annotated, Literal, TypedDict
from urllib.parse import parse_qsl

from msgspec import Meta

from commonroom.accounts.rules import time_zone_of_device
from commonroom.accounts.service.signup import NewAccount
from commonroom.accounts.tables import Ceiling, Scope
from commonroom.web.access import LONGEST_TYPED
from commonroom.web.forms import Address, Form, Line


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


class MemberFields(TypedDict):
    """What a managed member is."""

    display_name: str
    avatar_key: str | None
    ceiling: Ceiling


class MemberForm(Form):
    """A managed member."""

    display_name: Line
    avatar_key: Line = ""
    ceiling: Ceiling = "PG"

    @property
    def fields(self) -> MemberFields:
        """As the service takes them."""
        return MemberFields(
            display_name=self.display_name,
            avatar_key=self.avatar_key or None,
            ceiling=self.ceiling,
        )


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
