"""Teams: players who belong together, with a page of their own."""
