"""What Commonroom asks of other people’s servers, and how far it trusts them."""
