"""Being a witness of other servers."""
