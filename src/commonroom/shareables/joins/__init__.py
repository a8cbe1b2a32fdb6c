"""What shareables offer to others: here what any process may ask for, in `server.py` the rest."""

from __future__ import annotations

from commonroom.http.words import lazy
from commonroom.joins.findings import StoreExamination
from commonroom.joins.menus import AdminPage, NewThing
from commonroom.shareables.joins.attachable_data import ATTACHABLE
from commonroom.shareables.joins.findings import examine_guests
from commonroom.shareables.joins.search import KINDS, PLACES


def _new(name: str, line: str, kind: str) -> NewThing:
    return NewThing(
        name=name,
        line=line,
        icon=f"shareables/{kind}",
        address=f"/s/new/{kind}",
        for_guests=True,
        for_managed=True,
    )


OFFERS = (
    AdminPage("/admin/guests", lazy("Guests"), "shareables"),
    _new(lazy("Checklist"), lazy("Shopping, packing, chores."), "checklist"),
    _new(lazy("Event"), lazy("When and where, and who is coming."), "event"),
    _new(lazy("Poll"), lazy("Ask, and see what most people want."), "poll"),
    *KINDS,
    *PLACES,
    ATTACHABLE,
    StoreExamination(examine_guests),
)
