"""Pages that are attached to a plan: where each is."""

from __future__ import annotations

from typing import Any

from commonroom.joins.attachments import AttachableData
from commonroom.shareables.rules.short_ids import read_short_id
from commonroom.shareables.service.listing import ATTACHED_AS, BETWEEN, attached_id
from commonroom.shareables.tables import KINDS
from commonroom.store import Ref


def ref_of(thing_id: str) -> Ref[Any] | None:
    """Returns where a page is."""
    name, _between, typed = thing_id.partition(BETWEEN)
    short_id = read_short_id(typed)
    kind = next((it for key, it in KINDS.items() if key == name), None)
    return None if kind is None or short_id is None else kind.at(short_id=short_id)


ATTACHABLE = AttachableData(
    key=ATTACHED_AS, entities=(*KINDS.values(),), id_of=attached_id, ref=ref_of
)
