"""Projections: views of stored things, declared by their fields and made as quickly as by hand.

ride = projection(tables.Ride, RideView)
option = projection(tables.PollOption, OptionView, time=Through(time_view), yes="tally.yes")
full_car = projection(tables.Car, FullCar, list[RideView], riders=lambda _, rides: rides)

full_car(car, rides)
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any, TypeAlias, TypeVar, overload

from msgspec import Struct

T = TypeVar("T")
V = TypeVar("V", bound=Struct)
C = TypeVar("C")


class Through(Struct, frozen=True):
    """Shows a thing's field of the same name by a projection of its own; None stays None."""

    view: Callable[[Any], Any]


Computed: TypeAlias = Callable[..., Any] | Through | str | None
"""What a field shows: what a function returns, another field's view, or another field; or None."""


@overload
def projection(of: type[T], view: type[V], /, **computed: Computed) -> Callable[[T], V]: ...


@overload
def projection(
    of: type[T], view: type[V], context: type[C], /, **computed: Computed
) -> Callable[[T, C], V]: ...


def projection(
    of: type[T], view: type[V], context: type[Any] | None = None, /, **computed: Computed
) -> Callable[..., V]:
    """Returns a function that gives the view of a thing.

    Fields of the view that the thing has as well are taken over as they are, so nothing is shown
    that the view does not name. Others are `computed` from the thing, and from a `context` where
    one is named, such as the moment or what belongs to the thing; None hides what it has.
    """
    for name in computed.keys() - set(view.__struct_fields__):
        raise TypeError(f"{view.__name__} has no field {name}.")
    scope: dict[str, Any] = {"view": view}
    arguments = [
        f"{name}={_value(of, view, name, computed.get(name, name), scope)}"
        for name in view.__struct_fields__
    ]
    if context is None and any(map(_takes_context, computed.values())):
        raise TypeError(f"{view.__name__} is computed from a context, but none is named.")
    takes = "thing" if context is None else "thing, context"
    exec(f"def project({takes}): return view({', '.join(arguments)})", scope)  # noqa: S102 - our own declaration
    project: Callable[..., V] = scope["project"]
    return project


def _value(of: type[Any], view: type[Any], name: str, how: Computed, scope: dict[str, Any]) -> str:
    """Returns the expression for a field of a view; what it needs is put into the scope."""
    if how is None:
        return "None"
    if callable(how):
        scope[f"compute_{name}"] = how
        return f"compute_{name}({'thing, context' if _takes_context(how) else 'thing'})"
    path = name if isinstance(how, Through) else how
    # A struct's fields are members of its class, and so are properties.
    if not hasattr(of, path.partition(".")[0]):
        raise TypeError(f"{of.__name__} has no {path}, which {view.__name__} shows.")
    if isinstance(how, Through):
        scope[f"show_{name}"] = how.view
        return f"None if thing.{name} is None else show_{name}(thing.{name})"
    return f"thing.{path}"


def _takes_context(how: Computed) -> bool:
    if not callable(how):
        return False
    parameters = inspect.signature(how).parameters.values()
    return sum(one.default is inspect.Parameter.empty for one in parameters) > 1
