"""What can go wrong with accounts, in words that tell a stranger nothing about others."""

from __future__ import annotations

from typing import ClassVar

from commonroom.errors import CommonroomError

CONFIRM_PASSWORD = "/api/v1/me/password-confirmation"  # noqa: S105 - where to send one
"""The operation with which a program that a person uses in a browser gives the password again."""


class AccountError(CommonroomError):
    """The base of the errors about people and signing in."""


class NotSignedIn(AccountError):
    """The request says no known person or program."""

    status: ClassVar[int] = 401
    title = "Please sign in"


class WrongSignIn(AccountError):
    """Address and password do not go together; which of them is wrong is not said."""

    status: ClassVar[int] = 401
    title = "Sign-in failed"


class NotAllowed(AccountError):
    """The person is known and may not do this."""

    status: ClassVar[int] = 403
    title = "Not allowed"


class PasswordNeeded(AccountError):
    """The person may do this once they have given their password again."""

    status: ClassVar[int] = 403
    title = "Please confirm your password"

    def __init__(self) -> None:
        super().__init__(
            "For security, please enter your password again.",
            confirm_password_at=CONFIRM_PASSWORD,
        )
        self.typed = ""
        """What a form had in its fields, so that nobody has to type it again."""


class NoSuchThing(AccountError):
    """There is no such thing for this person."""

    status: ClassVar[int] = 404
    title = "Not found"


class AddressTaken(AccountError):
    """The account could not be made, because its address already has one."""

    status: ClassVar[int] = 409
    title = "Account not created"


class AlreadySetUp(AccountError):
    """The first administrator exists."""

    status: ClassVar[int] = 409
    title = "Already set up"


class AlreadyConfirmed(AccountError):
    """There is no address to confirm."""

    status: ClassVar[int] = 409
    title = "Address already confirmed"


class NoMailHere(AccountError):
    """This would need a letter, and the installation sends none."""

    status: ClassVar[int] = 422
    title = "This Commonroom does not send e-mail"


class LinkGone(AccountError):
    """A link or invitation that was used, revoked or has run out."""

    status: ClassVar[int] = 410
    title = "This link no longer works"


class SignUpClosed(AccountError):
    """Signing up needs an invitation, or is not possible at all."""

    status: ClassVar[int] = 403
    title = "You need an invitation to sign up"


class Unfit(AccountError):
    """A field was understood and cannot be taken; it is named."""

    status: ClassVar[int] = 422
    title = "Please check your entry"

    def __init__(self, field: str, detail: str) -> None:
        super().__init__(detail, field=field)
        self.field = field


class TooManyTries(AccountError):
    """Somebody tries too often; they may again after a while."""

    status: ClassVar[int] = 429
    title = "Too many attempts"

    def __init__(self, seconds: int) -> None:
        super().__init__(f"Too many attempts. Please wait {_waiting(seconds)} and try again.")
        self.retry_after = seconds


def _waiting(seconds: int) -> str:
    if seconds < 50:
        return "a second" if seconds <= 1 else f"{seconds} seconds"
    minutes = -(-seconds // 60)
    return "a minute" if minutes == 1 else f"{minutes} minutes"
