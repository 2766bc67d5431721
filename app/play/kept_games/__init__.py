"""Games that an account has kept, to find them again. Nobody else learns of it."""
