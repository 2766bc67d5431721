"""The leaderboards of the games for two and of the solitaires, and the findings of the searches."""
