"""What happens in the library after a change, and when a timer is due."""
