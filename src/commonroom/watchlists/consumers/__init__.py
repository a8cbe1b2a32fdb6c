"""What happens in watchlists after a change."""
