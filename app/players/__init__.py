"""Players as others see them, and lists of their games."""
