"""What happens in movie night after a change, and when a timer is due."""
