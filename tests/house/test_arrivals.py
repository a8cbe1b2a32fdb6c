"""Every field that an operation takes is stored as it was sent: of what is new, and of a change."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, get_args

import pytest
from httpx import AsyncClient
from msgspec import Struct, to_builtins

from commonroom.http.openapi.document import operations
from commonroom.store import Store
from tests.house.fields.arrivals import by_name, find_lost, opposite, variants
from tests.house.fields.sent import ALL, ELSEWHERE, GIVEN, Arriving
from tests.house.test_fields import TRAVELS
from tests.house.whole import whole
from tests.shareables.furniture import everything_of
from tests.support.application import application_without_store

V1 = "/api/v1"
TAKEN = {
    f"{method.upper()} {path.removeprefix(V1)}": route.docs.takes.body[1].type
    for path, method, route in operations(application_without_store())
    if route.docs.takes.body is not None
}
"""What each operation takes."""


def test_whatever_has_fields_is_sent_here_or_elsewhere() -> None:
    sent = {one.entity for them in ALL for one in them}
    elsewhere = {one for them in ELSEWHERE.values() for one in them}
    assert {one.entity for one in TRAVELS} == sent | elsewhere
    assert sent & elsewhere == set()


@pytest.mark.parametrize("arriving", ALL, ids=lambda them: them[0].entity.__name__)
async def test_every_field_arrives(tmp_path: Path, arriving: Sequence[Arriving]) -> None:
    async with whole(tmp_path) as house:
        browser = await house.browser(accept="application/json")
        sender = Sender(house.store, browser, house.ada.user_id)
        lost = [it for one in arriving for it in await sender.send(one)]
    assert lost == []


class Sender:
    """Sends bodies with every field, and looks at what is stored."""

    def __init__(self, store: Store, client: AsyncClient, user_id: str) -> None:
        self._store, self._client = store, client
        self._places = {"user_id": user_id}
        """The ids of what was made last, by their names in addresses."""

    async def send(self, one: Arriving) -> list[str]:
        """Makes a thing and changes it; returns the fields that were lost on the way."""
        given = {**GIVEN, **one.given}
        new, *changes = one.operations
        sent, stored = await self._make(new, one, opposite(_taken(new, one), given))
        lost = [f"{new}: {it}" for it in find_lost(sent, by_name(stored))]
        for operation in changes:
            for body in variants(_taken(operation, one), given):
                sent = await self._call(operation, one, body, getattr(stored, "version", 0))
                stored = await self._store.get(stored.ref)
                lost += [f"{operation}: {it}" for it in find_lost(sent, by_name(stored))]
        return lost

    async def _make(self, operation: str, one: Arriving, body: Struct) -> tuple[Any, Any]:
        """Makes a thing; returns what was sent, and what is stored."""
        before = await everything_of(self._store.engine, one.entity)
        sent = await self._call(operation, one, body)
        after = await everything_of(self._store.engine, one.entity)
        known = [it.ref for it in before]
        changed = [it for it in after if it not in before]
        (stored,) = [it for it in changed if it.ref not in known] or changed
        self._places |= {name: it for name, it in by_name(stored).items() if name.endswith("_id")}
        self._places["member_id"] = self._places["user_id"]
        return sent, stored

    async def _call(
        self, operation: str, one: Arriving, body: Struct, version: int = 0
    ) -> dict[str, Any]:
        """Sends a body, and returns its fields as they should be stored."""
        method, path = operation.split()
        fields = {
            name: it for name, it in to_builtins(body).items() if name not in one.apart.split()
        }
        if "version" in fields:
            fields["version"] = version
        address = V1 + path.format(**self._places)
        answer = await self._client.request(method, address, json=fields)
        assert answer.status_code < 300, f"{operation}: {fields} {answer.text}"
        sent = fields.keys() & set(body.__struct_fields__) - {"version"}
        return {one.called.get(name, name): fields[name] for name in sent}


def _taken(operation: str, one: Arriving) -> type[Struct]:
    """Returns what an operation takes; of several kinds, that of the entity."""
    kind: type[Struct] = TAKEN[operation]
    kinds: dict[str, type[Struct]] = {it.__name__: it for it in get_args(kind)}
    return kinds.get(f"New{one.entity.__name__}", kind)
