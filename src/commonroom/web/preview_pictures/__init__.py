"""Pictures of link previews (Open Graph): drawn here, since other sites take no style sheets."""
