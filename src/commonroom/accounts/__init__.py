"""Who is who: the one identity that all rooms share."""
