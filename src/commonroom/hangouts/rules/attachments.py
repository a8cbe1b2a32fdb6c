"""Attachments: how many a hangout carries."""

MAX_ATTACHMENTS = 10
