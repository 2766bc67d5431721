"""Learning and looking back: analysis, reviews, puzzles, lessons, statistics."""
