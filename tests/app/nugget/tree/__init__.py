"""The open tree of Golden Nugget."""
