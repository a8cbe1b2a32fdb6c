"""How a fault is declared, and what breaking things by hand takes."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, TypeAlias

from commonroom.accounts.tables import User
from commonroom.store import Entity, Ref, delete
from tests.hangouts.checks.example import House

Break: TypeAlias = Callable[[House], Awaitable[Any]]
BREAKS: dict[Break, tuple[str, str]] = {}

LONG_AGO = "2020-01-01T00:00:00Z"


def fault(check: str, sentence: str) -> Callable[[Break], Break]:
    """Says by which check a fault is found, and what is said of it."""

    def declare(breaks: Break) -> Break:
        BREAKS[breaks] = (check, sentence)
        return breaks

    return declare


def on(house: House, who: User) -> dict[str, Any]:
    return {
        "hangout_id": house.pub.hangout_id,
        "user_id": who.user_id,
        "user_name": who.display_name,
    }


async def read(house: House, ref: Ref[Any]) -> Any:
    found = await house.store.get(ref)
    assert found is not None
    return found


async def lose(house: House, thing: Entity | Ref[Any]) -> None:
    await house.store.write(delete(thing))
