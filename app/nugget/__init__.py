"""Golden Nugget: runs, entries, competitions, rankings and the ledger."""
