"""Records of Golden Nugget by board numbers."""
