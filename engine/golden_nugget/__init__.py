"""Golden Nugget: 49 two-faced blocks on a 7x7 board, to be sorted by pushes along its rows and columns."""
