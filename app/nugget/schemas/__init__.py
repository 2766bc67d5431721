"""Golden Nugget as the JSON API accepts and returns it."""
