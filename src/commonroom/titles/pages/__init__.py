"""The pages of films and shows, and of their administration."""
