"""The analysis board: trees of variations in addresses, and saved as studies."""
