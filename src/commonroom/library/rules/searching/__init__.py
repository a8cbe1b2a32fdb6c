"""Decisions about searching: which words a text has, what matches them, and what comes first."""

from commonroom.library.rules.searching.cards import Card, Cards, Ranked
from commonroom.library.rules.searching.texts import LONGEST_TEXT, MOST_WORDS, Sought, sought

__all__ = ["LONGEST_TEXT", "MOST_WORDS", "Card", "Cards", "Ranked", "Sought", "sought"]
