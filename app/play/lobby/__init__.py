"""Challenges: how players find each other."""
