"""Games: challenges, moves, clocks, chat, computer players, ratings."""
