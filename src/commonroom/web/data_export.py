"""Whoever keeps something of a person beside their account: asked when they take it along."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any, TypeAlias

from litestar import Request

from commonroom.accounts.tables import User
from commonroom.store import Store

ExportPart: TypeAlias = Callable[[Store, User], Awaitable[dict[str, Any]]]
"""Gives all that it keeps of a person, without secrets."""


async def export_parts(request: Request[Any, Any, Any], person: User) -> dict[str, Any]:
    """What every keeper of the house has, by its name."""
    state = request.app.state
    keepers: Mapping[str, ExportPart] = state.get("keepers", {})
    return {name: await keeper(state.store, person) for name, keeper in keepers.items()}
