"""What the library remembers between requests, in one process."""

from __future__ import annotations

from typing import Any

from litestar.connection import ASGIConnection

from commonroom.library.service.searching import Memory


def memory_of(request: ASGIConnection[Any, Any, Any, Any]) -> Memory:
    """The titles that were searched lately; made when somebody first searches."""
    state = request.scope["litestar_app"].state
    try:
        memory: Memory = state.library_memory
    except AttributeError:
        memory = state.library_memory = Memory()
    return memory
