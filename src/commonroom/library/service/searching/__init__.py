"""Search across everything that a person owns or is shared."""

from commonroom.library.service.searching.finding import LONGEST_PAGE, PAGE, Found, Hit, search
from commonroom.library.service.searching.memory import Memory

__all__ = ["LONGEST_PAGE", "PAGE", "Found", "Hit", "Memory", "search"]
