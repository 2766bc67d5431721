"""Players as others see them, and what they see of themselves: profiles and lists of games."""
