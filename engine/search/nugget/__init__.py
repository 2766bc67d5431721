"""A solver of Golden Nugget: a beam search for each board, parallel runs, and an endgame database."""
