"""What a hangout carries of other rooms, as the caller may see it; and its version."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from hashlib import blake2b
from typing import TYPE_CHECKING, TypeAlias
from urllib.parse import quote

from msgspec import Struct

from commonroom.hangouts.service.access import HangoutAccess
from commonroom.hangouts.service.attachments import may_detach, thing_of
from commonroom.hangouts.tables import Attachment
from commonroom.joins.attachments import AttachmentKind, ThingView, kinds_of
from commonroom.store import Store

if TYPE_CHECKING:
    from commonroom.http.request import Request

Seen: TypeAlias = Mapping[str, Sequence[str]]
"""By kind: the ids of the things that a person sees."""


class AttachedThing(Struct, frozen=True, kw_only=True):
    """A thing on a hangout, as far as the caller may see it."""

    attachment: Attachment
    kind: AttachmentKind
    view: ThingView
    may_detach: bool

    @property
    def address(self) -> str | None:
        """Where it is opened: on its own page, or by way of the hangout."""
        if not (self.view.opens_here and self.view.address):
            return self.view.address
        one = self.attachment
        parts = (one.hangout_id, "attachments", one.kind, one.thing_id)
        return "/hangouts/" + "/".join(quote(part, safe="") for part in parts)


async def attached_things(
    request: Request, access: HangoutAccess, attached: Sequence[Attachment]
) -> list[AttachedThing]:
    """Returns what the caller sees: a request or two for each kind, none where nothing is attached.

    Those who pass by a public hangout see nothing of it.
    """
    if not attached or not access.standing.may_add:
        return []
    kinds = kinds_of(request)
    by_kind: dict[str, list[Attachment]] = defaultdict(list)
    for one in attached:
        if one.kind in kinds:
            by_kind[one.kind].append(one)
    views: dict[tuple[str, str], ThingView] = {}
    for key, some in by_kind.items():
        loaded = await kinds[key].load(request, [thing_of(one) for one in some])
        views |= {(key, thing_id): view for thing_id, view in loaded.items()}
    is_acting = request.caller.acting_as is not None
    me = request.person.user_id
    return [
        AttachedThing(
            attachment=one,
            kind=kinds[one.kind],
            view=view,
            may_detach=may_detach(access, one, me) and not is_acting,
        )
        for one in sorted(attached, key=lambda one: one.attached_at)
        if (view := views.get((one.kind, one.thing_id))) is not None
    ]


def seen_ids(things: Sequence[AttachedThing]) -> dict[str, list[str]]:
    """Returns which things these are."""
    found: dict[str, list[str]] = {}
    for one in things:
        found.setdefault(one.kind.key, []).append(one.attachment.thing_id)
    return found


def with_things(version: str, things: Sequence[AttachedThing]) -> str:
    """Returns the version of a hangout with all that is seen on it."""
    versions = {(one.kind.key, one.attachment.thing_id): one.view.version for one in things}
    return _joined(version, versions)


async def watched_version(
    store: Store, now: float, version: str, kinds: Mapping[str, AttachmentKind], seen: Seen
) -> str:
    """Returns the versions for listeners who see these things: a request or two for each kind."""
    found: dict[tuple[str, str], str] = {}
    for key, ids in seen.items():
        versions = await kinds[key].versions(store, now, ids)
        found |= {(key, thing_id): text for thing_id, text in versions.items()}
    return _joined(version, found)


def _joined(version: str, things: Mapping[tuple[str, str], str]) -> str:
    if not things:
        return version
    texts = [version, *(f"{'#'.join(which)} {text}" for which, text in sorted(things.items()))]
    return blake2b("\n".join(texts).encode(), digest_size=12).hexdigest()
