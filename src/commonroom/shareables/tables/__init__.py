"""What shareables store: pages and what people left on them, and the pool of short ids."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any, Literal, TypeAlias

from msgspec import Struct, field

from commonroom.shareables.tables.not_known import OF_ANSWER, OF_EVENT, OF_PAGE, OF_VOTE
from commonroom.shareables.tables.pool import short_id_pool
from commonroom.store import Entity, Keys, Ref, Table, copies, many, one

shareables = Table(
    "Shareables",
    room="shareables",
    partition="pk",
    sort="sk",
    discriminator="entity",
    ttl="ttl",
    stream=True,
)


class Shareable(Entity, rename="camel"):
    """What all pages have in common."""

    short_id: str
    name: str
    view_passcode: str | None = None
    """Argon2id, like the other."""
    admin_passcode: str | None = None
    view_passcode_version: int | None = None
    admin_passcode_version: int | None = None
    expires_after: Literal[1, 7, 30]

    # Beyond the data model.
    created_at: str
    updated_at: str
    expires_at: str
    """When it closes; later than `expires_after` says once an admin has extended it."""
    ttl: int
    """When the database removes it: a year after it has closed."""
    created_by: str | None = None
    """The creator's account, where the creator has one."""
    creator_token_version: int = 1
    """Raising it ends the creator's token and private edit link; only the creator can."""
    is_counted: bool = False
    """Whether it counts towards what may be stored without an account (`GuestPage`)."""
    changed_in: dict[str, int] = field(default_factory=dict)
    """The version in which each field last changed: what a stale edit has missed."""
    version: int = 1

    missing = OF_PAGE
    keys = Keys(pk="shareable#{short_id:plain}", sk="01#")
    # Whose a page is changes nothing that could be edited.
    unversioned = frozenset({"created_by", "is_counted"})


class ChecklistItem(Struct, rename="camel", omit_defaults=True, kw_only=True, frozen=True):
    """A line of a checklist."""

    checklist_item_id: str
    name: str
    note: str | None = None


class Tick(Struct, rename="camel", omit_defaults=True, kw_only=True, frozen=True):
    """Who ticked an item, and when."""

    at: str
    by: str | None = None
    """A name, where one was given."""


class Checklist(Shareable, table=shareables, kind="checklist"):
    """Things to tick off."""

    note: str | None = None
    items: list[ChecklistItem] = field(default_factory=list)

    # Beyond the data model.
    ticks_shared: bool = False
    """Whether ticks are shared; otherwise they stay on each device."""
    ticks: dict[str, Tick] = field(default_factory=dict)
    """By item id: of pages from before ticks were items of their own, until one is changed."""

    # Ticking is no edit: it must not make an edit stale.
    unversioned = Shareable.unversioned | {"ticks"}


class Event(Shareable, table=shareables, kind="event"):
    """Something to come to."""

    start_time: str
    end_time: str | None = None
    type: Literal["inPerson", "Virtual"] = "inPerson"
    location: str | None = None
    description: str | None = None
    is_rsvp_required: bool = False
    rsvp_deadline: str | None = None
    rsvp_visibility: Literal["everyone", "admin", "countsOnly"] = "everyone"

    # Beyond the data model.
    time_zone: str | None = None
    rsvp_count: int = 0
    """How many have answered; there can only be so many."""
    going_count: int = 0
    maybe_count: int = 0
    not_going_count: int = 0
    guest_count: int = 0
    """Guests that those who are going bring along."""
    rsvp_changes: int = 0
    """How often an answer came, changed or went: what a page that is open listens for."""
    network_count: int = 0
    """From how many networks guests have answered."""
    shared_network: bool = False
    """Whether many people answer from one network, such as a school's."""

    missing = OF_EVENT
    unversioned = Shareable.unversioned | {
        "network_count",
        "rsvp_changes",
        "rsvp_count",
        "going_count",
        "maybe_count",
        "not_going_count",
        "guest_count",
    }


class PollQuestionOption(Struct, rename="camel", kw_only=True, frozen=True):
    """One of the answers to choose from."""

    poll_question_option_id: str
    label: str


class PollQuestion(Struct, rename="camel", kw_only=True, frozen=True):
    """One question of a poll."""

    poll_question_id: str
    title: str
    is_multiple: bool = False
    is_required: bool = False
    options: list[PollQuestionOption]


class Poll(Shareable, table=shareables, kind="poll"):
    """Questions to vote on."""

    note: str | None = None
    # `admin` is beyond the data model.
    results_visibility: Literal["always", "afterSubmit", "afterClose", "admin"] = "always"
    closes_at: str | None = None
    questions: list[PollQuestion] = field(default_factory=list)
    is_closed: bool = False

    # Beyond the data model.
    vote_count: int = 0
    """How many have voted."""
    tally: dict[str, int] = field(default_factory=dict)
    """Votes by option id, counted with every vote: results need not read the votes."""
    network_count: int = 0
    """From how many networks guests have voted."""
    shared_network: bool = False
    """Whether many people vote from one network, such as a school's."""

    unversioned = Shareable.unversioned | {"vote_count", "tally", "network_count"}


class EventRsvp(Entity, table=shareables, kind="event_rsvp", rename="camel"):
    """Whether a person comes."""

    short_id: str
    code: str
    name: str
    response: Literal["going", "notGoing", "maybe"]
    guest_count: int = 0

    # Beyond the data model.
    created_at: str
    updated_at: str
    ttl: int
    account_id: str | None = None
    """Of a person who answered signed in: their code is derived from it, so that there is one."""
    network: str | None = None
    """A keyed digest of the network that a guest answered from; no address is stored."""

    missing = OF_ANSWER
    keys = Keys(pk="event_rsvp#{short_id:plain}", sk="01#{code}#")


