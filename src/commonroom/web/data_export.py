"""Data export: what rooms and notifications add to what a person takes along."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any, TypeAlias

from litestar import Request

from commonroom.accounts.tables import User
from commonroom.store import Store

ExportPart: TypeAlias = Callable[[Store, User], Awaitable[dict[str, Any]]]
"""Gives everything of one kind that is stored of a person, without secrets."""


async def export_parts(request: Request[Any, Any, Any], person: User) -> dict[str, Any]:
    """What is stored of a person besides their account, by the name of each part."""
    state = request.app.state
    parts: Mapping[str, ExportPart] = state.get("data_export", {})
    return {name: await export(state.store, person) for name, export in parts.items()}
