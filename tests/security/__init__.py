"""What nobody can do who should not: one module for each topic."""
