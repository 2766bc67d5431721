"""Signed heads of the ledger, and audits from outside."""
