"""A solver of Golden Nugget: a beam for each board, many runs side by side, a database of the last moves."""
