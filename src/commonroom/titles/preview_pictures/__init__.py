"""Pictures of link previews (Open Graph): drawn here, since other sites take no style sheets."""

SIZE = (1200, 630)
"""What other sites expect."""
MARGIN = 60
