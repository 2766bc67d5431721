"""Golden Nugget as pages."""
