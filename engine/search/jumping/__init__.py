"""Jumping Farther & Farther searched: small boards solved, the solitaire by a beam, and a computer player."""
