"""What can go wrong with accounts, in words that tell a stranger nothing about others."""

from __future__ import annotations

from typing import ClassVar

from commonroom.errors import Conflict, Forbidden, Gone, NotFound, Refusal, Unauthorized

CONFIRM_PASSWORD = "/api/v1/me/password-confirmation"  # noqa: S105 - where to send one
"""The operation with which a program that a person uses in a browser gives the password again."""


class WrongPassword(Unauthorized):
    """Address and password do not go together; which of them is wrong is not said."""

    title = "Sign-in failed"


class ReauthenticationRequired(Forbidden):
    """The person may do this once they have given their password again."""

    title = "Please confirm your password"

    def __init__(self) -> None:
        super().__init__(
            "For security, please enter your password again.",
            confirm_password_at=CONFIRM_PASSWORD,
        )
        self.typed = ""
        """What a form had in its fields, so that nobody has to type it again."""


class EmailTaken(Conflict):
    """The account could not be made, because its address already has one."""

    title = "Account not created"

    def __init__(self, detail: str) -> None:
        super().__init__(detail, field="email")


class AccountDeleted(NotFound):
    """The account is gone, perhaps in this moment."""

    sentence = "This account was deleted."


class UnknownPerson(NotFound):
    """There is no such person, or they share nothing with the caller, who is not told which."""

    sentence = "This person does not exist, or you share nothing with them."


class AlreadySetUp(Conflict):
    """The first administrator exists."""

    title = "Already set up"
    sentence = "This Commonroom is already set up. Please sign in."


class AlreadyConfirmed(Conflict):
    """There is no address to confirm."""

    title = "Address already confirmed"


class MailDisabled(Refusal):
    """This would need a letter, and the installation sends none."""

    status: ClassVar[int] = 422
    title = "This Commonroom does not send e-mail"


class LinkExpired(Gone):
    """A link or invitation that was used, revoked or has run out."""

    title = "This link no longer works"


class SignUpClosed(Forbidden):
    """Signing up needs an invitation, or is not possible at all."""

    title = "You need an invitation to sign up"