class ChecklistTick(Entity, table=shareables, kind="checklist_tick", rename="camel"):
    """That an item is ticked: an item of its own, so that ticking never rewrites the page.

    Beyond the data model.
    """

    short_id: str
    checklist_item_id: str
    ticked_at: str
    ticked_by: str | None = None
    """A name, where one was given."""
    ttl: int

    keys = Keys(pk="checklist_tick#{short_id:plain}", sk="01#{checklist_item_id}#")


class PollAnswer(Struct, rename="camel", kw_only=True, frozen=True):
    """What a person chose for one question."""

    poll_question_id: str
    option_ids: list[str]


class PollVote(Entity, table=shareables, kind="poll_vote", rename="camel"):
    """One person's answers."""

    short_id: str
    name: str | None = None
    code: str
    answers: list[PollAnswer] = field(default_factory=list)
    created_at: str
    updated_at: str

    # Beyond the data model.
    ttl: int
    account_id: str | None = None
    """As with an answer to an event."""
    network: str | None = None

    missing = OF_VOTE
    keys = Keys(pk="poll_vote#{short_id:plain}", sk="01#{code}#")


class AnswerNetwork(Entity, table=shareables, kind="answer_network", rename="camel"):
    """How many answers of guests on a page came from one network. Beyond the data model."""

    short_id: str
    network: str
    """As the answers have it."""
    answer_count: int = 1
    ttl: int

    keys = Keys(pk="answer_network#{short_id:plain}", sk="01#{network}#")


class AnswerPointer(Entity, table=shareables, kind="answer_pointer", rename="camel"):
    """Where an account's answer is, for when the account leaves. Beyond the data model.

    It goes when the answer does: a consumer sees to that, also where the database removed it.
    """

    account_id: str
    short_id: str
    page_kind: Literal["event", "poll"]
    code: str

    keys = Keys(pk="account_answers#{account_id}", sk="01#{short_id:plain}#")


class GuestPage(Entity, table=shareables, kind="guest_page", rename="camel"):
    """How much a page that was made without an account takes, with all on it.

    Beyond the data model.
    """

    shard: int
    short_id: str
    bytes: int

    keys = Keys(pk="guest_page#{shard}", sk="01#{short_id:plain}#")


class GuestStorage(Entity, table=shareables, kind="guest_storage", rename="camel"):
    """How much all such pages of a shard take together. Beyond the data model."""

    shard: int
    bytes: int = 0
    pages: int = 0

    keys = Keys(pk="guest_storage#{shard}", sk="01#")


class ShareableBookmark(Entity, table=shareables, kind="kept", rename="camel"):
    """That a page is in a person's list. Beyond the data model."""

    user_id: str
    short_id: str
    page_made_at: str
    """Of the page, not of the list: however often it is kept, it is there once."""
    page_kind: Literal["checklist", "event", "poll"]
    role: Literal["made", "joined"]
    ttl: int

    keys = Keys(pk="account#{user_id}", sk="01#{page_made_at:ms}#{short_id:plain}#")


Kind: TypeAlias = Literal["checklist", "event", "poll"]
KINDS: Mapping[Kind, type[Checklist | Event | Poll]] = {
    "checklist": Checklist,
    "event": Event,
    "poll": Poll,
}


def kind_of(page: Checklist | Event | Poll) -> Kind:
    """Returns what kind of page it is."""
    return next(name for name, kind in KINDS.items() if isinstance(page, kind))


def answer_of(pointer: AnswerPointer) -> Ref[Any]:
    """Returns where the answer is that a pointer leads to."""
    kind = EventRsvp if pointer.page_kind == "event" else PollVote
    return kind.at(short_id=pointer.short_id, code=pointer.code)


# The data model lists no access patterns; these are what its keys are made for.
shareable = one(shareables, "Get shareable by short id", gives=(Checklist, Event, Poll))
checklist_ticks = many(shareables, "Get all ticks of a checklist", gives=ChecklistTick)
rsvps = many(shareables, "Get all RSVPs of an event", gives=EventRsvp)
rsvp = one(shareables, "Get RSVP by code", gives=EventRsvp)
poll_votes = many(shareables, "Get all votes of a poll", gives=PollVote)
poll_vote = one(shareables, "Get vote by code", gives=PollVote)
networks_of_answers = many(
    shareables, "Get from which networks a page was answered", gives=AnswerNetwork
)
network_of_answers = one(
    shareables, "Get how many answers came from a network", gives=AnswerNetwork
)
answers_of_account = many(shareables, "Get the answers of an account", gives=AnswerPointer)
guest_pages = many(shareables, "Get the guests' pages of a shard", gives=GuestPage)
kept_pages = many(
    shareables, "Get the pages in a person's list", newest_first=True, gives=ShareableBookmark
)

# Ticks and answers go with their page, also when its life is extended after they were given.
_goes_with = partial(copies, fields={"ttl": "ttl"}, refers={"short_id": "short_id"})
_goes_with(Checklist, on=ChecklistTick, found=lambda one: checklist_ticks(short_id=one.short_id))
_goes_with(Event, on=EventRsvp, found=lambda one: rsvps(short_id=one.short_id))
_goes_with(Poll, on=PollVote, found=lambda one: poll_votes(short_id=one.short_id))
_goes_with(Event, on=AnswerNetwork, found=lambda one: networks_of_answers(short_id=one.short_id))
_goes_with(Poll, on=AnswerNetwork, found=lambda one: networks_of_answers(short_id=one.short_id))

tables = [shareables, short_id_pool]
