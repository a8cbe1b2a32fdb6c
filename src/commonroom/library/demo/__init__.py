"""Two libraries for the demonstration: what is on the shelves, and a year of lending."""

from commonroom.library.demo.furnishing import furnish

__all__ = ["furnish"]
