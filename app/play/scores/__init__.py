"""Best scores of the solitaire games: entered when a game is submitted, and ranked."""
