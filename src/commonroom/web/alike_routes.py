"""Routes that are alike: what Litestar works out of their signatures, worked out once for all."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

from litestar.handlers import HTTPRouteHandler

if TYPE_CHECKING:
    from litestar._kwargs import KwargsModel
    from litestar._signature import SignatureModel
    from litestar.types.internal_types import PathParameterDefinition
    from litestar.utils.signature import ParsedSignature

T = TypeVar("T")

_worked_out: dict[tuple[type, str], Any] = {}


class AlikeRoute(HTTPRouteHandler):
    """A route whose function takes and gives the same as those of all routes of its class.

    Litestar would work out for each of them what that is, and keep it: ten kilobytes each.
    """

    __slots__ = ()

    @property
    def parsed_fn_signature(self) -> ParsedSignature:
        """What the function takes and gives."""
        return self._once("signature", lambda: super(AlikeRoute, self).parsed_fn_signature)

    @property
    def signature_model(self) -> type[SignatureModel]:
        """What its arguments are checked with."""
        return self._once("model", lambda: super(AlikeRoute, self).signature_model)

    def create_kwargs_model(
        self, path_parameters: dict[str, PathParameterDefinition]
    ) -> KwargsModel:
        """What its arguments are read with; none of them is a part of the path."""
        create = super().create_kwargs_model
        return self._once("arguments", lambda: create(path_parameters))

    def _once(self, what: str, work_out: Callable[[], T]) -> T:
        key = (type(self), what)
        if key not in _worked_out:
            _worked_out[key] = work_out()
        found: T = _worked_out[key]
        return found
