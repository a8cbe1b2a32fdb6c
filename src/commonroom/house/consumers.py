"""What happens after a change and at its moment: what every room wants, put together."""

from __future__ import annotations

from collections.abc import Mapping

from commonroom.library import consumers as library
from commonroom.library.telling import KINDS as LIBRARY_KINDS
from commonroom.model import MODEL
from commonroom.movienight import consumers as movienight
from commonroom.movienight.telling import KINDS as MOVIENIGHT_KINDS
from commonroom.notify.account_cleanup import cleanup_consumer
from commonroom.notify.channels import Channel, channel_consumer
from commonroom.notify.kinds import Kind
from commonroom.notify.mail import MailChannel
from commonroom.notify.push import PushChannel, vapid_of
from commonroom.outgoing.fetcher import Fetcher
from commonroom.outgoing.mail import mailer_of
from commonroom.settings import Settings, secrets_of
from commonroom.shareables import consumers as shareables
from commonroom.store.streams import Consumer, copy_consumers
from commonroom.timers import Handler
from commonroom.web.notifications.wording import email_footer, wording
from commonroom.web.people.security_notices import KINDS as SECURITY_KINDS
from commonroom.web.people.security_notices import forgets_names


def consumers(settings: Settings, fetcher: Fetcher) -> list[Consumer]:
    """All who follow changes; any number of workers may run them."""
    telling = [channel_consumer(one, wording(kinds())) for one in _channels(settings, fetcher)]
    rooms = [*movienight.consumers(), *library.consumers(), *shareables.consumers()]
    return [*copy_consumers(MODEL.copies), cleanup_consumer, forgets_names, *rooms, *telling]


def handlers() -> Mapping[str, Handler]:
    """What is done when a timer is due, by its kind."""
    return {**movienight.handlers(), **library.handlers(), **shareables.HANDLERS}


def kinds() -> Mapping[str, Kind]:
    """Everything that people are told of, by its name."""
    every = (*SECURITY_KINDS, *MOVIENIGHT_KINDS, *LIBRARY_KINDS)
    return {kind.name: kind for kind in every}


def _channels(settings: Settings, fetcher: Fetcher) -> list[Channel]:
    """The ways in which people are told, besides their list."""
    channels: list[Channel] = [PushChannel(fetcher, vapid_of(settings, secrets_of(settings)))]
    mailer = mailer_of(settings)
    if mailer.sends:
        channels.append(MailChannel(mailer, settings.public_address, email_footer))
    return channels
