"""What joins the rooms. Its pages know them by their declarations; no room knows it."""
