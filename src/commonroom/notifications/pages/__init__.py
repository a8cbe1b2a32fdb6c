"""The pages of notifications."""
