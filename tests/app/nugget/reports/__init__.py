"""Tests of the final reports of competitions."""
