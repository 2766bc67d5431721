"""Best scores of solitaire games: stored in the transaction that submits a game, and ranked."""
