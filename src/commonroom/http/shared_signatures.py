"""Routes that share a signature: what Litestar works out of it, worked out once for all."""

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
"""An attribute of functions: equal for those with the same parameters and result."""

_worked_out: dict[tuple[Hashable, ...], Any] = {}


class SharedSignatureRoute(HTTPRouteHandler):
    """A route whose function has the signature of all routes of its class.

    Litestar would work it out for each of them, and keep it: ten kilobytes each.
    """

    __slots__ = ()

    def signature_key(self) -> Any:
        """Returns a key that is equal for routes with the same signature."""
        return type(self)

    @property
    def parsed_fn_signature(self) -> ParsedSignature:
        """The function's parameters and result."""
        if self._parsed_fn_signature is Empty:
            self._parsed_fn_signature = self._once(
                "signature", lambda: super(SharedSignatureRoute, self).parsed_fn_signature
            )
        return cast("ParsedSignature", self._parsed_fn_signature)

    @property
    def signature_model(self) -> type[SignatureModel]:
        """The model that checks its arguments."""
        if self._signature_model is Empty:
            self._signature_model = self._once(
                "model", lambda: super(SharedSignatureRoute, self).signature_model
            )
        return cast("type[SignatureModel]", self._signature_model)

    def create_kwargs_model(
        self, path_parameters: dict[str, PathParameterDefinition]
    ) -> KwargsModel:
        """Returns the model that reads its arguments."""
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


class HashableHint:
    """A type hint in a key: Litestar's own take longer to hash than a route to make."""

    __slots__ = ("hint",)

    def __init__(self, hint: Any) -> None:
        self.hint = hint

    def __eq__(self, other: object) -> bool:
        return isinstance(other, HashableHint) and self.hint is other.hint

    def __hash__(self) -> int:
        return id(self.hint)


class SharedArgumentsRoute(SharedSignatureRoute):
    """A route that shares its signature with those whose functions declare the same one."""

    __slots__ = ()

    def signature_key(self) -> Any:
        """Returns the key that its function declares, or else the function itself."""
        return getattr(self.fn, SIGNATURE_KEY, self.fn)
