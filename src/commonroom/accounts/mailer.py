"""Account mailer: which e-mails accounts send, and what happens where none are sent."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from functools import partial

from commonroom.accounts import emails, rules
from commonroom.accounts.context import Context
from commonroom.accounts.emails import Letter
from commonroom.accounts.errors import MailDisabled
from commonroom.accounts.service import email_addresses, passwords
from commonroom.accounts.tables import User
from commonroom.errors import CommonroomError
from commonroom.outgoing.mail import Mailer, MailFailed
from commonroom.settings import Settings
from commonroom.store import Store, unmarked

logger = logging.getLogger(__name__)
MAX_TASKS = 100
"""How many may wait; a crowd that asks for more must not fill the memory."""
TASKS_AT_ONCE = 4
LAST_SECONDS = 4.0
"""How long the end of the process waits for them: a little less than a server waits for all."""


class BackgroundTasks:
    """What a process does after it has answered, and before it ends; what fails is only logged."""

    def __init__(self) -> None:
        self._under_way: set[asyncio.Task[None]] = set()
        self._few = asyncio.Semaphore(TASKS_AT_ONCE)

    def run_later(self, work: Callable[[], Awaitable[object]]) -> None:
        """Does something soon, without anybody waiting for it."""
        if len(self._under_way) >= MAX_TASKS:
            logger.warning("Too many e-mails are waiting, so one is not sent.")
            return
        with unmarked():
            task = asyncio.create_task(self._run(work))
        self._under_way.add(task)
        task.add_done_callback(self._under_way.discard)

    async def close(self, seconds: float = LAST_SECONDS) -> None:
        """Waits for those under way, and ends what takes too long."""
        if not self._under_way:
            return
        _, late = await asyncio.wait(self._under_way, timeout=seconds)
        for task in late:
            task.cancel()
        if late:
            logger.warning("%d e-mails were not sent before the end.", len(late))
            await asyncio.wait(late)

    async def _run(self, work: Callable[[], Awaitable[object]]) -> None:
        try:
            async with self._few:
                await work()
        except MailFailed as failed:
            logger.warning("An e-mail was not sent: %s", failed.why)
        except CommonroomError as error:
            logger.warning("An e-mail was not sent: %s", error.detail)
        except Exception:
            logger.exception("An e-mail was not sent")


class AccountMailer:
    """Sends e-mails about accounts, some of them in background tasks."""

    def __init__(self, store: Store, settings: Settings, mailer: Mailer) -> None:
        self._store = store
        self._mailer = mailer
        self._tasks = BackgroundTasks()
        # Never what a request says: a caller who has an e-mail sent would choose its links.
        self._public_address = settings.address
        self.sends = mailer.sends

    def welcome(self, ctx: Context) -> None:
        """Asks a new person to confirm their address, without letting them wait for it."""
        if self.sends:
            self._tasks.run_later(partial(self.ask_to_confirm, ctx))

    async def ask_to_confirm(self, ctx: Context) -> None:
        """Sends the e-mail that confirms the address that a person has, or wants."""
        self._must_send()
        address, secret = await email_addresses.make_confirmation_link(ctx)
        await self._ask_for_confirmation(ctx.person, address, secret)

    async def change_address(self, ctx: Context, email: str, password: str) -> User:
        """Changes an address: with an e-mail to the new one, or at once where none are sent."""
        if not self.sends:
            return await email_addresses.change_address(ctx, email, password=password)
        changed, secret = await email_addresses.want_address(ctx, email, password=password)
        address = changed.new_email or changed.email or ""
        await self._ask_for_confirmation(changed, address, secret)
        return changed

    def finish_signing_up(self, email: str, secret: str) -> None:
        """Writes to an address given at sign-up, after the answer.

        Its owner learns from the letter if it is taken; the caller must not, not even by the time
        that this takes.
        """
        self._tasks.run_later(partial(self._answer_sign_up, email, secret))

    async def confirm(self, ctx: Context, secret: str) -> User:
        """Confirms an address; the one that was theirs before hears that it no longer is."""
        confirmed = await email_addresses.confirm_address(ctx, secret)
        user = ctx.person
        if user.email and user.email_confirmed_at and user.email != confirmed.email:
            self._tasks.run_later(partial(self._send, emails.MOVED_AWAY, user.email, user))
        return confirmed

    def say_goodbye(self, user: User) -> None:
        """Tells a person whose account is deleted, if e-mails reached them."""
        if self.sends and user.email and user.email_confirmed_at:
            self._tasks.run_later(partial(self._send, emails.GOODBYE, user.email, user))

    async def forgotten(self, now: float, *, email: str, address: str) -> None:
        """Writes to a person who forgot their password, after the answer.

        Whether there is such a person is found out only then, so that nobody can tell by the time
        that the answer takes.
        """
        self._must_send()
        await passwords.count_asking(self._store, now, email=email, address=address)
        self._tasks.run_later(partial(self._help, now, email))

    async def close(self) -> None:
        """Sends what is on its way, before the process ends."""
        await self._tasks.close()

    async def _answer_sign_up(self, email: str, secret: str) -> None:
        address = rules.address(email)
        if await email_addresses.is_taken(self._store, address):
            await self._send(emails.ALREADY_HERE, address)
        else:
            await self._send(emails.FINISH_SIGNING_UP, address, secret=secret)

    async def _ask_for_confirmation(self, user: User, address: str, secret: str) -> None:
        """Asks whether an address is theirs; with no link where it is another person's."""
        if await email_addresses.is_taken(self._store, address, by_other_than=user.user_id):
            await self._send(emails.ALREADY_HERE, address)
        else:
            await self._send(emails.CONFIRMATION, address, user, secret)

    async def _help(self, now: float, email: str) -> None:
        found = await passwords.forgotten_by(self._store, now, email)
        if found is not None:
            letter = emails.ASK_AN_ADMINISTRATOR if found.secret is None else emails.NEW_PASSWORD
            await self._send(letter, found.address, found.user, found.secret or "")

    async def _send(
        self, letter: Letter, address: str, user: User | None = None, secret: str = ""
    ) -> None:
        await self._mailer.send(letter.to(address, self._public_address, user, secret))

    def _must_send(self) -> None:
        if not self.sends:
            raise MailDisabled(
                "This Commonroom does not send e-mail. Ask an administrator for help."
            )
