"""Signed heads of the ledger, and auditing the ledger of a server from outside."""
