"""Golden Nugget: runs that are played, entries that compete, the ranking and the ledger."""
