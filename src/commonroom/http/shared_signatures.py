"""Routes that are alike: what Litestar works out of their signatures, worked out once for all."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import TYPE_CHECKING, Any, TypeVar, cast

from litestar.handlers import HTTPRouteHandler
from litestar.types.empty import Empty

if TYPE_CHECKING:
    from litestar._kwargs import KwargsModel
    from litestar._signature import SignatureModel
    from litestar.types.internal_types import PathParameterDefinition
    from litestar.utils.signature import ParsedSignature

T = TypeVar("T")

SIGNATURE_KEY = "signature_key"
"""A function's attribute: the same for those that take and give the same."""

_worked_out: dict[tuple[Hashable, ...], Any] = {}


class AlikeRoute(HTTPRouteHandler):
    """A route whose function takes and gives the same as those of all routes of its class.

    Litestar would work out for each of them what that is, and keep it: ten kilobytes each.
    """

    __slots__ = ()

    def signature_key(self) -> Any:
        """Returns a key that is equal for routes with the same signature."""
        return type(self)

    @property
    def parsed_fn_signature(self) -> ParsedSignature:
        """What the function takes and gives."""
        if self._parsed_fn_signature is Empty:
            self._parsed_fn_signature = self._once(
                "signature", lambda: super(AlikeRoute, self).parsed_fn_signature
            )
        return cast("ParsedSignature", self._parsed_fn_signature)

    @property
    def signature_model(self) -> type[SignatureModel]:
        """What its arguments are checked with."""
        if self._signature_model is Empty:
            self._signature_model = self._once(
                "model", lambda: super(AlikeRoute, self).signature_model
            )
        return cast("type[SignatureModel]", self._signature_model)

    def create_kwargs_model(
        self, path_parameters: dict[str, PathParameterDefinition]
    ) -> KwargsModel:
        """What its arguments are read with."""
        create = super().create_kwargs_model
        taken = self.parsed_fn_signature.parameters
        in_path = frozenset(name for name in path_parameters if name in taken)
        return self._once("arguments", lambda: create(path_parameters), in_path)

    def _once(
        self, what: str, work_out: Callable[[], T], in_path: frozenset[str] = frozenset()
    ) -> T:
        key = (what, self.signature_key(), in_path)
        if key not in _worked_out:
            _worked_out[key] = work_out()
        found: T = _worked_out[key]
        return found


class SameHint:
    """A type hint as a part of a key: Litestar's own take longer to hash than a route to make."""

    __slots__ = ("hint",)

    def __init__(self, hint: Any) -> None:
        self.hint = hint

    def __eq__(self, other: object) -> bool:
        return isinstance(other, SameHint) and self.hint is other.hint

    def __hash__(self) -> int:
        return id(self.hint)


class AlikeArgumentsRoute(AlikeRoute):
    """A route that is alike to those whose functions say that they take and give the same."""

    __slots__ = ()

    def signature_key(self) -> Any:
        """What its function says of itself, or else the function, which is like no other."""
        return getattr(self.fn, SIGNATURE_KEY, self.fn)
