"""Records of Golden Nugget by board numbers, and who took which from whom."""
