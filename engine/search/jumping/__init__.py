"""Searches of Jumping Farther & Farther: solved small boards, a beam for the solitaire, a computer player."""
