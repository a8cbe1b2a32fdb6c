"""What happens after a change and at its moment: what every room wants, put together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

from commonroom.accounts.consumers import BLOCKS
from commonroom.accounts.sensitive_acts import KINDS as SECURITY_KINDS
from commonroom.accounts.sensitive_acts import forgets_names
from commonroom.house.attachments import attachment_consumers
from commonroom.house.rooms import ROOMS
from commonroom.house.rooms_in_use import use_consumer
from commonroom.house.watched_titles import watched_consumers
from commonroom.joins.rooms import Room, joined
from commonroom.model import model_of
from commonroom.notifications.account_cleanup import cleanup_consumer
from commonroom.notifications.channels import (
    SEND,
    Channel,
    MailChannel,
    channel_consumer,
    sending_handler,
)
from commonroom.notifications.digests import SEND_DIGEST, Digests, digest_consumer
from commonroom.notifications.kinds import Kind
from commonroom.notifications.push import PushChannel, vapid_of
from commonroom.notifications.webhook_delivery import WebhookDelivery
from commonroom.notifications.webhook_setup import KINDS as WEBHOOK_KINDS
from commonroom.notifications.webhook_setup import WEBHOOK_GIVEN_UP
from commonroom.notifications.wording import write_words
from commonroom.outgoing.fetcher import Fetcher
from commonroom.outgoing.mail import mailer_of
from commonroom.settings import Settings, secrets_of
from commonroom.store.streams import Consumer, copy_consumers
from commonroom.timers import Handler
from commonroom.titles.service import Titles

RETIRED_CONSUMERS = frozenset({"hangouts-bring-list", "hangouts-ideas"})
"""Those of earlier versions, which only deleted what belonged to a thing: others do that now."""


def consumers(
    settings: Settings, fetcher: Fetcher, rooms: Sequence[Room] = ROOMS
) -> list[Consumer]:
    """Returns all who follow changes; any number of workers may run them."""
    kinds = notification_kinds(rooms)
    return [
        *data_consumers(settings, rooms),
        *(channel_consumer(one, kinds) for one in _channels(settings, fetcher)),
        WebhookDelivery(
            fetcher,
            secrets_of(settings),
            partial(write_words, kinds),
            house=settings.public_address,
            given_up=WEBHOOK_GIVEN_UP,
        ).consumer,
    ]


def data_consumers(settings: Settings, rooms: Sequence[Room] = ROOMS) -> list[Consumer]:
    """Returns those who change data after a change; all others send something out of the house."""
    of_rooms = [{one.name: one for one in room.data.consumers} for room in rooms]
    opened = [room for room in rooms if settings.is_open(room.key)]
    return [
        *copy_consumers(model_of(rooms).copies),
        BLOCKS,
        cleanup_consumer,
        digest_consumer,
        forgets_names,
        *joined("consumer", of_rooms).values(),
        *watched_consumers(opened),
        *attachment_consumers(rooms),
        use_consumer(rooms),
    ]


def timer_handlers(titles: Titles, rooms: Sequence[Room] = ROOMS) -> Mapping[str, Handler]:
    """Returns what is done when a timer is due, by its kind."""
    data = [room.data for room in rooms]
    asking = [one.title_timer_handlers(titles) for one in data if one.title_timer_handlers]
    return joined("timer", [*(one.timer_handlers for one in data), *asking])


def notification_handlers(
    settings: Settings, fetcher: Fetcher, rooms: Sequence[Room] = ROOMS
) -> Mapping[str, Handler]:
    """Returns what is done when quiet hours end, and when a digest is due."""
    kinds = notification_kinds(rooms)
    digests = Digests(mailer_of(settings), kinds, settings.public_address)
    send = sending_handler(_channels(settings, fetcher), kinds)
    return {SEND: send, SEND_DIGEST: digests.send_due}


def notification_kinds(rooms: Sequence[Room] = ROOMS) -> Mapping[str, Kind]:
    """Returns everything that people are told of, by its name."""
    declared = [SECURITY_KINDS, WEBHOOK_KINDS, *(room.data.notification_kinds for room in rooms)]
    return joined("notification", [{one.name: one for one in kinds} for kinds in declared])


def _channels(settings: Settings, fetcher: Fetcher) -> list[Channel]:
    """Returns the ways in which people are told, besides their list."""
    channels: list[Channel] = [PushChannel(fetcher, vapid_of(settings, secrets_of(settings)))]
    mailer = mailer_of(settings)
    if mailer.sends:
        channels.append(MailChannel(mailer, settings.public_address))
    return channels
