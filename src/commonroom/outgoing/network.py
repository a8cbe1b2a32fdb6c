"""How the network is seen; tests have one of their own on loopback."""

from __future__ import annotations

import ssl
from collections.abc import Callable
from typing import TYPE_CHECKING

from msgspec import Struct

from commonroom.outgoing.public import is_public

if TYPE_CHECKING:
    from aiohttp.abc import AbstractResolver


class Network(Struct, frozen=True, kw_only=True):
    """Which addresses are public, what names mean, and whose certificates count."""

    public: Callable[[str], bool] = is_public
    resolver: AbstractResolver | None = None
    """None for the system's."""
    tls: ssl.SSLContext | None = None
    """None for the system's."""
