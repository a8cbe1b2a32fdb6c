"""What people type into forms is forgotten with the request."""

from __future__ import annotations

from litestar._kwargs import extractors

PARSER = "parse_url_encoded_form_data"


def patch_litestar() -> None:
    """Takes Litestar's memory of the last 1024 forms away, whole bodies with their passwords.

    It has no setting for this. A test signs in and looks whether anything is remembered.
    """
    parser = getattr(extractors, PARSER)
    setattr(extractors, PARSER, getattr(parser, "__wrapped__", parser))
