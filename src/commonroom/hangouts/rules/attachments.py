"""Attachments: how many a hangout carries."""

MOST_ATTACHMENTS = 10
