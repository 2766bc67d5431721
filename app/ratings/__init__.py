"""How strong players are: ratings by game, their history and their leaderboards."""
