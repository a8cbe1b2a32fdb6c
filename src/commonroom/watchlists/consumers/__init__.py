"""What happens in the room after a change."""
