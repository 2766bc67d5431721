"""Being a witness of other servers: storing the signed heads of their ledgers, and what contradicts them."""
