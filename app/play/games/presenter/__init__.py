"""Games as pages show them: views for each role and version, shared by everyone in the role."""
