"""Films and shows: what is known of them, and where it comes from."""
