"""The language in which rooms declare what they store."""
