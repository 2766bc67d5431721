"""The open tree: all positions between the boards of published entries."""
