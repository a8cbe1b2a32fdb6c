"""What joins the rooms. It knows them by their declarations; no room knows it."""
