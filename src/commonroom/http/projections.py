"""Projections: views of stored things, declared by their fields and made as quickly as by hand."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from msgspec import Struct

T = TypeVar("T")
V = TypeVar("V", bound=Struct)


def projection(
    of: type[T], view: type[V], **computed: Callable[[T], Any] | None
) -> Callable[[T], V]:
    """Returns a function that gives the view of a thing.

    Fields of the view that the thing has as well are taken over as they are, so nothing is shown
    that the view does not name. Others are `computed` from the thing; None hides what it has.
    """
    fields = view.__struct_fields__
    for name in computed.keys() - set(fields):
        raise TypeError(f"{view.__name__} has no field {name}.")
    for name in set(fields) - computed.keys():
        # A struct's fields are members of its class, and so are properties.
        if not hasattr(of, name):
            raise TypeError(f"{of.__name__} has no {name}, which {view.__name__} shows.")
    scope: dict[str, Any] = {"view": view}
    arguments = []
    for name in fields:
        if name not in computed:
            arguments.append(f"{name}=thing.{name}")
        elif (compute := computed[name]) is not None:
            scope[f"compute_{name}"] = compute
            arguments.append(f"{name}=compute_{name}(thing)")
        else:
            arguments.append(f"{name}=None")
    exec(f"def project(thing): return view({', '.join(arguments)})", scope)  # noqa: S102 - our own declaration
    project: Callable[[T], V] = scope["project"]
    return project
